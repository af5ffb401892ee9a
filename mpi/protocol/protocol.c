/* protocol.c - messages by protocols: which one, what is kept of messages and pairs, what calls the protocols.
 *
 * The usual protocol (eager up to a limit, rendezvous beyond it, transfer.c) needs none of this. Where a machine says
 * otherwise for any path, all messages go the general way and come here (MpiWorld.protocols), and each has a flight.
 * Which protocol a message has depends only on where its two ranks are. Envelopes are put into order by their numbers
 * (message_order.c), as some wait for room while others need none.
 *
 * Messages of a multicast of the medium do not exist then: collectives use other algorithms. */
#include "mpi/protocol/protocol.h"
#include "mpi/comm/comm.h"
#include "mpi/core/count.h"
#include "mpi/core/hooks.h"
#include "mpi/core/slots.h"
#include "mpi/protocol/way.h"

#include <string.h>

const char *const *mpi_protocol_names(void)
{
    static const char *const names[] = {"same",
#define MPI_PROTOCOL(identifier, name, way, help) name,
#include "mpi/protocols.def"
                                        NULL};
    return names;
}

MpiProtocols *mpi_protocol_state(const MpiWorld *world)
{
    return mpi_world_slot(world, MPI_SLOT_PROTOCOLS);
}

/* -- messages ------------------------------------------------------------------------------------ */

void mpi_protocol_send(MpiCall *call, MpiRequest *request, MpiMessage *message)
{
    MpiProtocols *protocols = mpi_protocol_state(call->world);
    MpiFlight *flight = mpi_pool_take(&protocols->flights);
    flight->world = call->world;
    flight->message = message;
    flight->lane = mpi_lane_of(call->world, message->from, message->to);
    flight->number = ++flight->lane->sent;
    flight->vital = request->schedule && mpi_schedule_head(request->schedule)->vital;
    message->notes[MPI_MESSAGE_NOTE_FLIGHT] = flight;
    flight->lane->way->send(call, flight, request);
}

void mpi_protocol_handle(MpiCall *call, MpiMessage *message)
{
    MpiFlight *flight = mpi_flight_of(message);
    if (message->item.paid) { /* a worker has handled it */
        mpi_transfer_deliver(call, message);
        return;
    }
    bool receiver = message->phase != MPI_PHASE_CTS;
    flight->lane->way->handle(call, flight);
    if (receiver)
        mpi_posts_release(call);
}

void mpi_protocol_brought(MpiWorld *world, MpiMessage *message, uint64_t time_ps)
{
    MpiFlight *flight = mpi_flight_of(message);
    if (!flight)
        return;
    if (message->cancelled) /* its envelope has taken room for nothing */
        mpi_protocol_lost(world, message, time_ps);
    mpi_eager_brought(world, flight);
}

void mpi_protocol_posted(MpiCall *call, MpiRequest *receive)
{
    if (receive->peer == MPI_ANY_SOURCE_) {
        mpi_posts_add_wild(receive);
        return;
    }
    uint32_t from = mpi_comm_world_rank(receive->comm, (uint32_t)receive->peer);
    MpiLane *lane = mpi_lane_of(call->world, from, call->rank->index);
    if (lane->way->posted)
        lane->way->posted(call, lane, receive);
}

void mpi_protocol_describe(const MpiRequest *send, GString *out)
{
    const MpiFlight *flight = send->message ? mpi_flight_of(send->message) : NULL;
    if (flight && flight->lane->way->describe)
        flight->lane->way->describe(flight, out);
}

/* -- deadlocks ----------------------------------------------------------------------------------- */

/* Whether a call waits for room for the message of this request. */
static bool is_stuck(const MpiRequest *request)
{
    return request->sort == MPI_REQUEST_SEND && mpi_request_pending(request) && request->message &&
           (request->waiter || request->schedule) && mpi_protocol_is_held(request);
}

static void explain(MpiWorld *world, const MpiFlight *flight, GString *out)
{
    const MpiLane *lane = flight->lane;
    if (lane->params->protocol == MPI_PROTOCOL_DAEMON)
        mpi_daemon_explain(world, flight, out);
    else if (lane->params->credits)
        g_string_append_printf(out,
                               "  rank %u has sent rank %u more than it receives: protocol.credits lets it buffer "
                               "%" G_GUINT64_FORMAT " bytes\n",
                               lane->from, lane->to, lane->params->credits);
    else
        g_string_append_printf(out,
                               "  others have sent rank %u more than it receives: protocol.pool lets it buffer "
                               "%" G_GUINT64_FORMAT " bytes\n",
                               lane->to, lane->params->pool);
}

bool mpi_protocol_explain(MpiWorld *world, GString *out)
{
    enum { MOST = 4 };
    unsigned told = 0;
    for (uint32_t i = 0; i < world->n_ranks && told < MOST; i++) {
        const MpiRequest *request = world->ranks[i].exited ? NULL : world->ranks[i].requests;
        while (request && !is_stuck(request))
            request = request->next;
        if (!request)
            continue;
        explain(world, mpi_flight_of(request->message), out);
        told++;
    }
    if (told)
        g_string_append(out, "  to mend it: receive messages before more are sent than there is room for, in the order "
                             "in which they are sent; or use a machine with more room\n");
    return told;
}

