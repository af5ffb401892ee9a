/* eager.c - eager sends, as far as their receiver has room.
 *
 *   credits   bytes that the receiver keeps free for each sender. A message takes its envelope and its data of them.
 * What the receiver has copied out, it frees; it tells that with its next message to the sender, or, when half of the
 * credits are to be told, by a control message (CREDIT) pool      bytes that it keeps free for all. A sender asks for
 * room for what waits (ASK), and the receiver gives it, first come first served (GRANT)
 *
 * A message without room waits, and those behind it, too, so that nothing overtakes. A message needs at most half of
 * the credits, or goes by rendezvous; so when all that was sent has been copied out, there is room for the next. */
#include "mpi/protocol/protocol.h"
#include "mpi/protocol/way.h"

static bool is_limited(const MpiProtocolParams *params)
{
    return params->credits || params->pool;
}

/* Whether a message of this size may be buffered at all. */
static bool fits(const MpiProtocolParams *params, uint64_t need)
{
    return (!params->credits || 2 * need <= params->credits) && (!params->pool || need <= params->pool);
}

/* Whether the rank is a process that a message starts (MPI_Comm_spawn): that message cannot wait for room. */
static bool is_called(const MpiWorld *world, uint32_t rank)
{
    return rank >= world->n_first && mpi_world_rank(world, rank)->state == MPI_RANK_STARTED;
}

/* -- the sender ---------------------------------------------------------------------------------- */

/* Takes room for the message. Returns false if there is not enough. */
static bool take(MpiLane *lane, uint64_t need)
{
    uint64_t *room = lane->params->credits ? &lane->credits : &lane->granted;
    if (*room < need)
        return false;
    *room -= need;
    return true;
}

static void launch(MpiCall *call, MpiFlight *flight)
{
    MpiMessage *message = flight->message;
    MpiRequest *request = message->send;
    mpi_flight_release(call, flight);
    if (!request) { /* cancelled, or its receiver has failed; the numbers of envelopes need it all the same */
        if (message->rendezvous || message->cancelled)
            mpi_transfer_hand_over(call, message, MPI_PHASE_RTS, 0, 0, false);
        return;
    }
    message->send = NULL; /* as at its beginning */
    request->message = NULL;
    mpi_flight_collect(flight);
    mpi_flight_send(call, flight, request);
}

/* Asks for room in the pool: for what waits, up to a quarter of the pool, but for the first message in any case. */
static void ask(MpiCall *call, MpiLane *lane)
{
    uint64_t bytes = 0;
    for (const GList *at = lane->waiting.head; at; at = at->next) {
        const MpiFlight *flight = at->data;
        if (bytes && bytes + flight->need > lane->params->pool / 4)
            break;
        bytes += flight->need;
    }
    if (!lane->params->pool || lane->asked || !bytes)
        return;
    lane->asked = true;
    MpiPacket *packet = mpi_packet_new(call->world, MPI_PACKET_ASK, lane, false, NULL);
    packet->amount = bytes;
    mpi_packet_send(call, packet, 0, 0, false);
}

void mpi_eager_go_on(MpiCall *call, MpiLane *lane)
{
    for (MpiFlight *flight; (flight = g_queue_peek_head(&lane->waiting)) && take(lane, flight->need);) {
        g_queue_pop_head(&lane->waiting);
        mpi_flight_launch(call, flight, call->now);
        mpi_transfer_drop(call->world, flight->message);
    }
    ask(call, lane);
}

static void send(MpiCall *call, MpiFlight *flight, MpiRequest *request)
{
    MpiLane *lane = flight->lane;
    MpiMessage *message = flight->message;
    uint64_t need = call->world->params.envelope_bytes + message->bytes;
    message->rendezvous = !mpi_flight_is_short(flight, request) || !fits(lane->params, need);
    if (is_limited(lane->params) && !message->rendezvous && !is_called(call->world, message->to))
        flight->need = need;
    if (g_queue_is_empty(&lane->waiting) && take(lane, flight->need)) {
        mpi_flight_collect(flight);
        mpi_flight_send(call, flight, request);
        return;
    }
    mpi_flight_hold(call, flight, request);
    mpi_flight_push(&lane->waiting, flight);
    ask(call, lane);
}

void mpi_eager_credits(MpiCall *call, const MpiPacket *packet)
{
    MpiLane *lane = packet->lane;
    mpi_packet_charge(call, packet, mpi_protocol_receive_ps(call, 0));
    if (packet->kind == MPI_PACKET_GRANT) {
        lane->granted += packet->amount;
        lane->asked = false;
    } else {
        lane->credits += packet->amount;
    }
    mpi_eager_go_on(call, lane);
}

