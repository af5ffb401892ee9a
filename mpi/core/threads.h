/* threads.h - calls of several threads of a rank.
 *
 * MpiRank.call, probing and probe_key are those of one thread at a time, on which the world has its *focus*. The others
 * are kept here. A rank with one thread has no list, and costs a test where it matters. */
#ifndef ORRERY_MPI_CORE_THREADS_H
#define ORRERY_MPI_CORE_THREADS_H

#include "mpi/core/call.h"
#include "mpi/core/rank.h"

typedef enum MpiThreadLevel { /* as mpi.h has it */
                              MPI_THREAD_SINGLE_,
                              MPI_THREAD_FUNNELED_,
                              MPI_THREAD_SERIALIZED_,
                              MPI_THREAD_MULTIPLE_,
                              MPI_THREAD_LEVELS
} MpiThreadLevel;
/* The names of the levels, with a NULL behind them. */
extern const char *const mpi_thread_levels[MPI_THREAD_LEVELS + 1];

/* Moves the focus to a thread; mpi_threads_begin() makes the list, with the focus on thread 0. */
void mpi_threads_begin(MpiRank *rank);
void mpi_threads_focus(MpiRank *rank, uint32_t thread);
void mpi_threads_free(MpiRank *rank);
/* Number of threads that have been seen. */
uint32_t mpi_threads_count(const MpiRank *rank);
/* The innermost call of a thread; NULL: none. */
MpiCall *mpi_threads_call(const MpiRank *rank, uint32_t thread);
/* Moves the focus to the first thread from number *thread on whose call is blocked and is not about to go on, and
 * returns that call; NULL: there is none. */
MpiCall *mpi_threads_next_blocked(MpiRank *rank, uint32_t *thread);
/* Moves the focus to a thread whose call is blocked and is not about to go on, and returns that call; NULL: it is not,
 * or the rank has failed. */
MpiCall *mpi_threads_blocked(MpiRank *rank, uint32_t thread);
/* Moves the focus to the thread of a call. */
static inline void mpi_threads_focus_on(const MpiCall *call)
{
    if (G_UNLIKELY(call->rank->threads))
        mpi_threads_focus(call->rank, call->thread);
}
/* A call of one thread has done what others may have waited for: a cancelled, started or completed request. They are
 * woken at the time of the call. */
void mpi_threads_settle_others(const MpiCall *call);

#endif
