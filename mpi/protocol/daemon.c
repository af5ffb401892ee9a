/* daemon.c - a daemon on each node takes every message from its sender, and stores it until it is received.
 *
 *   sender --> its daemon --network--> the receiver's daemon --> receiver       within a node there is one daemon
 *
 * A send is complete when the daemon has the data. A daemon has a core of its own, or shares those of the ranks
 * (MpiEnv.serve); each message that it takes costs it some time, one after the other, and what follows from it comes
 * when that is over (mpi_daemon_due()). What it stores is limited:
 *
 *   soft limit   beyond it in messages from its node for others, or for its node, senders of such there wait;
 *                beyond it in messages for its node, daemons whose messages come are told to stop (STOP).
 *                When it is half of that, they may go on (GO)
 *   hard limit   beyond it in messages for its node, only control messages are taken:
 *                data that come all the same are refused (REFUSE). Their daemon keeps them, and sends them again
 *
 * What is stored before a message comes counts, so messages may be of any size. Messages can change their order on such
 * ways; the numbers of their envelopes put that right (message_order.c).
 *
 * The envelope of a message that has to wait goes ahead as a control message: of one that its sender keeps, as an RTS;
 * of one that a daemon keeps, from daemon to daemon (ENVELOPE). A receiver that finds its receive says so (WANT), and
 * no limit holds for the message then: it is as good as received. So whatever is stored, what is received comes
 * (MPI-4.1 section 3.5, progress). */
#include "mpi/core/hooks.h"
#include "mpi/protocol/protocol.h"
#include "mpi/protocol/way.h"

typedef struct Link { /* from a daemon to another */
    MpiDaemon *from, *to;
    bool stopped; /* the other has said so */
    bool told;    /* ... from the other's view: it is among those that it will tell to go on */
    GQueue out;   /* MpiPacket: what waits, in the order of the messages */
    GQueue back;  /* ids of messages that the other has refused and that have not come again, in their order. Those
                   * behind  the first are refused, too: what is stored can be received */
} Link;

struct MpiDaemon {
    uint32_t rank;    /* one of its node */
    uint64_t free_ps; /* when it has done what it has begun */
    uint64_t leaving; /* bytes stored that come from senders of its node */
    uint64_t stored;  /* and bytes for receivers of its node */
    GQueue waiting;   /* MpiFlight: senders of its node that wait for room */
    GHashTable *links;
    GPtrArray *told; /* MpiLane: a message by which each of those came that were told to stop, in that order */
};

static void link_free(void *data)
{
    Link *link = data;
    g_queue_clear(&link->out);
    g_queue_clear(&link->back);
    g_free(link);
}

void mpi_daemon_free(void *data)
{
    MpiDaemon *daemon = data;
    g_queue_clear(&daemon->waiting);
    g_hash_table_unref(daemon->links);
    g_ptr_array_unref(daemon->told);
    g_free(daemon);
}

static MpiDaemon *daemon_of(MpiWorld *world, uint32_t rank)
{
    const MpiEnv *env = &world->env;
    GHashTable *daemons = mpi_protocol_state(world)->daemons;
    gpointer node = GUINT_TO_POINTER(env->node ? env->node(env->user, rank) : 0);
    MpiDaemon *daemon = g_hash_table_lookup(daemons, node);
    if (!daemon) {
        daemon = g_new0(MpiDaemon, 1);
        daemon->rank = rank;
        g_ptr_array_add(mpi_protocol_state(world)->order, daemon);
        daemon->links = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, link_free);
        daemon->told = g_ptr_array_new();
        g_hash_table_insert(daemons, node, daemon);
    }
    return daemon;
}

static Link *link_of(MpiDaemon *from, MpiDaemon *to)
{
    Link *link = g_hash_table_lookup(from->links, to);
    if (!link) {
        link = g_new0(Link, 1);
        link->from = from;
        link->to = to;
        g_hash_table_insert(from->links, to, link);
    }
    return link;
}

