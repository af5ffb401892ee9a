/* faults.h - what fails, gets lost and comes late.
 *
 *   failures.c          which links and routers fail and are repaired, when; tells routing, model and transport
 *   damage.c            routing on what is left: hops that lead nowhere are left out of what a routing function offers
 *   transport.c         NICs that are reliable on networks that are not: packets, repetition, order
 *   chance.c            which packets are lost or late
 *
 * Neither is there unless it is asked for: Network.failures and Network.transport are NULL then.
 *
 * With a transport, models never see the messages of the client. A NIC hands its model one packet at a time, as a
 * message of its own (NetMessage.is_packet), and the next one when it has left (or some ahead: NetModel.packets_ahead).
 * A model ends a packet as it ends every message, by a DELIVERED event, or by net_transport_lost(); and each of them by
 * a SENT event, be it lost or not.
 */
#ifndef ORRERY_NETSIM_FAULTS_H
#define ORRERY_NETSIM_FAULTS_H

#include "base/queue.h"
#include "netsim/core/core.h"

/* -- failures ---------------------------------------------------------------------------------- */

/* What params say, or NULL: without error if nothing fails. */
NetFailures *net_failures_new(Network *net, GError **error);
void net_failures_free(NetFailures *failures);
/* When links fail or are repaired next, UINT64_MAX: never; and that. */
uint64_t net_failures_next(const NetFailures *failures);
void net_failures_step(Network *net);
/* A message is handed over at `time_ps`: while the network had nothing to do, nothing has failed. */
void net_failures_begin(NetFailures *failures, uint64_t time_ps, bool idle);
/* Whether a link or router is to be repaired yet. */
bool net_failures_will_repair(const NetFailures *failures);
/* "link (0,1)-(0,2) failed at 1 ms", of all that have failed just now. */
void net_failures_describe(const NetFailures *failures, GString *out);

/* -- routing on what is left (damage.c) ---------------------------------------------- */

typedef struct NetDamage NetDamage;
/* Puts itself in the place of net->routing. */
NetDamage *net_damage_new(Network *net);
void net_damage_free(NetDamage *damage);
/* Links have failed or work again; how many have failed now. */
void net_damage_changed(Network *net, NetDamage *damage, uint32_t failed);
/* Whether the routing finds a way from node to node, and whether there is any. */
bool net_damage_reaches(const Network *net, uint32_t from, uint32_t to);
bool net_damage_connected(const Network *net, uint32_t from, uint32_t to);
NetDamage *net_failures_damage(const NetFailures *failures);

/* -- reliable NICs (transport.c) --------------------------------------------------------------- */

/* NULL without error if nothing asks for it. */
NetTransport *net_transport_new(Network *net, GError **error);
void net_transport_free(NetTransport *transport);
/* A message of the client's is in its NIC; of one of its packets, the SENT and the DELIVERED event; a TIMER event. */
void net_transport_inject(Network *net, uint32_t message);
void net_transport_sent(Network *net, uint32_t packet);
void net_transport_arrived(Network *net, uint32_t packet);
void net_transport_timer(Network *net, const BaseEvent *event);
/* What it has counted; the same as counters, at most NET_MAX_COUNTERS - NET_MODEL_COUNTERS of them (failures.c). */
void net_transport_counts(const NetTransport *transport, NetFaultCounts *counts);
uint32_t net_fault_counters(const Network *net, NetCounter *counters);
/* Whether the network has nothing to do. */
bool net_transport_is_idle(const Network *net);

typedef enum NetLoss {
    NET_LOST_DAMAGED, /* on an unreliable link */
    NET_LOST_FAILURE, /* it was on the link when that failed */
    NET_LOST_NO_WAY,  /* it stands where no link leads on */
} NetLoss;
/* For models that look at every link: whether a packet gets across (else it is to be taken out, and
 * net_transport_lost() called), and how much later than usual. */
bool net_chance_crosses(const Network *net, uint32_t packet, uint32_t link);
uint64_t net_chance_jitter(const Network *net, uint32_t packet, uint32_t link);
/* The packet is no more; `link` NET_NONE: on none. Its SENT event comes all the same. */
void net_transport_lost(Network *net, uint32_t packet, NetLoss why, uint32_t link);
/* NetModel.fail on a shared medium: what a node sends or is sent while its tap fails is lost, which shows on arrival.
 */
void net_transport_lost_on_medium(Network *net, uint32_t link);

#endif
