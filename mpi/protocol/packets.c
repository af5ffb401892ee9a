/* packets.c - what protocols send besides the phases of messages.
 *
 * On its way a packet is a token of the network, with the bits MPI_COOKIE_PACKET, and has a head like the transfers of
 * one-sided communication (remote.h). A post takes effect at the instant of its arrival, like a match. All others cost
 * processor time of the rank that gets them, and take effect on the time of a call of it; those between daemons do so
 * on the time of a daemon. */
#include "mpi/core/hooks.h"
#include "mpi/protocol/protocol.h"
#include "mpi/protocol/way.h"

/* -- making and sending -------------------------------------------------------------------------- */

static MpiTransferKind kind_of(MpiPacketKind kind)
{
    switch (kind) {
    case MPI_PACKET_POST: return MPI_TRANSFER_POST;
    case MPI_PACKET_PIECE:
    case MPI_PACKET_STORE: return MPI_TRANSFER_PIECE;
    case MPI_PACKET_ACKNOWLEDGE:
    case MPI_PACKET_WRITTEN: return MPI_TRANSFER_ACKNOWLEDGEMENT;
    default: return MPI_TRANSFER_CREDIT;
    }
}

MpiPacket *mpi_packet_new(MpiWorld *world, MpiPacketKind kind, MpiLane *lane, bool back, MpiFlight *flight)
{
    MpiPacket *packet = mpi_pool_take(&mpi_protocol_state(world)->packets);
    packet->refs = 1;
    packet->kind = kind;
    packet->lane = lane;
    packet->flight = flight;
    packet->head.kind = kind_of(kind);
    packet->head.from = back ? lane->to : lane->from;
    packet->head.to = back ? lane->from : lane->to;
    packet->head.tag = -1;
    packet->head.daemons = kind >= MPI_PACKET_STORE;
    if (!flight) {
        packet->head.id = kind == MPI_PACKET_ROOM ? 0 : world->next_message++;
        return packet;
    }
    const MpiMessage *message = flight->message;
    flight->message->refs++;
    packet->head.id = message->id;
    packet->head.tag = message->collective ? ~message->item.key.tag : message->item.key.tag;
    packet->head.context = message->item.key.space >> 1;
    packet->head.whole = message->bytes;
    return packet;
}

void mpi_packet_free(MpiWorld *world, MpiPacket *packet)
{
    if (--packet->refs)
        return;
    if (packet->flight)
        mpi_transfer_drop(world, packet->flight->message);
    if (packet->post)
        mpi_post_unref(world, packet->post);
    mpi_pool_give(&mpi_protocol_state(world)->packets, packet);
}

uint64_t mpi_packet_cookie(const MpiPacket *packet)
{
    return (uint64_t)(uintptr_t)packet | MPI_COOKIE_PACKET;
}

static MpiPacket *packet_of(uint64_t cookie)
{
    return (MpiPacket *)(uintptr_t)(cookie & ~MPI_COOKIE_BITS);
}

static void transmit(MpiWorld *world, MpiPacket *packet, uint64_t payload, uint64_t began_ps, uint64_t time_ps,
                     bool reported)
{
    const MpiEnv *env = &world->env;
    MpiRank *rank = mpi_world_rank(world, packet->head.from);
    packet->head.bytes = payload;
    packet->head.sent_ps = time_ps;
    packet->refs += reported;
    rank->stats.controls_sent += payload == 0 && !packet->head.data;
    mpi_tell_remote(world, MPI_TRANSFER_SENT, &packet->head, began_ps, time_ps);
    mpi_transfer_hurry(world, rank);
    env->transmit(env->user, packet->head.from, packet->head.to, world->params.envelope_bytes + payload, time_ps,
                  mpi_packet_cookie(packet) | (reported ? 0 : MPI_COOKIE_UNREPORTED));
}

void mpi_packet_send(MpiCall *call, MpiPacket *packet, uint64_t payload, uint64_t copying_ps, bool reported)
{
    uint64_t began_ps = call->now;
    mpi_call_charge(call, copying_ps + mpi_transfer_overhead_ps(&call->world->params.send_overhead, payload));
    if (G_UNLIKELY(call->world->env.doorbell))
        mpi_progress_ring(call, packet->head.to);
    transmit(call->world, packet, payload, began_ps, call->now, reported);
}

