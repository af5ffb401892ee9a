/* threads.c - several threads of a rank in MPI calls. Each has a stack of calls of its own; requests, queues and
 * windows are the rank's. Whatever arrives is handled on the time of the call that waits for it, else of the first one
 * that is blocked. */
#include "mpi/core/threads.h"
#include "mpi/core/world.h"

#include <assert.h>

const char *const mpi_thread_levels[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED",
                                         "MPI_THREAD_MULTIPLE", NULL};

typedef struct Kept { /* what a rank has of a thread that is not in focus */
    MpiCall *call;
    MpiKey probe_key;
    bool probing;
} Kept;

struct MpiThreads {
    GArray *kept; /* Kept, by number */
};

static Kept *kept_of(const MpiRank *rank, uint32_t thread)
{
    GArray *kept = rank->threads->kept;
    if (thread >= kept->len)
        g_array_set_size(kept, thread + 1);
    return &g_array_index(kept, Kept, thread);
}

void mpi_threads_begin(MpiRank *rank)
{
    assert(!rank->plain);
    rank->threads = g_new0(MpiThreads, 1);
    rank->threads->kept = g_array_new(FALSE, TRUE, sizeof(Kept));
    kept_of(rank, 0);
}

void mpi_threads_free(MpiRank *rank)
{
    if (!rank->threads)
        return;
    g_array_unref(rank->threads->kept);
    g_clear_pointer(&rank->threads, g_free);
}

void mpi_threads_focus(MpiRank *rank, uint32_t thread)
{
    if (rank->thread == thread)
        return;
    *kept_of(rank, rank->thread) = (Kept){rank->call, rank->probe_key, rank->probing};
    const Kept *now = kept_of(rank, thread);
    rank->call = now->call;
    rank->probe_key = now->probe_key;
    rank->probing = now->probing;
    rank->thread = thread;
}

uint32_t mpi_threads_count(const MpiRank *rank)
{
    return rank->threads ? rank->threads->kept->len : 1;
}

MpiCall *mpi_threads_call(const MpiRank *rank, uint32_t thread)
{
    return thread == rank->thread ? rank->call : rank->threads ? kept_of(rank, thread)->call : NULL;
}

static bool is_blocked(const MpiCall *call)
{
    return call && call->engine.blocked && !call->engine.finishing;
}

MpiCall *mpi_threads_next_blocked(MpiRank *rank, uint32_t *thread)
{
    for (uint32_t n = mpi_threads_count(rank); *thread < n; ++*thread) {
        MpiCall *call = mpi_threads_call(rank, *thread);
        if (!is_blocked(call))
            continue;
        mpi_threads_focus(rank, *thread);
        return call;
    }
    return NULL;
}

MpiCall *mpi_threads_blocked(MpiRank *rank, uint32_t thread)
{
    MpiCall *call = rank->failed || thread >= mpi_threads_count(rank) ? NULL : mpi_threads_call(rank, thread);
    if (!is_blocked(call))
        return NULL;
    mpi_threads_focus(rank, thread);
    return call;
}

void mpi_threads_settle_others(const MpiCall *call)
{
    MpiRank *rank = call->rank;
    uint32_t thread = 0;
    for (MpiCall *other; (other = mpi_threads_next_blocked(rank, &thread)); thread++) {
        if (other == call || !other->engine.awaits || other->engine.waiting || other->collective.schedule)
            continue;
        mpi_call_advance(other, call->now);
        other->engine.finishing = true;
        rank->world->env.wake(rank->world->env.user, other->task, other->now);
    }
    mpi_threads_focus(rank, call->thread);
}