/* The packet is due when the daemon has worked for so long. */
static void serve(const MpiWorld *world, MpiDaemon *daemon, MpiPacket *packet, uint64_t time_ps, uint64_t work_ps)
{
    const MpiEnv *env = &world->env;
    if (env->serve && env->serve(env->user, daemon->rank, time_ps, work_ps, mpi_packet_cookie(packet)))
        return;
    daemon->free_ps = MAX(daemon->free_ps, time_ps) + work_ps;
    mpi_packet_alarm(world, packet, daemon->free_ps);
}

/* The daemon works on something that has come. Its time for a message has in it what the network interface costs; only
 * copies take the memory of the node, too. */
static void handle_data(const MpiWorld *world, MpiDaemon *daemon, MpiPacket *packet, uint64_t time_ps, uint64_t bytes)
{
    const MpiEnv *env = &world->env;
    const MpiDaemonParams *params = &world->params.daemon;
    uint64_t from_ps = MAX(daemon->free_ps, time_ps) + params->message_ps;
    uint64_t copy_ps = mpi_call_bytes_ps(bytes, params->copy_byte_fs);
    if (G_UNLIKELY(env->copy) && bytes)
        copy_ps = env->copy(env->user, daemon->rank, bytes, from_ps, copy_ps) - from_ps;
    serve(world, daemon, packet, time_ps, params->message_ps + copy_ps);
}

/* The packet leaves when the daemon has worked for so long. */
static void tell(const MpiWorld *world, MpiDaemon *daemon, MpiPacket *packet, uint64_t time_ps, uint64_t work_ps)
{
    packet->leaves = true;
    serve(world, daemon, packet, time_ps, work_ps);
}

static uint64_t limit_of(uint64_t bytes)
{
    return bytes ? bytes : UINT64_MAX;
}

/* -- from the sender to its daemon ---------------------------------------------------------------- */

static bool is_local(const MpiFlight *flight)
{
    return daemon_of(flight->world, flight->lane->from) == daemon_of(flight->world, flight->lane->to);
}

/* The bytes in the daemon that the message would add to: those for its node, or those that leave it. */
static uint64_t stored_with(const MpiDaemon *daemon, const MpiFlight *flight)
{
    return is_local(flight) ? daemon->stored : daemon->leaving;
}

static bool take(MpiDaemon *daemon, const MpiFlight *flight)
{
    const MpiDaemonParams *params = &flight->world->params.daemon;
    uint64_t limit = limit_of(params->soft || !is_local(flight) ? params->soft : params->hard);
    if (!flight->vital && stored_with(daemon, flight) > limit)
        return false;
    daemon->leaving += flight->need;
    return true;
}

/* Gives the message to the daemon, which has room for it. */
static void give(MpiCall *call, MpiFlight *flight, MpiRequest *request)
{
    MpiWorld *world = call->world;
    MpiMessage *message = flight->message;
    uint64_t began_ps = call->now;
    bool loaded = mpi_transfer_capture(message, &request->buffer);
    mpi_call_charge(call, (request->attached ? 0 : mpi_call_copying_ps(call, 0, message->bytes)) +
                              mpi_transfer_overhead_ps(&world->params.send_overhead, message->bytes));
    message->sent_ps = call->now;
    message->rendezvous = false;
    message->from_daemon = true;
    mpi_tell_transmitted(world, call, message, MPI_PHASE_EAGER, began_ps);
    handle_data(world, flight->daemon, mpi_packet_new(world, MPI_PACKET_STORE, flight->lane, false, flight), call->now,
                message->bytes);
    flight->acknowledged = request->mode == MPI_MODE_SYNCHRONOUS;
    if (flight->acknowledged)
        return;
    request->error = loaded ? MPI_SUCCESS : MPI_ERR_BUFFER;
    mpi_flight_sent(call, flight);
}

static void launch(MpiCall *call, MpiFlight *flight)
{
    mpi_flight_release(call, flight);
    if (flight->message->send)
        give(call, flight, flight->message->send);
    else /* it has been cancelled, or has failed */
        mpi_daemon_unused(flight);
}

void mpi_daemon_unused(MpiFlight *flight)
{
    flight->daemon->leaving -= flight->need;
}