/* -- what is told -------------------------------------------------------------------------------- */

static void note_dropped(MpiWorld *world, MpiMessage *message)
{
    MpiFlight *flight = mpi_flight_of(message);
    if (!flight)
        return;
    mpi_pool_give(&mpi_protocol_state(world)->flights, flight);
    message->notes[MPI_MESSAGE_NOTE_FLIGHT] = NULL;
}

static void note_arrived(MpiWorld *world, MpiMessage *message, MpiRequest *receive, uint64_t time_ps)
{
    (void)world, (void)receive, (void)time_ps;
    MpiFlight *flight = mpi_flight_of(message);
    flight->lane->seen = flight->number;
}

static void note_matched(MpiWorld *world, MpiRequest *receive, MpiMessage *message)
{
    (void)world, (void)message;
    const MpiPost *post = receive->notes[MPI_REQUEST_NOTE_POST];
    if (post && post->state <= MPI_POST_HELD)
        mpi_posts_over(receive);
}

static void note_completed(MpiWorld *world, MpiRequest *request)
{
    (void)world;
    if (request->notes[MPI_REQUEST_NOTE_POST])
        mpi_posts_over(request);
}

/* -- beginning ----------------------------------------------------------------------------------- */

static const MpiHooks hooks = {
    .dropped = note_dropped, .arrived = note_arrived, .matched = note_matched, .completed = note_completed};

/* Fills in what a path has of its own, what all paths have, or the default. */
static MpiProtocolParams complete(const MpiParams *params, MpiPath path)
{
    const MpiProtocolParams *all = &params->protocol, *own = &params->protocols[path];
    MpiProtocolParams made = {.protocol = own->protocol ? own->protocol : all->protocol,
                              .threshold = own->threshold ? own->threshold : all->threshold,
                              .credits = own->credits ? own->credits : all->credits,
                              .pool = own->pool ? own->pool : all->pool,
                              .chunk = own->chunk ? own->chunk : all->chunk};
    made.protocol = made.protocol ? made.protocol : MPI_PROTOCOL_EAGER;
    made.chunk = made.chunk ? made.chunk : MPI_PROTOCOL_CHUNK;
    if (own->credits) /* a path has one of the two */
        made.pool = own->pool;
    else if (own->pool)
        made.credits = 0;
    return made;
}

static bool is_usual(const MpiProtocolParams *params)
{
    return params->protocol == MPI_PROTOCOL_EAGER && !params->threshold && !params->credits && !params->pool;
}

static void protocols_free(void *data)
{
    MpiProtocols *protocols = data;
    for (uint32_t i = 0; i < protocols->room; i++)
        if (protocols->mailboxes[i])
            mpi_lane_mailbox_free(protocols->mailboxes[i]);
    g_free(protocols->mailboxes);
    g_hash_table_unref(protocols->lanes);
    g_hash_table_unref(protocols->daemons);
    g_ptr_array_unref(protocols->order);
    mpi_pool_clear(&protocols->flights);
    mpi_pool_clear(&protocols->packets);
    mpi_pool_clear(&protocols->posts);
    g_free(protocols);
}

static MpiProtocols *protocols_new(const MpiWorld *world)
{
    static const MpiProtocolWay *const ways[] = {
        [MPI_PROTOCOL_SAME] = NULL,
#define MPI_PROTOCOL(identifier, name, way, help) [MPI_PROTOCOL_##identifier] = &mpi_protocol_##way,
#include "mpi/protocols.def"
    };
    MpiProtocols *protocols = g_new0(MpiProtocols, 1);
    for (unsigned i = 0; i < MPI_PROTOCOLS; i++)
        protocols->ways[i] = ways[i];
    protocols->lanes = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, mpi_lane_free);
    protocols->daemons = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, mpi_daemon_free);
    protocols->order = g_ptr_array_new();
    protocols->room = world->room;
    protocols->mailboxes = g_new0(MpiMailbox *, world->room);
    mpi_pool_init(&protocols->flights, sizeof(MpiFlight));
    mpi_pool_init(&protocols->packets, sizeof(MpiPacket));
    mpi_pool_init(&protocols->posts, sizeof(MpiPost));
    return protocols;
}

static void begin(MpiWorld *world)
{
    MpiProtocolParams paths[MPI_PATHS];
    bool usual = true, posts = false;
    for (unsigned path = 0; path < MPI_PATHS; path++) {
        paths[path] = complete(&world->params, path);
        usual = usual && is_usual(&paths[path]);
        posts = posts || paths[path].protocol == MPI_PROTOCOL_RECEIVER_POST;
    }
    if (usual)
        return;
    MpiProtocols *protocols = protocols_new(world);
    memcpy(protocols->paths, paths, sizeof paths);
    mpi_world_set_slot(world, MPI_SLOT_PROTOCOLS, protocols, protocols_free);
    mpi_hooks_add(world, &hooks);
    mpi_hooks_close_short(world);
    world->protocols = true;
    world->env.late = world->env.in_order = false;
    world->env.multicast = NULL;
    for (uint32_t i = 0; posts && i < world->room; i++)
        world->ranks[i].matcher.by_rank = true;
}

const MpiPart mpi_part_protocols = {.begin = begin};