void mpi_protocol_brought(MpiWorld *world, const MpiMessage *message, uint64_t time_ps)
{
    MpiFlight *flight = mpi_flight_of(message);
    if (flight && flight->need && message->cancelled) { /* the envelope has taken room for nothing */
        MpiPacket *packet = mpi_packet_new(world, MPI_PACKET_RETURN, flight->lane, false, NULL);
        packet->amount = flight->need;
        flight->need = 0;
        mpi_packet_to_rank(mpi_world_rank(world, message->to), NULL, packet, time_ps);
    }
    if (!flight || !flight->credits)
        return;
    MpiLane *lane = mpi_lane_of(world, message->to, message->from);
    lane->credits += flight->credits;
    flight->credits = 0;
    if (g_queue_is_empty(&lane->waiting))
        return;
    MpiPacket *packet = mpi_packet_new(world, MPI_PACKET_LAUNCH, lane, true, NULL);
    mpi_packet_to_rank(mpi_world_rank(world, lane->from), NULL, packet, time_ps);
}

static void describe(const MpiFlight *flight, GString *out)
{
    const MpiLane *lane = flight->lane;
    const MpiProtocolParams *params = lane->params;
    uint64_t threshold = params->threshold ? params->threshold : flight->world->ranks[lane->from].eager_limit;
    if (flight->held && params->credits)
        g_string_append_printf(out,
                               " (no credits: %" G_GUINT64_FORMAT " of the %" G_GUINT64_FORMAT
                               " bytes that rank %u buffers for this one are in use)",
                               params->credits - lane->credits, params->credits, lane->to);
    else if (flight->held)
        g_string_append_printf(out, " (the pool of %" G_GUINT64_FORMAT " bytes of rank %u has no room)", params->pool,
                               lane->to);
    else
        g_string_append_printf(out, " (longer than the eager limit of %" G_GUINT64_FORMAT " bytes)", threshold);
}

/* -- the receiver -------------------------------------------------------------------------------- */

/* Gives room to those who have asked for it. */
static void serve(MpiCall *call, MpiMailbox *mailbox, MpiPath path, uint64_t pool)
{
    for (MpiPacket *asked; (asked = g_queue_peek_head(&mailbox->asks[path]));) {
        if (asked->amount > pool - mailbox->pool[path])
            return;
        g_queue_pop_head(&mailbox->asks[path]);
        mailbox->pool[path] += asked->amount;
        MpiPacket *grant = mpi_packet_new(call->world, MPI_PACKET_GRANT, asked->lane, true, NULL);
        grant->amount = asked->amount;
        mpi_packet_free(call->world, asked);
        mpi_packet_send(call, grant, 0, 0, false);
    }
}

void mpi_eager_asked(MpiCall *call, const MpiPacket *packet)
{
    MpiMailbox *mailbox = mpi_lane_mailbox(call->rank);
    MpiPath path = packet->lane->path;
    MpiPacket *kept = mpi_packet_new(call->world, MPI_PACKET_LAUNCH, packet->lane, true, NULL);
    kept->amount = packet->amount;
    mpi_packet_charge(call, packet, mpi_protocol_receive_ps(call, 0));
    g_queue_push_tail(&mailbox->asks[path], kept);
    serve(call, mailbox, path, packet->lane->params->pool);
}

/* A message has been copied out. */
static void give_back(MpiCall *call, MpiLane *lane, uint64_t need)
{
    const MpiProtocolParams *params = lane->params;
    MpiMailbox *mailbox = mpi_lane_mailbox(call->rank);
    if (params->pool) {
        mailbox->pool[lane->path] -= need;
        serve(call, mailbox, lane->path, params->pool);
        return;
    }
    lane->freed += need;
    if (2 * lane->freed < params->credits)
        return;
    MpiPacket *packet = mpi_packet_new(call->world, MPI_PACKET_CREDIT, lane, true, NULL);
    packet->amount = lane->freed;
    lane->freed = 0;
    mpi_packet_send(call, packet, 0, 0, false);
}

void mpi_eager_returned(MpiCall *call, const MpiPacket *packet)
{
    give_back(call, packet->lane, packet->amount);
}

static void handle(MpiCall *call, MpiFlight *flight)
{
    MpiLane *lane = flight->lane;
    uint64_t need = flight->need;
    mpi_flight_handle(call, flight); /* the flight may be gone */
    if (need)
        give_back(call, lane, need);
}

const MpiProtocolWay mpi_protocol_eager = {.send = send, .launch = launch, .handle = handle, .describe = describe};
