/* describe.c - describes requests and calls in words: what ranks do and wait for. */
#include "mpi/check/check.h"
#include "mpi/check/waits.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/threads.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/rma/rma.h"

/* Appends for example "rank 3", counted in the communicator, with the world rank if it differs. */
static void append_peer(GString *out, const MpiComm *comm, int peer)
{
    if (peer == MPI_ANY_SOURCE_) {
        g_string_append(out, "any rank");
        return;
    }
    uint32_t world = mpi_comm_world_rank(comm, (uint32_t)peer);
    const MpiWorld *all = comm->owner->world;
    bool worlds = all->n_ranks > all->world_group->size; /* then ranks of the run are meant: docs/mpi.md */
    g_string_append_printf(out, "rank %d", peer);
    if (world != (uint32_t)peer)
        g_string_append_printf(out, worlds ? " (rank %u of the run)" : " (rank %u of MPI_COMM_WORLD)", world);
}

/* Returns the tag to show. The leaders in MPI_Intercomm_create use the program's tag in the tag space of collectives,
 * where it is negative. */
static int shown_tag(const MpiRequest *request)
{
    return request->collective && request->tag < 0 ? ~request->tag : request->tag;
}

static void append_receive(GString *out, const MpiRequest *request)
{
    bool matched = request->message;
    g_string_append(out, matched ? "the data of a message from " : "a message from ");
    append_peer(out, request->comm, matched ? request->message->item.key.source : request->peer);
    if (request->tag == MPI_ANY_TAG_)
        g_string_append(out, ", any tag");
    else
        g_string_append_printf(out, ", tag %d", shown_tag(request));
}

static void append_send(GString *out, const MpiRequest *request)
{
    const MpiMessage *message = request->message;
    if (message && message->receive && message->phase == MPI_PHASE_RTS)
        g_string_append(out, "an answer of ");
    append_peer(out, request->comm, request->peer);
    if (message && !message->receive)
        g_string_append(out, " to receive");
    g_string_append_printf(out, "%s tag %d, %" G_GUINT64_FORMAT " bytes", message && message->receive ? "," : "",
                           shown_tag(request), request->bytes);
    if (request->mode == MPI_MODE_SYNCHRONOUS)
        g_string_append(out, " (synchronous)");
    else if (request->owner->world->protocols)
        request->owner->world->upper->protocol_describe(request, out);
    else
        g_string_append_printf(out, " (longer than the eager limit of %" G_GUINT64_FORMAT " bytes)",
                               request->owner->eager_limit);
}

static void append_partitioned(GString *out, const MpiRequest *request)
{
    bool receives = request->partitioned && mpi_partitioned_receives(request->partitioned);
    g_string_append(out, receives ? "partitions of a message from " : "partitions of a message to ");
    append_peer(out, request->comm, request->peer);
    g_string_append_printf(out, ", tag %d, ", request->tag);
    mpi_append_comm(out, request->comm);
}

/* Appends whom a leader waits for (mpi/process). */
static void append_partner(GString *out, const MpiRequest *request)
{
    uint32_t function = request->owner->call->function;
    if (request->peer < 0)
        g_string_append(out, function == MPI_FUNCTION_Comm_accept    ? "a process to call MPI_Comm_connect"
                             : function == MPI_FUNCTION_Comm_connect ? "a process to call MPI_Comm_accept"
                                                                     : "the leader of the other group");
    else if (function == MPI_FUNCTION_Comm_spawn || function == MPI_FUNCTION_Comm_spawn_multiple)
        g_string_append_printf(out, "rank %d, which it has started, to call MPI_Init", request->peer);
    else
        g_string_append_printf(out, "word from rank %d", request->peer);
}

void mpi_describe_request(GString *out, const MpiRequest *request)
{
    if (mpi_waits_for_partner(request)) {
        append_partner(out, request);
        return;
    }
    if (request->sort == MPI_REQUEST_COLLECTIVE) {
        g_string_append(out, "it, on ");
        mpi_append_comm(out, request->comm);
        return;
    }
    if (request->sort == MPI_REQUEST_REMOTE) {
        g_string_append(out, "its access to ");
        append_peer(out, request->comm, request->peer);
        g_string_append(out, ", ");
        mpi_append_comm(out, request->comm);
        return;
    }
    if (request->sort == MPI_REQUEST_AGENT) {
        g_string_append(out, request->agent->collective.schedule ? "the other members' call, on " : "the storage of ");
        mpi_append_comm(out, request->comm);
        return;
    }
    if (request->sort == MPI_REQUEST_AGREEMENT) {
        g_string_append(out, "the other members' call, on ");
        mpi_append_comm(out, request->comm);
        return;
    }
    if (request->sort == MPI_REQUEST_GENERAL) {
        g_string_append(out, "MPI_Grequest_complete for the generalized request");
        return;
    }
    if (request->part && request->whole->partitioned)
        request = request->whole;
    if (request->sort == MPI_REQUEST_WHOLE) {
        append_partitioned(out, request);
        return;
    }
    if (request->sort == MPI_REQUEST_RECEIVE)
        append_receive(out, request);
    else
        append_send(out, request);
    g_string_append(out, ", ");
    mpi_append_comm(out, request->comm);
}

