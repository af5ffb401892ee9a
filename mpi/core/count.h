/* count.h - the statistics of ranks, MpiRankStats: what is always counted.
 *
 * These functions are not hooks. Counting is never off, so a hook would be called for every message of every run: a
 * loop and an indirect call instead of an addition. They are functions so that the code for messages says what it
 * counts and not how.
 */
#ifndef ORRERY_MPI_COUNT_H
#define ORRERY_MPI_COUNT_H

#include "mpi/core/rank.h"

/* Counts `calls` calls of the rank. */
static inline void mpi_count_calls(MpiRank *rank, uint64_t calls)
{
    rank->stats.calls += calls;
}

/* Counts time for which the rank's processor was busy in the library. */
static inline void mpi_count_overhead(MpiRank *rank, uint64_t ps)
{
    rank->stats.overhead_ps += ps;
}

/* Counts time for which a communication thread has worked for the rank. */
static inline void mpi_count_thread(MpiRank *rank, uint64_t ps)
{
    rank->stats.thread_ps += ps;
}

/* Counts time for which the rank waited. */
static inline void mpi_count_blocked(MpiRank *rank, uint64_t ps)
{
    rank->stats.blocked_ps += ps;
}

/* Counts a message that the rank has sent. */
static inline void mpi_count_sent(MpiRank *rank, uint64_t bytes)
{
    rank->stats.messages_sent++;
    rank->stats.bytes_sent += bytes;
}

/* Corrects the count of a multicast: `messages` messages of `bytes` each were counted as sent, but they were one
 * message with several receivers. */
static inline void mpi_count_as_one(MpiRank *rank, uint64_t messages, uint64_t bytes)
{
    rank->stats.messages_sent -= messages - 1;
    rank->stats.bytes_sent -= (messages - 1) * bytes;
}

/* Counts a message that the rank has received. */
static inline void mpi_count_received(MpiRank *rank, uint64_t bytes)
{
    rank->stats.messages_received++;
    rank->stats.bytes_received += bytes;
}

/* Counts bytes that came from a file or went to one. */
static inline void mpi_count_file_bytes(MpiRank *rank, bool written, uint64_t bytes)
{
    *(written ? &rank->stats.bytes_written : &rank->stats.bytes_read) += bytes;
}

/* Counts the time of a call that has accessed a file. */
static inline void mpi_count_file_time(MpiRank *rank, uint64_t ps)
{
    rank->stats.file_ps += ps;
}

/* Counts an access to a window. */
static inline void mpi_count_put(MpiRank *rank, uint64_t bytes)
{
    rank->stats.puts++;
    rank->stats.bytes_put += bytes;
}

static inline void mpi_count_get(MpiRank *rank, uint64_t bytes)
{
    rank->stats.gets++;
    rank->stats.bytes_got += bytes;
}

static inline void mpi_count_accumulate(MpiRank *rank, uint64_t bytes)
{
    rank->stats.accumulates++;
    rank->stats.bytes_accumulated += bytes;
}

/* Counts time for which the rank waited in a call that synchronises a window; it is also counted as blocked. */
static inline void mpi_count_window_wait(MpiRank *rank, uint64_t ps)
{
    rank->stats.window_ps += ps;
}

#endif
