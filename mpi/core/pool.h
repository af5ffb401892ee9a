/* pool.h - memory that is needed for every message: items of one size, and payloads. */
#ifndef ORRERY_MPI_POOL_H
#define ORRERY_MPI_POOL_H

#include <glib.h>
#include <stdint.h>

typedef struct MpiPool {
    size_t size;             /* size of an item in bytes */
    void *free;              /* list of returned items, linked through the first word */
    char *fresh, *fresh_end; /* unused rest of the last chunk; never touched, so it takes no memory of the host */
    GPtrArray *chunks;
    uint32_t per_chunk; /* items in the next chunk; doubles up to a limit */
} MpiPool;
void mpi_pool_init(MpiPool *pool, size_t size);
void mpi_pool_clear(MpiPool *pool);
void *mpi_pool_take(MpiPool *pool);       /* returns a zeroed item */
void *mpi_pool_take_fresh(MpiPool *pool); /* the slow part of mpi_pool_take_unset() */
/* As mpi_pool_take(), but the item has any contents. */
static inline void *mpi_pool_take_unset(MpiPool *pool)
{
    void *item = pool->free;
    if (G_UNLIKELY(!item))
        return mpi_pool_take_fresh(pool);
    pool->free = *(void **)item;
    return item;
}
/* Visits every item ever taken. A returned item still has what its owner wrote beyond the first word. */
void mpi_pool_each(MpiPool *pool, void (*visit)(void *item, void *user), void *user);
void mpi_pool_give(MpiPool *pool, void *item);

/* Memory for the payloads of messages: blocks whose sizes are powers of two, kept for reuse. */
enum { MPI_PAYLOAD_CLASSES = 8, MPI_PAYLOAD_LEAST = 128 };
typedef struct MpiPayloads {
    void *free[MPI_PAYLOAD_CLASSES]; /* lists linked through the first word; class i has blocks of MPI_PAYLOAD_LEAST <<
                                      * i bytes */
    uint32_t kept[MPI_PAYLOAD_CLASSES]; /* length of each list */
    uint64_t bytes;                     /* requested bytes that are taken and not yet returned */
} MpiPayloads;
void *mpi_pool_payload_take(MpiPayloads *payloads, uint64_t bytes); /* Not zeroed. Return it with
                                                                     * mpi_pool_payload_give(). */
void mpi_pool_payload_give(MpiPayloads *payloads, void *payload, uint64_t bytes);
void mpi_pool_payloads_clear(MpiPayloads *payloads);

#endif