static void send(MpiCall *call, MpiFlight *flight, MpiRequest *request)
{
    MpiWorld *world = call->world;
    MpiMessage *message = flight->message;
    MpiDaemon *daemon = flight->daemon = daemon_of(world, message->from);
    flight->need = world->params.envelope_bytes + message->bytes;
    message->rendezvous = false;
    message->send = request;
    request->message = message;
    if ((flight->vital || g_queue_is_empty(&daemon->waiting)) && take(daemon, flight)) {
        give(call, flight, request);
        return;
    }
    mpi_flight_hold(call, flight, request);
    mpi_flight_push(&daemon->waiting, flight);
    message->rendezvous = true;
    flight->is_announced = true;
    call->rank->stats.controls_sent++;
    mpi_transfer_hand_over(call, message, MPI_PHASE_RTS, 0, 0, false);
}

/* Takes out what is gone with its sender, or has no send any more. */
static void forget_waiting(MpiDaemon *daemon, uint32_t rank)
{
    for (GList *at = daemon->waiting.head, *next; at; at = next) {
        MpiFlight *flight = at->data;
        next = at->next;
        if (flight->lane->from != rank || (flight->message->send && !mpi_world_rank(flight->world, rank)->failed))
            continue;
        g_queue_delete_link(&daemon->waiting, at);
        mpi_transfer_drop(flight->world, flight->message);
    }
}

void mpi_daemon_ended(MpiWorld *world, uint32_t rank)
{
    GPtrArray *daemons = mpi_protocol_state(world)->order;
    if (daemons->len)
        forget_waiting(daemon_of(world, rank), rank);
}

/* Senders of the node go on as far as there is room. */
static void let_in(MpiWorld *world, MpiDaemon *daemon, uint64_t time_ps)
{
    for (MpiFlight *flight; (flight = g_queue_peek_head(&daemon->waiting)) && take(daemon, flight);) {
        g_queue_pop_head(&daemon->waiting);
        mpi_flight_launch(NULL, flight, time_ps);
        mpi_transfer_drop(world, flight->message);
    }
}

/* A message has left the daemon. */
static void left(MpiWorld *world, MpiDaemon *daemon, uint64_t bytes, uint64_t time_ps)
{
    daemon->leaving -= bytes;
    let_in(world, daemon, time_ps);
}

/* -- between daemons ------------------------------------------------------------------------------ */

/* The data leave the sender's daemon. */
static void transmit(MpiWorld *world, MpiPacket *packet, uint64_t time_ps)
{
    packet->flight->waiting = NULL;
    mpi_packet_transmit(world, packet, packet->flight->message->bytes, time_ps, true);
}

static void pump(MpiWorld *world, Link *link, uint64_t time_ps)
{
    MpiPacket *packet;
    while (!link->stopped && (packet = g_queue_pop_head(&link->out)))
        transmit(world, packet, time_ps);
}

static gint by_message(gconstpointer a, gconstpointer b, gpointer user)
{
    const MpiPacket *x = a, *y = b;
    (void)user;
    return x->head.id < y->head.id ? -1 : x->head.id > y->head.id;
}

/* The daemon that the packet comes from, or goes to. */
static MpiDaemon *here(MpiWorld *world, const MpiPacket *packet)
{
    return daemon_of(world, packet->head.to);
}

static MpiDaemon *there(MpiWorld *world, const MpiPacket *packet)
{
    return daemon_of(world, packet->head.from);
}

/* The envelope of a message whose data wait at the sender's daemon goes ahead. */
static void announce(MpiWorld *world, MpiFlight *flight, uint64_t time_ps)
{
    if (flight->is_announced)
        return;
    flight->is_announced = true;
    MpiPacket *packet = mpi_packet_new(world, MPI_PACKET_ENVELOPE, flight->lane, false, flight);
    mpi_packet_transmit(world, packet, 0, time_ps, false);
}

/* The data have come to the sender's daemon, or back to it. */
static void put_out(MpiWorld *world, Link *link, MpiPacket *packet, uint64_t time_ps)
{
    MpiFlight *flight = packet->flight;
    if (flight->wanted || flight->vital) {
        transmit(world, packet, time_ps);
        return;
    }
    flight->waiting = packet;
    g_queue_insert_sorted(&link->out, packet, by_message, NULL);
    if (link->stopped)
        announce(world, flight, time_ps);
    pump(world, link, time_ps);
}

