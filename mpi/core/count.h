/* count.h - the statistics of ranks, MpiRankStats: what is always counted.
 *
 * These are no hooks. Counting is never off, so a hook would be called for every message of every run: a loop and an
 * indirect call where an addition does. They stand here, so that the way of a message names what it counts and not how.
 */
#ifndef ORRERY_MPI_COUNT_H
#define ORRERY_MPI_COUNT_H

#include "mpi/core/rank.h"

/* The rank has made so many calls. */
static inline void mpi_count_calls(MpiRank *rank, uint64_t calls)
{
    rank->stats.calls += calls;
}

/* Its processor was busy in the library. */
static inline void mpi_count_overhead(MpiRank *rank, uint64_t ps)
{
    rank->stats.overhead_ps += ps;
}

/* It has waited. */
static inline void mpi_count_blocked(MpiRank *rank, uint64_t ps)
{
    rank->stats.blocked_ps += ps;
}

/* It has sent a message. */
static inline void mpi_count_sent(MpiRank *rank, uint64_t bytes)
{
    rank->stats.messages_sent++;
    rank->stats.bytes_sent += bytes;
}

/* So many messages of so many bytes each, which have been counted as sent, were one, however many receive it. */
static inline void mpi_count_as_one(MpiRank *rank, uint64_t messages, uint64_t bytes)
{
    rank->stats.messages_sent -= messages - 1;
    rank->stats.bytes_sent -= (messages - 1) * bytes;
}

/* It has received a message. */
static inline void mpi_count_received(MpiRank *rank, uint64_t bytes)
{
    rank->stats.messages_received++;
    rank->stats.bytes_received += bytes;
}

#endif