void mpi_describe_gone(GString *out, const MpiRank *rank, bool many)
{
    const char *verb = many ? "have" : "has";
    if (!rank->exited)
        g_string_append_printf(out, "%s called MPI_Finalize", verb);
    else
        g_string_append_printf(out, "%s ended%s", verb,
                               rank->state == MPI_RANK_ACTIVE ? " without calling MPI_Finalize" : "");
}

/* Returns how many requests the call waits for, and the first of them. */
static unsigned call_waits(const MpiCall *call, const MpiRequest **first)
{
    unsigned n = 0;
    *first = NULL;
    for (const MpiRequest *request = call->rank->requests; request; request = request->next) {
        if (request->waiter != call || !mpi_request_pending(request))
            continue;
        if (!n++)
            *first = request;
    }
    return n;
}

static void append_probe(GString *out, const MpiRank *rank)
{
    const MpiComm *comm = mpi_find_comm(rank, rank->probe_key.space >> 1);
    g_string_append_printf(out, " waits for a message from ");
    if (comm)
        append_peer(out, comm, rank->probe_key.source);
    else
        g_string_append_printf(out, "rank %d", rank->probe_key.source);
    if (rank->probe_key.tag == MPI_ANY_TAG_)
        g_string_append(out, ", any tag");
    else
        g_string_append_printf(out, ", tag %d", rank->probe_key.tag);
    if (!comm)
        return;
    g_string_append(out, ", ");
    mpi_append_comm(out, comm);
}

void mpi_describe_call(GString *out, const MpiCall *call)
{
    const MpiRequest *first;
    g_string_append(out, call->name);
    if (call->collective.schedule) {
        g_string_append(out, " on ");
        mpi_append_comm(out, call->collective.schedule->comm);
        return;
    }
    if (call->engine.blocked && call->rank->probing) {
        append_probe(out, call->rank);
        return;
    }
    if (mpi_window_is_awaited(call)) {
        mpi_window_describe_wait(out, call);
        return;
    }
    unsigned n = call->engine.blocked ? call_waits(call, &first) : 0;
    if (!n && call->engine.blocked && call->function == MPI_FUNCTION_Finalize)
        g_string_append(out, " waits until all processes that are connected with this one have called it");
    if (!n)
        return;
    if (first->made_pc != call->pc || first->made_by != call->name) {
        g_string_append_printf(out, " (%s at ", first->made_by);
        mpi_append_place(out, call->process, first->made_pc);
        g_string_append_c(out, ')');
    }
    bool any = call->engine.waiting < n; /* MPI_Waitany or MPI_Waitsome */
    g_string_append(out, " waits for ");
    if (any)
        g_string_append_printf(out, "one of %u: ", n);
    mpi_describe_request(out, mpi_request_awaited(first));
    if (any)
        g_string_append_printf(out, ", or %u more", n - 1);
    else if (n > 1)
        g_string_append_printf(out, " and %u more", n - 1);
}

/* Returns the rank with its call, if it is in one. */
static const MpiRank *rank_in_call(const MpiWorld *world, uint32_t index)
{
    MpiRank *rank = mpi_world_rank(world, index);
    if (rank->plain)
        mpi_plain_receive_expand(rank); /* which says the same in another form */
    return rank;
}

char *mpi_world_describe(const MpiWorld *world, uint32_t index)
{
    const MpiRank *rank = rank_in_call(world, index);
    if (!rank->call)
        return NULL;
    GString *out = g_string_new(NULL);
    mpi_describe_call(out, rank->call);
    return g_string_free(out, FALSE);
}

char *mpi_world_describe_thread(const MpiWorld *world, uint32_t index, uint32_t thread)
{
    MpiRank *rank = mpi_world_rank(world, index);
    uint32_t focus = rank->thread;
    if (rank->threads ? thread >= mpi_threads_count(rank) : thread != focus)
        return NULL;
    if (rank->threads)
        mpi_threads_focus(rank, thread);
    char *text = mpi_world_describe(world, index);
    if (rank->threads)
        mpi_threads_focus(rank, focus);
    return text;
}

void mpi_world_append_place(const MpiWorld *world, uint32_t index, GString *out)
{
    const MpiRank *rank = rank_in_call(world, index);
    g_string_append(out, " at ");
    mpi_append_place(out, rank->process, rank->call ? rank->call->pc : mpi_place_in_program(rank->process));
    if (rank->call)
        g_string_append_printf(out, " in %s", rank->call->name);
}