static void stop(MpiWorld *world, Link *link, uint64_t time_ps)
{
    link->stopped = true;
    for (const GList *at = link->out.head; at; at = at->next)
        announce(world, ((const MpiPacket *)at->data)->flight, time_ps);
}

/* A receiver wants the message: no limit holds for it any more. */
static void want(MpiWorld *world, MpiFlight *flight, Link *link, uint64_t time_ps)
{
    MpiPacket *packet = flight->waiting;
    flight->wanted = true;
    if (packet) {
        g_queue_remove(&link->out, packet);
        transmit(world, packet, time_ps);
    } else if (flight->held && g_queue_remove(&link->from->waiting, flight)) {
        link->from->leaving += flight->need;
        mpi_flight_launch(NULL, flight, time_ps);
        mpi_transfer_drop(world, flight->message);
    }
}

/* Will tell the other daemon when it may go on. */
static bool note_told(Link *link, MpiLane *lane)
{
    if (link->told)
        return false;
    link->told = true;
    g_ptr_array_add(link->to->told, lane);
    return true;
}

static gint by_id(gconstpointer a, gconstpointer b, gpointer user)
{
    (void)user;
    return GPOINTER_TO_SIZE(a) < GPOINTER_TO_SIZE(b) ? -1 : GPOINTER_TO_SIZE(a) > GPOINTER_TO_SIZE(b);
}

/* Whether the message is taken. */
static bool accepts(Link *link, const MpiFlight *flight, uint64_t hard)
{
    uint64_t id = flight->message->id;
    gpointer name = GSIZE_TO_POINTER(id);
    GList *again = g_queue_find(&link->back, name);
    bool behind = link->back.head && GPOINTER_TO_SIZE(link->back.head->data) < id;
    if (!flight->wanted && !flight->vital && (behind || link->to->stored > limit_of(hard))) {
        if (!again)
            g_queue_insert_sorted(&link->back, name, by_id, NULL);
        return false;
    }
    if (again)
        g_queue_delete_link(&link->back, again);
    return true;
}

/* Tells others to go on, if enough is free. */
static void let_go(MpiWorld *world, MpiDaemon *daemon, uint64_t time_ps)
{
    const MpiDaemonParams *params = &world->params.daemon;
    if (daemon->stored > (params->soft ? params->soft : params->hard) / 2)
        return;
    for (guint i = 0; i < daemon->told->len; i++) {
        MpiLane *lane = g_ptr_array_index(daemon->told, i);
        link_of(daemon_of(world, lane->from), daemon)->told = false;
        MpiPacket *packet = mpi_packet_new(world, MPI_PACKET_GO, lane, true, NULL);
        tell(world, daemon, packet, time_ps, params->message_ps);
    }
    g_ptr_array_set_size(daemon->told, 0);
}

static void keep(MpiDaemon *daemon, MpiFlight *flight)
{
    daemon->stored += flight->need;
    mpi_lane_mailbox(mpi_world_rank(flight->world, flight->lane->to))->stored += flight->need;
    flight->daemon = daemon;
}

/* A message comes to the receiver's daemon. */
static void store(MpiWorld *world, MpiPacket *packet, uint64_t time_ps)
{
    const MpiDaemonParams *params = &world->params.daemon;
    MpiDaemon *daemon = here(world, packet);
    Link *link = link_of(there(world, packet), daemon);
    MpiFlight *flight = packet->flight;
    if (!accepts(link, flight, params->hard)) {
        note_told(link, packet->lane);
        MpiPacket *refusal = mpi_packet_new(world, MPI_PACKET_REFUSE, packet->lane, true, flight);
        tell(world, daemon, refusal, time_ps, params->message_ps);
        if (!flight->is_announced) {
            flight->is_announced = true;
            serve(world, daemon, mpi_packet_new(world, MPI_PACKET_ENVELOPE, packet->lane, false, flight), time_ps, 0);
        }
        mpi_packet_free(world, packet);
        let_go(world, daemon, time_ps); /* it came behind one that was refused, and there may be room by now */
        return;
    }
    keep(daemon, flight);
    packet->stored = true;
    handle_data(world, daemon, packet, time_ps, flight->message->bytes);
    if (daemon->stored > limit_of(params->soft) && note_told(link, packet->lane))
        tell(world, daemon, mpi_packet_new(world, MPI_PACKET_STOP, packet->lane, true, NULL), time_ps, 0);
}

