/* workers.c - messages of protocols that a communication thread or the network interface handles, and not the rank.
 *
 * What such a worker does next depends on the protocol: it answers, sends what has waited, posts what was held, each at
 * its own cost. So how long something takes shows only when it is done. It is done in the simulation as soon as it is
 * clear when the worker begins with it; the worker's clock is then *ahead*. What leaves has the time of that clock.
 * What the program can see, data in its buffer and complete sends, waits for that time (alarms).
 *
 *      arrival --> begins (free, and with a core) --> charged, answers leave at later times --> free again
 *                                                      +---> alarm: data are delivered, the send is complete
 *
 * A network interface is charged with matching and copies alone, a thread with all that a rank would be. */
#include "mpi/core/hooks.h"
#include "mpi/protocol/protocol.h"
#include "mpi/protocol/way.h"

static const MpiRequest *request_of(const MpiPacket *packet)
{
    return packet->flight ? packet->flight->message->send : NULL;
}

/* Data of the rank may be read: it has run ahead to where it is in every run, and computes on. */
static void still(MpiRank *rank, const MpiPacket *packet)
{
    const MpiEnv *env = &rank->world->env;
    bool comes =
        packet->kind == MPI_PACKET_PIECE || (packet->kind == MPI_PACKET_PHASE && packet->phase != MPI_PHASE_CTS);
    if (!comes && env->still && !mpi_call_receptive(rank))
        env->still(env->user, rank->index);
}

/* Returns the time of the interface for what has come. */
static uint64_t offload_ps(MpiRank *rank, const MpiPacket *packet, uint64_t time_ps)
{
    const MpiRequest *send = request_of(packet);
    uint64_t bytes = 0, ps = 0;
    switch (packet->kind) {
    case MPI_PACKET_PHASE: return mpi_progress_offload_ps(rank, packet->flight->message, packet->found, time_ps);
    case MPI_PACKET_PIECE: {
        const MpiRequest *receive = packet->flight->message->receive;
        bytes = receive && !mpi_transfer_is_flat(&receive->buffer) ? packet->amount : 0;
        break;
    }
    case MPI_PACKET_POST: ps = rank->world->params.match_ps; /* fall through */
    case MPI_PACKET_ACKNOWLEDGE:
    case MPI_PACKET_LAUNCH:
        if (send && !mpi_transfer_is_flat(&send->buffer))
            bytes = MIN(packet->lane->params->chunk, packet->flight->message->bytes - packet->flight->moved);
        break;
    default: break;
    }
    return ps + mpi_call_bytes_ps(bytes, rank->world->params.copy_byte_fs);
}

/* The time of the interrupt by which a thread that waits learns of what has come. */
static uint64_t interrupt_ps(const MpiRank *rank, const MpiPacket *packet, uint64_t time_ps)
{
    bool silent = packet->kind == MPI_PACKET_LAUNCH ||
                  (packet->kind == MPI_PACKET_PHASE && (packet->found || packet->flight->message->from_daemon));
    if (silent)
        return 0;
    uint32_t other = packet->head.from == rank->index ? packet->head.to : packet->head.from;
    return mpi_progress_interrupt_ps(rank, other, mpi_progress_free_ps(rank, MPI_PROGRESS_THREAD), time_ps);
}

/* Lets the rank's worker do what the packet asks for. Returns when it has done that. */
static uint64_t work(MpiRank *rank, MpiPacket *packet, uint64_t time_ps)
{
    MpiProgress by = packet->by;
    if (rank->failed || rank->exited) {
        mpi_packet_discard(rank->world, packet);
        return time_ps;
    }
    bool thread = by == MPI_PROGRESS_THREAD;
    uint64_t ps = thread ? interrupt_ps(rank, packet, time_ps) : offload_ps(rank, packet, time_ps);
    still(rank, packet);
    MpiCall *worker = mpi_progress_begin(rank, by, time_ps, ps);
    mpi_packet_act(worker, packet);
    mpi_posts_release(worker);
    mpi_progress_end(worker, by);
    return worker->now;
}

void mpi_worker_take(MpiRank *rank, MpiProgress by, MpiPacket *packet, uint64_t time_ps)
{
    const MpiEnv *env = &rank->world->env;
    packet->by = by;
    packet->owner = rank->index;
    bool waits = by == MPI_PROGRESS_THREAD && env->begin_work &&
                 env->begin_work(env->user, rank->index, time_ps, mpi_packet_cookie(packet));
    if (!waits)
        work(rank, packet, time_ps);
}

uint64_t mpi_protocol_work(MpiWorld *world, uint64_t cookie, uint64_t time_ps)
{
    MpiPacket *packet = (MpiPacket *)(uintptr_t)(cookie & ~MPI_COOKIE_BITS);
    return work(mpi_world_rank(world, packet->owner), packet, time_ps);
}

void mpi_protocol_hand_over(MpiRank *rank, MpiProgress by, MpiMessage *message, bool found, uint64_t time_ps)
{
    MpiFlight *flight = mpi_flight_of(message);
    MpiPacket *packet = mpi_packet_new(rank->world, MPI_PACKET_PHASE, flight->lane, false, flight);
    if (flight->here_whole) /* what has found its receive is not only an envelope */
        message->phase = MPI_PHASE_EAGER;
    packet->phase = message->phase;
    packet->found = found;
    mpi_worker_take(rank, by, packet, time_ps);
}

void mpi_worker_phase(MpiCall *worker, const MpiPacket *packet)
{
    MpiMessage *message = packet->flight->message;
    message->phase = packet->phase;
    if (message->phase == MPI_PHASE_CTS ? message->send : message->receive)
        mpi_protocol_handle(worker, message);
    else { /* it has ended because a process has failed */
        if (message->phase != MPI_PHASE_CTS)
            mpi_protocol_lost(worker->world, message, worker->now);
        mpi_transfer_drop(worker->world, message);
    }
}

bool mpi_worker_is_for(const MpiCall *worker, const MpiRequest *request)
{
    MpiCall *agent = request && request->schedule ? mpi_schedule_head(request->schedule)->agent : NULL;
    return !agent || (!worker->engine.prepaid && mpi_progress_of_agent(agent) == MPI_PROGRESS_THREAD);
}

/* -- what the program sees ------------------------------------------------------------------------ */

void mpi_protocol_defer(const MpiCall *agent, MpiMessage *message, bool send)
{
    MpiFlight *flight = mpi_flight_of(message);
    MpiPacketKind kind = send ? MPI_PACKET_COMPLETE : MPI_PACKET_DELIVER;
    mpi_packet_alarm(agent->world, mpi_packet_new(agent->world, kind, flight->lane, send, flight), agent->now);
}

void mpi_worker_due(MpiWorld *world, MpiPacket *packet, uint64_t time_ps)
{
    MpiMessage *message = packet->flight->message;
    MpiRank *rank = mpi_world_rank(world, packet->head.to);
    bool send = packet->kind == MPI_PACKET_COMPLETE, lives = !rank->failed && !rank->exited;
    if (send && message->send && lives) {
        mpi_transfer_sent(message, time_ps);
    } else if (!send && message->receive && lives) {
        message->phase = MPI_PHASE_DATA;
        message->item.paid = true;
        mpi_progress_take(rank, message->receive, message, time_ps);
    } else if (!send && !message->receive) {
        mpi_transfer_drop(world, message);
    }
    mpi_packet_free(world, packet);
}
