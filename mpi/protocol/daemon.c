/* daemon.c - a daemon on each node takes every message from its sender, and stores it until it is received.
 *
 *   sender --> its daemon --network--> the receiver's daemon --> receiver       within a node there is one daemon
 *
 * A send is complete when the daemon has the data. A daemon has a core of its own, or shares those of the ranks
 * (MpiEnv.serve); each message that it takes costs it some time, one after the other, and what follows from it comes
 * when that is over (mpi_daemon_due()). What it stores is limited:
 *
 *   soft limit   beyond it in messages from its node, senders there wait;
 *                beyond it in messages for its node, daemons whose messages come are told to stop (STOP).
 *                When it is half of that, they may go on (GO)
 *   hard limit   beyond it in messages for its node, only control messages are taken:
 *                data that come all the same are refused (REFUSE). Their daemon keeps them, and sends them again
 *
 * What is stored before a message comes counts, so messages may be of any size. Messages can change their order on such
 * ways; the numbers of their envelopes put that right (message_order.c). */
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

static bool take(const MpiWorld *world, MpiDaemon *daemon, uint64_t need)
{
    if (daemon->leaving > limit_of(world->params.daemon.soft))
        return false;
    daemon->leaving += need;
    return true;
}

/* The daemon takes the message; of one that was cancelled, the envelope alone. */
static uint64_t bytes_of(const MpiMessage *message)
{
    return message->cancelled ? 0 : message->bytes;
}

static void hand_in(MpiWorld *world, MpiFlight *flight, uint64_t time_ps)
{
    MpiPacket *packet = mpi_packet_new(world, MPI_PACKET_STORE, flight->lane, false, flight);
    flight->message->from_daemon = true;
    handle_data(world, flight->daemon, packet, time_ps, bytes_of(flight->message));
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
    mpi_tell_transmitted(world, call, message, MPI_PHASE_EAGER, began_ps);
    hand_in(world, flight, call->now);
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
    else if (flight->message->cancelled) /* the numbers of envelopes need it all the same */
        hand_in(call->world, flight, call->now);
    else /* its receiver has failed */
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
    if (g_queue_is_empty(&daemon->waiting) && take(world, daemon, flight->need)) {
        give(call, flight, request);
        return;
    }
    mpi_flight_hold(call, flight, request);
    mpi_flight_push(&daemon->waiting, flight);
}

/* A message has left the daemon. */
static void left(MpiWorld *world, MpiDaemon *daemon, uint64_t bytes, uint64_t time_ps)
{
    daemon->leaving -= bytes;
    for (MpiFlight *flight; (flight = g_queue_peek_head(&daemon->waiting)) && take(world, daemon, flight->need);) {
        g_queue_pop_head(&daemon->waiting);
        mpi_flight_launch(NULL, flight, time_ps);
        mpi_transfer_drop(world, flight->message);
    }
}

/* -- between daemons ------------------------------------------------------------------------------ */