void mpi_daemon_delivered(MpiWorld *world, MpiPacket *packet, uint64_t time_ps)
{
    if (packet->kind == MPI_PACKET_STORE) {
        store(world, packet, time_ps);
        return;
    }
    MpiDaemon *daemon = here(world, packet);
    Link *link = link_of(daemon, there(world, packet));
    if (packet->kind == MPI_PACKET_STOP || packet->kind == MPI_PACKET_REFUSE)
        stop(world, link, time_ps);
    else if (packet->kind == MPI_PACKET_GO)
        link->stopped = false;
    if (packet->kind == MPI_PACKET_REFUSE) {
        daemon->leaving += packet->flight->need;
        put_out(world, link, mpi_packet_new(world, MPI_PACKET_STORE, packet->lane, false, packet->flight), time_ps);
    }
    packet->leaves = false;
    serve(world, daemon, packet, time_ps, world->params.daemon.message_ps);
}

void mpi_daemon_left(MpiWorld *world, const MpiPacket *packet, uint64_t time_ps)
{
    left(world, there(world, packet), packet->flight->need, time_ps);
}

/* -- from the receiver's daemon to the receiver ---------------------------------------------------- */

/* The receiver's daemon has got rid of a message. */
static void received(MpiWorld *world, MpiDaemon *daemon, uint32_t rank, uint64_t bytes, uint64_t time_ps)
{
    daemon->stored -= bytes;
    mpi_lane_mailbox(mpi_world_rank(world, rank))->stored -= bytes;
    let_go(world, daemon, time_ps);
    const MpiFlight *next = g_queue_peek_head(&daemon->waiting);
    if (next) /* not at once: a call of this rank may be at work */
        mpi_packet_alarm(world, mpi_packet_new(world, MPI_PACKET_ROOM, next->lane, true, NULL), time_ps);
}

static void lost(MpiWorld *world, MpiFlight *flight, uint64_t time_ps)
{
    if (flight->stored)
        received(world, flight->daemon, flight->lane->to, flight->need, time_ps);
    flight->stored = false;
}

void mpi_daemon_forget(MpiWorld *world, uint32_t rank, uint64_t time_ps)
{
    MpiMailbox *mailbox = mpi_lane_mailbox(mpi_world_rank(world, rank));
    if (mailbox->stored)
        received(world, daemon_of(world, rank), rank, mailbox->stored, time_ps);
}

/* Gives a phase of the message to its receiver. */
static void bring(MpiWorld *world, MpiMessage *message, MpiPhase phase, uint64_t time_ps)
{
    message->refs++;
    mpi_world_delivered(world, (uint64_t)(uintptr_t)message | phase | MPI_COOKIE_UNREPORTED, time_ps);
}

/* The receiver's daemon has the data. */
static void hand_out(MpiWorld *world, MpiFlight *flight, uint64_t time_ps)
{
    MpiMessage *message = flight->message;
    const MpiRank *rank = mpi_world_rank(world, message->to);
    bool ended = flight->matched && !message->receive;
    flight->stored = true;
    if (rank->failed || rank->exited || message->cancelled || flight->gone || ended)
        lost(world, flight, time_ps);
    if (!flight->is_announced)
        bring(world, message, MPI_PHASE_EAGER, time_ps);
    else if (flight->matched && message->receive)
        bring(world, message, MPI_PHASE_DATA, time_ps);
    else
        flight->here_whole = true;
}

/* A daemon has done what a message asks of it. */
static void pass_on(MpiWorld *world, MpiPacket *packet, uint64_t time_ps)
{
    MpiFlight *flight = packet->flight;
    MpiDaemon *to = here(world, packet);
    if (!packet->stored && flight->daemon != to) {
        put_out(world, link_of(flight->daemon, to), packet, time_ps);
        return;
    }
    if (!packet->stored) { /* sender and receiver have the same one */
        keep(to, flight);
        left(world, to, flight->need, time_ps);
    }
    hand_out(world, flight, time_ps);
    mpi_packet_free(world, packet);
}