void mpi_packet_transmit(MpiWorld *world, MpiPacket *packet, uint64_t payload, uint64_t time_ps, bool reported)
{
    transmit(world, packet, payload, time_ps, time_ps, reported);
}

void mpi_packet_alarm(const MpiWorld *world, MpiPacket *packet, uint64_t time_ps)
{
    const MpiEnv *env = &world->env;
    g_assert(env->alarm);
    env->alarm(env->user, packet->head.to, time_ps, mpi_packet_cookie(packet));
}

/* -- taking effect ------------------------------------------------------------------------------- */

uint64_t mpi_protocol_receive_ps(const MpiCall *call, uint64_t bytes)
{
    return mpi_transfer_overhead_ps(&call->world->params.recv_overhead, bytes);
}

uint64_t mpi_protocol_match_ps(const MpiCall *call, const MpiMessage *message)
{
    const MpiParams *params = &call->world->params;
    return params->match_ps + message->receive->searched * params->queue_element_ps;
}

void mpi_packet_charge(MpiCall *call, const MpiPacket *packet, uint64_t ps)
{
    uint64_t began_ps = call->now;
    mpi_call_charge(call, ps);
    mpi_tell_remote(call->world, MPI_TRANSFER_RECEIVED, &packet->head, began_ps, call->now);
}

/* The receiver says that it has the data: the send is complete. */
static void written(MpiCall *call, const MpiPacket *packet)
{
    mpi_packet_charge(call, packet, mpi_protocol_receive_ps(call, 0));
    if (packet->flight->message->send)
        mpi_flight_sent(call, packet->flight);
}

void mpi_packet_act(MpiCall *call, MpiPacket *packet)
{
    switch (packet->kind) {
    case MPI_PACKET_POST: /* its message goes on */
        mpi_packet_charge(call, packet, mpi_protocol_receive_ps(call, 0) + call->world->params.match_ps);
        packet->lane->way->launch(call, packet->flight);
        break;
    case MPI_PACKET_LAUNCH: packet->lane->way->launch(call, packet->flight); break;
    case MPI_PACKET_PHASE: mpi_worker_phase(call, packet); break;
    case MPI_PACKET_PIECE: mpi_posts_piece(call, packet); break;
    case MPI_PACKET_ACKNOWLEDGE: mpi_posts_acknowledged(call, packet); break;
    case MPI_PACKET_WRITTEN: written(call, packet); break;
    case MPI_PACKET_CREDIT:
    case MPI_PACKET_GRANT:
    case MPI_PACKET_DENY: mpi_eager_credits(call, packet); break;
    case MPI_PACKET_ASK: mpi_eager_asked(call, packet); break;
    case MPI_PACKET_DELIVER:
    case MPI_PACKET_COMPLETE:
    case MPI_PACKET_STORE:
    case MPI_PACKET_REFUSE:
    case MPI_PACKET_ENVELOPE:
    case MPI_PACKET_WANT:
    case MPI_PACKET_STOP:
    case MPI_PACKET_GO:
    case MPI_PACKET_ROOM: g_assert_not_reached();
    }
    mpi_packet_free(call->world, packet);
}

/* A blocked rank gets the packet: the network interface interrupts it, if it does not look by itself. */
static void interrupt(MpiCall *call, const MpiPacket *packet, uint64_t time_ps)
{
    uint64_t ps = mpi_progress_interrupt_ps(call->rank, packet->head.from, call->now, time_ps);
    if (!ps || packet->kind == MPI_PACKET_LAUNCH)
        return;
    mpi_call_advance(call, time_ps);
    mpi_call_charge(call, ps);
}

static MpiCall *agent_of(const MpiRequest *request)
{
    return request && request->schedule ? mpi_schedule_head(request->schedule)->agent : NULL;
}

/* The packet takes effect on the time of an agent, which works on its own, or in a call of its rank. */
static void act_for_agent(MpiCall *agent, MpiCall *call, MpiPacket *packet, uint64_t time_ps)
{
    MpiWorld *world = agent->world;
    MpiProgress by = mpi_progress_enter(agent, call, time_ps);
    mpi_packet_act(agent, packet);
    mpi_loans_settle(agent->rank);
    world->upper->operation_settle(agent);
    mpi_progress_leave(by, agent, call);
}

