/* eager.c - eager sends, as far as their receiver has room.
 *
 *   credits   bytes that the receiver keeps free for each sender. A message takes its envelope and its data of them.
 *             What the receiver has copied out, it frees; it tells that with its next message to the sender, or, when
 *             half of the credits are to be told, by a control message (CREDIT)
 *   pool      bytes that it keeps free for all. A sender asks for room for what waits (ASK); the receiver gives it
 *             (GRANT), or says that there is none (DENY)
 *
 * A message that gets no room waits for its receive: it goes by rendezvous. So its envelope comes, whatever is stored
 * before it, and whoever wants it gets it (MPI-4.1 section 3.5, progress). A message that needs more than half of the
 * credits always does so. */
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

/* The message waits for its receive. */
static void go_by_rendezvous(MpiCall *call, MpiFlight *flight, MpiRequest *request)
{
    flight->need = 0;
    flight->message->rendezvous = true;
    mpi_flight_collect(flight);
    mpi_flight_send(call, flight, request);
}

/* The message takes the room that it has been given, if any. */
static void use_grant(MpiFlight *flight)
{
    if (flight->denied)
        flight->need = 0;
    flight->lane->given -= flight->need;
}

/* The receiver has answered: there is room, or none. */
static void launch(MpiCall *call, MpiFlight *flight)
{
    MpiMessage *message = flight->message;
    MpiRequest *request = message->send;
    if (!request) { /* it was cancelled or has failed; the numbers of envelopes need it all the same */
        use_grant(flight);
        flight->held = false;
        message->cancelled = true;
        mpi_transfer_hand_over(call, message, MPI_PHASE_RTS, 0, 0, false);
        return;
    }
    message->send = NULL; /* as at its beginning */
    request->message = NULL;
    if (flight->denied) {
        go_by_rendezvous(call, flight, request);
        return;
    }
    use_grant(flight);
    mpi_flight_release(call, flight);
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
    if (lane->asked || !bytes)
        return;
    lane->asked = bytes;
    MpiPacket *packet = mpi_packet_new(call->world, MPI_PACKET_ASK, lane, false, NULL);
    packet->amount = bytes;
    mpi_packet_send(call, packet, 0, 0, false);
}

/* The receiver has answered: so many bytes of what waits may go, or wait for their receives. */
static void answered(MpiCall *call, MpiLane *lane, uint64_t bytes, bool denied)
{
    lane->asked = 0;
    for (MpiFlight *flight; bytes && (flight = g_queue_pop_head(&lane->waiting));) {
        g_assert(flight->need <= bytes);
        bytes -= flight->need;
        flight->denied = denied;
        mpi_flight_launch(call, flight, call->now);
        mpi_transfer_drop(call->world, flight->message);
    }
    ask(call, lane);
}

static void send(MpiCall *call, MpiFlight *flight, MpiRequest *request)
{
    MpiLane *lane = flight->lane;
    const MpiProtocolParams *params = lane->params;
    MpiMessage *message = flight->message;
    uint64_t need = call->world->params.envelope_bytes + message->bytes;
    message->rendezvous = !mpi_flight_is_short(flight, request) || !fits(params, need);
    if (is_limited(params) && !message->rendezvous && !flight->vital && !is_called(call->world, message->to))
        flight->need = need;
    if (flight->need && params->pool) {
        mpi_flight_hold(call, flight, request);
        mpi_flight_push(&lane->waiting, flight);
        ask(call, lane);
    } else if (flight->need > lane->credits) {
        mpi_flight_hold(call, flight, request);
        go_by_rendezvous(call, flight, request);
    } else {
        lane->credits -= flight->need;
        mpi_flight_collect(flight);
        mpi_flight_send(call, flight, request);
    }
}

void mpi_eager_credits(MpiCall *call, const MpiPacket *packet)
{
    MpiLane *lane = packet->lane;
    mpi_packet_charge(call, packet, mpi_protocol_receive_ps(call, 0));
    if (packet->kind == MPI_PACKET_CREDIT)
        lane->credits += packet->amount;
    else
        answered(call, lane, packet->amount, packet->kind == MPI_PACKET_DENY);
}

void mpi_eager_brought(MpiWorld *world, MpiFlight *flight)
{
    if (!flight->credits)
        return;
    mpi_lane_of(world, flight->lane->to, flight->lane->from)->credits += flight->credits;
    flight->credits = 0;
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

void mpi_eager_asked(MpiCall *call, const MpiPacket *packet)
{
    MpiLane *lane = packet->lane;
    uint64_t *used = &mpi_lane_mailbox(call->rank)->pool[lane->path];
    bool lives = !mpi_world_rank(call->world, lane->from)->failure_known;
    bool room = lives && packet->amount <= lane->params->pool - *used;
    mpi_packet_charge(call, packet, mpi_protocol_receive_ps(call, 0));
    if (room) {
        *used += packet->amount;
        lane->given += packet->amount;
    }
    MpiPacket *answer = mpi_packet_new(call->world, room ? MPI_PACKET_GRANT : MPI_PACKET_DENY, lane, true, NULL);
    answer->amount = packet->amount;
    mpi_packet_send(call, answer, 0, 0, false);
}

/* A message has been copied out. */
static void give_back(MpiCall *call, MpiLane *lane, uint64_t need)
{
    const MpiProtocolParams *params = lane->params;
    if (params->pool) {
        mpi_lane_mailbox(call->rank)->pool[lane->path] -= need;
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

void mpi_eager_forget(MpiLane *lane, MpiMailbox *mailbox)
{
    mailbox->pool[lane->path] -= lane->given;
    lane->given = 0;
}

/* Costs nothing, and is told with the next that is freed. */
static void lost(MpiWorld *world, MpiFlight *flight, uint64_t time_ps)
{
    MpiLane *lane = flight->lane;
    (void)time_ps;
    if (lane->params->pool)
        mpi_lane_mailbox(mpi_world_rank(world, lane->to))->pool[lane->path] -= flight->need;
    else
        lane->freed += flight->need;
    flight->need = 0;
}

static void handle(MpiCall *call, MpiFlight *flight)
{
    MpiLane *lane = flight->lane;
    uint64_t need = flight->need;
    flight->need = 0;
    if (flight->message->phase == MPI_PHASE_CTS)
        mpi_flight_release(call, flight);
    mpi_flight_handle(call, flight); /* the flight may be gone */
    if (need)
        give_back(call, lane, need);
}

const MpiProtocolWay mpi_protocol_eager = {
    .send = send, .launch = launch, .handle = handle, .lost = lost, .describe = describe};