void mpi_daemon_due(MpiWorld *world, MpiPacket *packet, uint64_t time_ps)
{
    if (packet->kind == MPI_PACKET_STORE) {
        pass_on(world, packet, time_ps);
    } else if (packet->leaves) {
        mpi_packet_transmit(world, packet, 0, time_ps, false);
    } else if (packet->kind == MPI_PACKET_ROOM) {
        let_in(world, here(world, packet), time_ps);
        mpi_packet_free(world, packet);
    } else if (packet->kind == MPI_PACKET_ENVELOPE) {
        bring(world, packet->flight->message, MPI_PHASE_RTS, time_ps);
        mpi_packet_free(world, packet);
    } else if (packet->kind == MPI_PACKET_WANT) {
        want(world, packet->flight, link_of(here(world, packet), there(world, packet)), time_ps);
        mpi_packet_free(world, packet);
    } else { /* it has been told something */
        pump(world, link_of(here(world, packet), there(world, packet)), time_ps);
        mpi_packet_free(world, packet);
    }
}

/* The envelope of a message whose data wait elsewhere has found its receive. */
static void ask(MpiCall *call, MpiFlight *flight)
{
    MpiMessage *message = flight->message;
    uint64_t began_ps = call->now;
    mpi_call_charge(call, mpi_protocol_receive_ps(call, 0) + mpi_protocol_match_ps(call, message));
    mpi_tell_handled(call->world, call, message, began_ps);
    flight->matched = true;
    mpi_packet_send(call, mpi_packet_new(call->world, MPI_PACKET_WANT, flight->lane, true, flight), 0, 0, false);
}

static void handle(MpiCall *call, MpiFlight *flight)
{
    if (flight->message->phase == MPI_PHASE_RTS && flight->here_whole)
        flight->message->phase = MPI_PHASE_EAGER;
    if (flight->message->phase == MPI_PHASE_RTS) {
        ask(call, flight);
        return;
    }
    MpiWorld *world = call->world;
    MpiDaemon *daemon = flight->daemon;
    uint64_t need = flight->stored ? flight->need : 0;
    uint32_t rank = call->rank->index;
    flight->stored = false;
    MpiPacket *packet =
        flight->acknowledged ? mpi_packet_new(world, MPI_PACKET_WRITTEN, flight->lane, true, flight) : NULL;
    mpi_flight_handle(call, flight); /* the flight may be gone */
    if (packet)
        mpi_packet_send(call, packet, 0, 0, false);
    received(world, daemon, rank, need, call->now);
}

void mpi_daemon_explain(MpiWorld *world, const MpiFlight *flight, GString *out)
{
    uint32_t rank = flight->lane->from;
    const MpiEnv *env = &world->env;
    const MpiDaemonParams *params = &world->params.daemon;
    const MpiDaemon *daemon = daemon_of(world, rank);
    g_string_append(out, "  the daemon");
    if (env->node_name)
        g_string_append_printf(out, " of %s", env->node_name(env->user, rank));
    g_string_append_printf(out,
                           " stores %" G_GUINT64_FORMAT " bytes of messages %s its ranks that %s do not receive: "
                           "protocol.daemon-soft-limit is %" G_GUINT64_FORMAT
                           ", protocol.daemon-hard-limit %" G_GUINT64_FORMAT " bytes\n",
                           stored_with(daemon, flight), is_local(flight) ? "for" : "from",
                           is_local(flight) ? "they" : "others", params->soft, params->hard);
}

static void describe(const MpiFlight *flight, GString *out)
{
    if (flight->held)
        g_string_append_printf(out,
                               " (the daemon of its node has no room: %" G_GUINT64_FORMAT
                               " bytes are stored, the soft limit is %" G_GUINT64_FORMAT ")",
                               stored_with(flight->daemon, flight), flight->world->params.daemon.soft);
    else
        g_string_append(out, " (its daemon has it)");
}

const MpiProtocolWay mpi_protocol_daemon = {
    .send = send, .launch = launch, .handle = handle, .lost = lost, .describe = describe};
