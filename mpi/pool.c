/* pool.c - memory for the engine's small objects, which come and go millions of times per second.
 *
 * A pool hands out items of one size from chunks that double in size; items given back are listed through their first
 * word and taken again first. Chunks are freed with the pool only. Items come out zeroed. */
#include "mpi/engine.h"

#include <string.h>

enum { MPI_POOL_FIRST = 16, MPI_POOL_LARGEST = 4096 };

void mpi_pool_init(MpiPool *pool, size_t size)
{
    /* 16: cookies carry a phase in the low bits of a message's address (transfer.c). */
    pool->size = (size + 15) & ~(size_t)15;
    pool->free = NULL;
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
    char *chunk = g_malloc0(pool->size * pool->per_chunk);
    g_ptr_array_add(pool->chunks, chunk);
    for (uint32_t i = pool->per_chunk; i-- > 0;) {
        *(void **)(chunk + i * pool->size) = pool->free;
        pool->free = chunk + i * pool->size;
    }
    if (pool->per_chunk < MPI_POOL_LARGEST)
        pool->per_chunk *= 2;
}

void *mpi_pool_take(MpiPool *pool)
{
    if (!pool->free)
        pool_grow(pool);
    void *item = pool->free;
    pool->free = *(void **)item;
    memset(item, 0, pool->size);
    return item;
}

void mpi_pool_give(MpiPool *pool, void *item)
{
    *(void **)item = pool->free;
    pool->free = item;
}

void mpi_pool_each(MpiPool *pool, void (*visit)(void *item))
{
    uint32_t items = MPI_POOL_FIRST;
    for (guint i = 0; i < pool->chunks->len; i++) {
        char *chunk = pool->chunks->pdata[i];
        for (uint32_t j = 0; j < items; j++)
            visit(chunk + j * pool->size);
        if (items < MPI_POOL_LARGEST)
            items *= 2;
    }
}