/* The packet waits for the rank's next call. */
static void keep(MpiRank *rank, MpiPacket *packet)
{
    MpiMailbox *mailbox = mpi_lane_mailbox(rank);
    g_queue_push_tail(&mailbox->packets, packet);
    if (!mailbox->noted)
        mpi_transfer_inbox_put(rank, &mailbox->note);
    mailbox->noted = true;
}

void mpi_packet_discard(MpiWorld *world, MpiPacket *packet)
{
    if (packet->kind == MPI_PACKET_LAUNCH && packet->lane->way == &mpi_protocol_daemon)
        mpi_daemon_unused(packet->flight);
    mpi_packet_free(world, packet);
}

static void act_in_call(MpiCall *call, MpiCall *agent, MpiPacket *packet)
{
    if (agent)
        act_for_agent(agent, call, packet, call->now);
    else
        mpi_packet_act(call, packet);
}

void mpi_packet_to_rank(MpiRank *rank, const MpiRequest *request, MpiPacket *packet, uint64_t time_ps)
{
    MpiWorld *world = rank->world;
    MpiCall *agent = agent_of(request);
    MpiProgress by = agent ? mpi_progress_of_agent(agent) : world->progress[MPI_PROGRESS_MESSAGES];
    if (rank->failed) {
        mpi_packet_discard(world, packet);
        return;
    }
    if (agent && by == MPI_PROGRESS_OFFLOAD) {
        act_for_agent(agent, NULL, packet, time_ps);
        return;
    }
    if (by != MPI_PROGRESS_INLINE) {
        mpi_worker_take(rank, by, packet, time_ps);
        return;
    }
    MpiCall *call = request ? mpi_call_receptive_for(request) : mpi_call_receptive(rank);
    mpi_call_touch_rank(rank);
    if (!call) {
        keep(rank, packet);
        return;
    }
    if (G_UNLIKELY(world->params.interrupt_ps))
        interrupt(call, packet, time_ps);
    mpi_call_advance(call, time_ps);
    act_in_call(call, agent, packet);
    mpi_call_settle(call);
}

/* Returns the request that the packet is about, at the rank that gets it. */
static const MpiRequest *request_of(const MpiPacket *packet)
{
    if (!packet->flight)
        return NULL;
    const MpiMessage *message = packet->flight->message;
    return packet->kind == MPI_PACKET_PIECE ? message->receive : message->send;
}

void mpi_protocol_note(MpiCall *call)
{
    MpiMailbox *mailbox = mpi_lane_mailbox(call->rank);
    mailbox->noted = false;
    MpiPacket *packet;
    while ((packet = g_queue_pop_head(&mailbox->packets)))
        act_in_call(call, agent_of(request_of(packet)), packet);
    mpi_posts_release(call);
}

/* -- what the network reports -------------------------------------------------------------------- */

void mpi_protocol_delivered(MpiWorld *world, uint64_t cookie, uint64_t time_ps)
{
    MpiPacket *packet = packet_of(cookie);
    mpi_tell_remote(world, MPI_TRANSFER_DELIVERED, &packet->head, time_ps, time_ps);
    if (packet->kind >= MPI_PACKET_STORE)
        mpi_daemon_delivered(world, packet, time_ps);
    else if (mpi_world_rank(world, packet->head.to)->failed)
        mpi_packet_free(world, packet);
    else if (packet->kind == MPI_PACKET_POST)
        mpi_posts_arrived(world, packet, time_ps);
    else if (packet->kind == MPI_PACKET_PIECE && !packet->flight->matched)
        packet->flight->early = packet;
    else
        mpi_packet_to_rank(mpi_world_rank(world, packet->head.to), request_of(packet), packet, time_ps);
}

void mpi_protocol_sent(MpiWorld *world, uint64_t cookie, uint64_t time_ps)
{
    MpiPacket *packet = packet_of(cookie);
    const MpiRequest *send = packet->flight->message->send;
    if (packet->kind == MPI_PACKET_STORE)
        mpi_daemon_left(world, packet, time_ps);
    else if (send && !send->owner->failed)
        mpi_transfer_sent(packet->flight->message, time_ps);
    mpi_packet_free(world, packet);
}

void mpi_protocol_alarm(MpiWorld *world, uint64_t cookie, uint64_t time_ps)
{
    MpiPacket *packet = packet_of(cookie);
    (packet->kind >= MPI_PACKET_STORE ? mpi_daemon_due : mpi_worker_due)(world, packet, time_ps);
}
