/* faults.h - what fails, gets lost and comes late.
 *
 *   failures.c          which links and routers fail and are repaired, and when; tells routing, model and transport
 *   damage.c            routing on what is left: drops those hops a routing function offers that lead nowhere
 *   transport.c         reliable NICs on unreliable networks: packets, repetition, order
 *   chance.c            which packets are lost or late
 *
 * Failures and transport exist only on demand; otherwise Network.failures and Network.transport are NULL.
 *
 * With a transport, models never see the messages of the client. A NIC hands its model one packet at a time, as a
 * message of its own (NetMessage.is_packet). It hands over the next packet when the one before has left, or some
 * packets ahead (NetModel.packets_ahead). A model ends a packet as it ends every message, by a DELIVERED event, or it
 * calls net_transport_lost(). In both cases it also ends the packet by a SENT event.
 */
#ifndef ORRERY_NETSIM_FAULTS_H
#define ORRERY_NETSIM_FAULTS_H

#include "base/queue.h"
#include "netsim/core/core.h"

/* -- failures ---------------------------------------------------------------------------------- */

/* Reads the failures that params give. Returns NULL with an error, or NULL without one if nothing fails. */
NetFailures *net_failures_new(Network *net, GError **error);
void net_failures_free(NetFailures *failures);
/* net_failures_next() returns when links fail or are repaired next; UINT64_MAX: never. net_failures_step() lets that
 * happen. */
uint64_t net_failures_next(const NetFailures *failures);
void net_failures_step(Network *net);
/* A message is handed over at `time_ps`. If the network was idle, changes that were due meanwhile take effect now. */
void net_failures_begin(NetFailures *failures, uint64_t time_ps, bool idle);
/* Returns whether some link or router will still be repaired. */
bool net_failures_will_repair(const NetFailures *failures);
/* Appends "link (0,1)-(0,2) failed at 1 ms" for all that have failed and are not repaired yet. */
void net_failures_describe(const NetFailures *failures, GString *out);

/* -- routing on what is left (damage.c) ---------------------------------------------- */

typedef struct NetDamage NetDamage;
/* Replaces net->routing by a routing that handles failures. */
NetDamage *net_damage_new(Network *net);
void net_damage_free(NetDamage *damage);
/* Links have failed or work again. `failed`: number of links that do not work now. */
void net_damage_changed(Network *net, NetDamage *damage, uint32_t failed);
/* net_damage_reaches() returns whether the routing finds a way from node to node, net_damage_connected() whether there
 * is any way. */
bool net_damage_reaches(const Network *net, uint32_t from, uint32_t to);
bool net_damage_connected(const Network *net, uint32_t from, uint32_t to);
NetDamage *net_failures_damage(const NetFailures *failures);

/* -- reliable NICs (transport.c) --------------------------------------------------------------- */

/* Returns NULL with an error, or NULL without one if nothing asks for a transport. */
NetTransport *net_transport_new(Network *net, GError **error);
void net_transport_free(NetTransport *transport);
/* Events of the transport: a message of the client is in its NIC; a packet's SENT event; its DELIVERED event; a TIMER
 * event. */
void net_transport_inject(Network *net, uint32_t message);
void net_transport_sent(Network *net, uint32_t packet);
void net_transport_arrived(Network *net, uint32_t packet);
void net_transport_timer(Network *net, const BaseEvent *event);
/* Fill in what the transport has counted, as a struct and as at most NET_MAX_COUNTERS - NET_MODEL_COUNTERS counters
 * (failures.c). */
void net_transport_counts(const NetTransport *transport, NetFaultCounts *counts);
uint32_t net_fault_counters(const Network *net, NetCounter *counters);
/* Returns whether the network has nothing to do. */
bool net_transport_is_idle(const Network *net);

typedef enum NetLoss {
    NET_LOST_DAMAGED, /* lost on an unreliable link */
    NET_LOST_FAILURE, /* lost on a link that failed */
    NET_LOST_NO_WAY,  /* no link led on from where it was */
} NetLoss;
/* For models that look at every link. net_chance_crosses() returns whether a packet gets across; if not, the model has
 * to take it out and call net_transport_lost(). net_chance_jitter() returns how much later than usual it arrives. */
bool net_chance_crosses(const Network *net, uint32_t packet, uint32_t link);
uint64_t net_chance_jitter(const Network *net, uint32_t packet, uint32_t link);
/* The packet no longer exists. `link` NET_NONE: it was on no link. The model still ends it by a SENT event. */
void net_transport_lost(Network *net, uint32_t packet, NetLoss why, uint32_t link);
/* NetModel.fail of models with a shared medium. What a node sends or receives while its tap fails is lost. This shows
 * on arrival. */
void net_transport_lost_on_medium(Network *net, uint32_t link);

#endif
