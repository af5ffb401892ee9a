/* pool.c - memory for the engine's small objects, which come and go millions of times per second.
 *
 * A pool hands out items of one size from chunks that double in size. Returned items form a list through their first
 * word and are reused first. Memory of items that were never taken is never touched. Chunks are freed only with the
 * pool.
 *
 * Payloads of messages have many sizes. There are a few size classes, each with such a list of bounded length. */
#include "mpi/core/pool.h"

#include <string.h>

enum { MPI_POOL_FIRST = 16, MPI_POOL_LARGEST = 4096 };

void mpi_pool_init(MpiPool *pool, size_t size)
{
    /* 16: cookies carry a phase in the low bits of a message's address (transfer.c). */
    pool->size = (size + 15) & ~(size_t)15;
    pool->free = pool->fresh = pool->fresh_end = NULL;
    pool->chunks = g_ptr_array_new_with_free_func(g_free);
    pool->per_chunk = MPI_POOL_FIRST;
}

void mpi_pool_clear(MpiPool *pool)
{
    g_ptr_array_free(pool->chunks, TRUE);
    *pool = (MpiPool){0};
}

static void pool_grow(MpiPool *pool)
{
    pool->fresh = g_malloc(pool->size * pool->per_chunk);
    pool->fresh_end = pool->fresh + pool->size * pool->per_chunk;
    g_ptr_array_add(pool->chunks, pool->fresh);
    if (pool->per_chunk < MPI_POOL_LARGEST)
        pool->per_chunk *= 2;
}

/* Takes an item that was never taken before. */
void *mpi_pool_take_fresh(MpiPool *pool)
{
    if (pool->fresh == pool->fresh_end)
        pool_grow(pool);
    void *item = pool->fresh;
    pool->fresh += pool->size;
    return item;
}

void *mpi_pool_take(MpiPool *pool)
{
    void *item = mpi_pool_take_unset(pool);
    memset(item, 0, pool->size);
    return item;
}

void mpi_pool_give(MpiPool *pool, void *item)
{
    *(void **)item = pool->free;
    pool->free = item;
}

void mpi_pool_each(MpiPool *pool, void (*visit)(void *item, void *user), void *user)
{
    uint32_t items = MPI_POOL_FIRST;
    for (guint i = 0; i < pool->chunks->len; i++) {
        char *chunk = pool->chunks->pdata[i];
        char *end = i + 1 < pool->chunks->len ? chunk + items * pool->size : pool->fresh;
        for (char *item = chunk; item < end; item += pool->size)
            visit(item, user);
        if (items < MPI_POOL_LARGEST)
            items *= 2;
    }
}

/* -- payloads ---------------------------------------------------------------------------------- */

enum { MPI_PAYLOAD_KEPT = 1 << 20 }; /* limit of the unused bytes that a class keeps for reuse */

/* Returns the class for blocks of that many bytes; MPI_PAYLOAD_CLASSES if they are too large for all classes. */
static unsigned payload_class(uint64_t bytes)
{
    unsigned class = 0;
    while (class < MPI_PAYLOAD_CLASSES && bytes > (uint64_t)MPI_PAYLOAD_LEAST << class)
        class ++;
    return class;
}

void *mpi_pool_payload_take(MpiPayloads *payloads, uint64_t bytes)
{
    unsigned class = payload_class(bytes);
    payloads->bytes += bytes;
    if (class == MPI_PAYLOAD_CLASSES)
        return g_malloc(bytes);
    void *payload = payloads->free[class];
    if (!payload)
        return g_malloc((gsize)MPI_PAYLOAD_LEAST << class);
    payloads->free[class] = *(void **)payload;
    payloads->kept[class]--;
    return payload;
}

void mpi_pool_payload_give(MpiPayloads *payloads, void *payload, uint64_t bytes)
{
    unsigned class = payload_class(bytes);
    payloads->bytes -= bytes;
    if (class == MPI_PAYLOAD_CLASSES ||
        payloads->kept[class] >= (uint32_t)MPI_PAYLOAD_KEPT / MPI_PAYLOAD_LEAST >> class) {
        g_free(payload);
        return;
    }
    *(void **)payload = payloads->free[class];
    payloads->free[class] = payload;
    payloads->kept[class]++;
}

void mpi_pool_payloads_clear(MpiPayloads *payloads)
{
    for (unsigned class = 0; class < MPI_PAYLOAD_CLASSES; class ++) {
        for (void *payload = payloads->free[class], *next; payload; payload = next) {
            next = *(void **)payload;
            g_free(payload);
        }
    }
    *payloads = (MpiPayloads){0};
}
