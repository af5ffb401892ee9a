/* pvar_values.c - what performance variables of a rank are at this moment. */
#include "mpi/comm/comm.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/tool/tool.h"

#define VALUE(name)                                                                                                    \
    uint64_t mpi_tool_value_##name(const MpiCall *call G_GNUC_UNUSED, const MpiRank *rank,                             \
                                   const uint32_t *context G_GNUC_UNUSED)

/* -- queues ------------------------------------------------------------------------------------ */

VALUE(posted)
{
    uint64_t n = 0;
    for (int kind = 0; !context && kind < MPI_KINDS; kind++)
        n += rank->matcher.posted_of[kind];
    for (const MpiRequest *request = rank->requests; context && request; request = request->next)
        n += request->posted && !request->collective && request->comm->context == *context;
    return n;
}

static bool lies_on(const MpiItem *item, const uint32_t *context)
{
    return !context || item->key.space == *context << 1;
}

VALUE(unexpected)
{
    uint64_t n = 0;
    for (const MpiItem *item = rank->matcher.oldest; item; item = item->next)
        n += lies_on(item, context);
    return n;
}

VALUE(unexpected_bytes)
{
    uint64_t bytes = 0;
    for (const MpiItem *item = rank->matcher.oldest; item; item = item->next)
        bytes += lies_on(item, context) ? ((const MpiMessage *)item)->bytes : 0;
    return bytes;
}

VALUE(requests)
{
    uint64_t n = 0;
    for (const MpiRequest *request = rank->requests; request; request = request->next)
        n += mpi_request_pending(request) && request->sort != MPI_REQUEST_ANCHOR;
    return n;
}

/* A mean length is in 10^-12, as times are in ps. */
static uint64_t mean_of(const MpiQueueStats *stats)
{
    unsigned __int128 lengths = (unsigned __int128)stats->lengths * 1000000000000u;
    return stats->searches ? (uint64_t)(lengths / stats->searches) : 0;
}

#define QUEUE(name, queue)                                                                                             \
    VALUE(name##_searches)                                                                                             \
    {                                                                                                                  \
        return mpi_world_queue(rank->world, rank->index, queue)->searches;                                             \
    }                                                                                                                  \
    VALUE(name##_searched)                                                                                             \
    {                                                                                                                  \
        return mpi_world_queue(rank->world, rank->index, queue)->elements;                                             \
    }                                                                                                                  \
    VALUE(name##_mean)                                                                                                 \
    {                                                                                                                  \
        return mean_of(mpi_world_queue(rank->world, rank->index, queue));                                              \
    }
QUEUE(posted, MPI_QUEUE_POSTED)
QUEUE(unexpected, MPI_QUEUE_UNEXPECTED)

/* -- sums that are always kept ------------------------------------------------------------------- */

#define STATISTIC(name, field)                                                                                         \
    VALUE(name)                                                                                                        \
    {                                                                                                                  \
        return rank->stats.field;                                                                                      \
    }
STATISTIC(messages_sent, messages_sent)
STATISTIC(bytes_sent, bytes_sent)
STATISTIC(messages_received, messages_received)
STATISTIC(bytes_received, bytes_received)
STATISTIC(calls, calls)
STATISTIC(puts, puts)
STATISTIC(bytes_put, bytes_put)
STATISTIC(gets, gets)
STATISTIC(bytes_got, bytes_got)
STATISTIC(accumulates, accumulates)
STATISTIC(bytes_accumulated, bytes_accumulated)
STATISTIC(window_wait, window_ps)
STATISTIC(overhead, overhead_ps)
STATISTIC(blocked, blocked_ps)

VALUE(in_mpi)
{
    return rank->stats.overhead_ps + rank->stats.blocked_ps;
}

/* -- others ------------------------------------------------------------------------------------ */

VALUE(virtual_time)
{
    return call ? call->now : vm_clock_now(vm_rank_clock(rank->process));
}

VALUE(thread_level)
{
    return (uint64_t)rank->thread_level;
}

VALUE(buffer_size)
{
    return rank->attached ? rank->attached->size : 0;
}

VALUE(buffer_used)
{
    return rank->attached ? rank->attached->used : 0;
}

/* In 10^-12, as times are in ps. */
VALUE(buffer_filled)
{
    const MpiAttached *buffer = rank->attached;
    unsigned __int128 filled = buffer ? (unsigned __int128)buffer->used * 1000000000000u : 0;
    return buffer && buffer->size ? (uint64_t)(filled / buffer->size) : 0;
}
