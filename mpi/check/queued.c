/* queued.c - the messages and receives of a world that wait, for the debugger: posted receives, unexpected messages,
 * messages on their way. */
#include "mpi/check/check.h"
#include "mpi/comm/comm.h"
#include "mpi/core/places.h"
#include "mpi/core/pool.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

#include <string.h>

typedef struct Finder {
    MpiWorld *world;
    GArray *found; /* MpiQueued */
} Finder;

/* Names of communicators go to the caller, who keeps them when the communicator is gone. */
static char *comm_name(const MpiRank *rank, uint32_t context)
{
    GString *out = g_string_new(NULL);
    const MpiComm *comm = mpi_find_comm(rank, context);
    if (comm)
        mpi_append_comm(out, comm);
    else
        g_string_append(out, "a communicator that has been freed");
    return g_string_free(out, FALSE);
}

static char *call_place(const MpiRank *rank, const char *name, uint32_t pc)
{
    GString *out = g_string_new(NULL);
    mpi_append_call_place(out, rank->process, name, pc);
    return g_string_free(out, FALSE);
}

static void take_message(void *item, void *user)
{
    const MpiMessage *message = item;
    const Finder *finder = user;
    if (!message->live || (message->receive && !message->queued && message->arrived))
        return;
    const MpiRank *sender = mpi_world_rank(finder->world, message->from);
    MpiQueued queued = {.sort = message->queued || message->arrived ? MPI_QUEUED_UNEXPECTED : MPI_QUEUED_UNDER_WAY,
                        .rank = message->to,
                        .from = message->from,
                        .tag = message->item.key.tag,
                        .bytes = message->bytes,
                        .id = message->id,
                        .since_ps = message->sent_ps,
                        .order = message->queued ? message->item.order : message->id,
                        .rendezvous = message->rendezvous,
                        .claimed = message->claimed,
                        .collective = message->collective,
                        .comm = comm_name(sender, message->item.key.space >> 1),
                        .call = call_place(sender, NULL, message->sent_pc)};
    g_array_append_val(finder->found, queued);
}

static void take_receives(Finder *finder, const MpiRank *rank)
{
    uint64_t order = 0;
    for (const MpiRequest *request = rank->requests; request; request = request->next, order++) {
        if (request->sort != MPI_REQUEST_RECEIVE || !request->posted || request->message)
            continue;
        bool any = request->peer == MPI_ANY_SOURCE_;
        MpiQueued queued = {.sort = MPI_QUEUED_POSTED,
                            .rank = rank->index,
                            .from = any ? UINT32_MAX : mpi_comm_world_rank(request->comm, (uint32_t)request->peer),
                            .tag = request->tag,
                            .any_tag = request->tag == MPI_ANY_TAG_,
                            .bytes = request->bytes,
                            .order = order,
                            .collective = request->collective,
                            .comm = comm_name(rank, request->comm->context),
                            .call = call_place(rank, request->made_by, request->made_pc)};
        g_array_append_val(finder->found, queued);
    }
}

static int compare(gconstpointer a, gconstpointer b)
{
    const MpiQueued *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->sort != y->sort)
        return x->sort < y->sort ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

static void queued_clear(gpointer item)
{
    MpiQueued *queued = item;
    g_free(queued->comm);
    g_free(queued->call);
}

GArray *mpi_world_queued(MpiWorld *world)
{
    Finder finder = {world, g_array_new(FALSE, FALSE, sizeof(MpiQueued))};
    g_array_set_clear_func(finder.found, queued_clear);
    mpi_plain_receives_expand(world); /* which says the same in another form */
    for (uint32_t i = 0; i < world->n_ranks; i++)
        take_receives(&finder, mpi_world_rank(world, i));
    mpi_pool_each(&world->messages, take_message, &finder);
    g_array_sort(finder.found, compare);
    return finder.found;
}