static void pump(MpiWorld *world, Link *link, uint64_t time_ps)
{
    MpiPacket *packet;
    while (!link->stopped && (packet = g_queue_pop_head(&link->out)))
        mpi_packet_transmit(world, packet, bytes_of(packet->flight->message), time_ps, true);
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
static bool accepts(Link *link, uint64_t id, uint64_t hard)
{
    gpointer name = GSIZE_TO_POINTER(id);
    GList *again = g_queue_find(&link->back, name);
    bool behind = link->back.head && GPOINTER_TO_SIZE(link->back.head->data) < id;
    if (behind || link->to->stored > limit_of(hard)) {
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

/* A message comes to the receiver's daemon. */
static void store(MpiWorld *world, MpiPacket *packet, uint64_t time_ps)
{
    const MpiDaemonParams *params = &world->params.daemon;
    MpiDaemon *daemon = here(world, packet);
    Link *link = link_of(there(world, packet), daemon);
    MpiFlight *flight = packet->flight;
    if (!accepts(link, packet->head.id, params->hard)) {
        note_told(link, packet->lane);
        MpiPacket *refusal = mpi_packet_new(world, MPI_PACKET_REFUSE, packet->lane, true, flight);
        tell(world, daemon, refusal, time_ps, params->message_ps);
        mpi_packet_free(world, packet);
        let_go(world, daemon, time_ps); /* it came behind one that was refused, and there may be room by now */
        return;
    }
    daemon->stored += flight->need;
    flight->daemon = daemon;
    packet->stored = true;
    handle_data(world, daemon, packet, time_ps, bytes_of(flight->message));
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
    link->stopped = packet->kind != MPI_PACKET_GO;
    if (packet->kind == MPI_PACKET_REFUSE) {
        daemon->leaving += packet->flight->need;
        g_queue_insert_sorted(&link->out, mpi_packet_new(world, MPI_PACKET_STORE, packet->lane, false, packet->flight),
                              by_message, NULL);
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
static void received(MpiWorld *world, MpiDaemon *daemon, uint64_t bytes, uint64_t time_ps)
{
    daemon->stored -= bytes;
    let_go(world, daemon, time_ps);
}

/* A daemon has done what a message asks of it. */
static void pass_on(MpiWorld *world, MpiPacket *packet, uint64_t time_ps)
{
    MpiFlight *flight = packet->flight;
    MpiMessage *message = flight->message;
    MpiDaemon *to = here(world, packet);
    if (!packet->stored && flight->daemon != to) {
        Link *link = link_of(flight->daemon, to);
        g_queue_insert_sorted(&link->out, packet, by_message, NULL);
        pump(world, link, time_ps);
        return;
    }
    if (!packet->stored) { /* sender and receiver have the same one */
        to->stored += flight->need;
        left(world, to, flight->need, time_ps);
    }
    if (mpi_world_rank(world, message->to)->failed || message->cancelled)
        received(world, to, flight->need, time_ps);
    message->refs++;
    mpi_world_delivered(world, (uint64_t)(uintptr_t)message | MPI_PHASE_EAGER | MPI_COOKIE_UNREPORTED, time_ps);
    mpi_packet_free(world, packet);
}

void mpi_daemon_due(MpiWorld *world, MpiPacket *packet, uint64_t time_ps)
{
    if (packet->kind == MPI_PACKET_STORE) {
        pass_on(world, packet, time_ps);
    } else if (packet->leaves) {
        mpi_packet_transmit(world, packet, 0, time_ps, false);
    } else { /* it has been told something */
        pump(world, link_of(here(world, packet), there(world, packet)), time_ps);
        mpi_packet_free(world, packet);
    }
}

static void handle(MpiCall *call, MpiFlight *flight)
{
    MpiWorld *world = call->world;
    MpiDaemon *daemon = flight->daemon;
    uint64_t need = flight->need;
    MpiPacket *packet =
        flight->acknowledged ? mpi_packet_new(world, MPI_PACKET_WRITTEN, flight->lane, true, flight) : NULL;
    mpi_flight_handle(call, flight); /* the flight may be gone */
    if (packet)
        mpi_packet_send(call, packet, 0, 0, false);
    received(world, daemon, need, call->now);
}

bool mpi_protocol_explain(const MpiWorld *world, GString *out)
{
    const GPtrArray *daemons = mpi_protocol_state(world)->order;
    const MpiEnv *env = &world->env;
    bool any = false;
    for (guint i = 0; i < daemons->len; i++) {
        const MpiDaemon *daemon = g_ptr_array_index(daemons, i);
        if (!daemon->told->len)
            continue;
        any = true;
        g_string_append(out, "  the daemon");
        if (env->node_name)
            g_string_append_printf(out, " of %s", env->node_name(env->user, daemon->rank));
        g_string_append_printf(out,
                               " stores %" G_GUINT64_FORMAT " bytes of messages that its ranks do not receive, and has "
                               "told %u other daemon%s to stop: protocol.daemon-soft-limit is %" G_GUINT64_FORMAT
                               ", protocol.daemon-hard-limit %" G_GUINT64_FORMAT " bytes\n",
                               daemon->stored, daemon->told->len, daemon->told->len == 1 ? "" : "s",
                               world->params.daemon.soft, world->params.daemon.hard);
    }
    if (any)
        g_string_append(
            out, "  to mend it: receive before others send more than the daemons store, or let these store more\n");
    return any;
}

static void describe(const MpiFlight *flight, GString *out)
{
    if (flight->held)
        g_string_append_printf(out,
                               " (the daemon of its node has no room: %" G_GUINT64_FORMAT
                               " bytes are stored, the soft limit is %" G_GUINT64_FORMAT ")",
                               flight->daemon->leaving, flight->world->params.daemon.soft);
    else
        g_string_append(out, " (its daemon has it)");
}

const MpiProtocolWay mpi_protocol_daemon = {.send = send, .launch = launch, .handle = handle, .describe = describe};
