/* pool.h - slots of an array that are taken and given back: messages, packets and frames under way come and go millions
 * of times per second.
 *
 * The array moves when it grows, so users keep the index of a slot. A pointer is valid until the next slot is taken.
 * The slot given back last is taken first, since the cache still has it; which slot that is depends only on the calls.
 * Free slots form a list through their own first four bytes. The other bytes of a slot stay as they were.
 *
 *     Leg *leg;                                               the array, NULL at first
 *     BasePool legs;                                          all zeros at first
 *
 *     uint32_t place = BASE_POOL_TAKE(&it->legs, it->leg);    the slot still has its old contents
 *     it->leg[place] = (Leg){...};
 *     BASE_POOL_GIVE(&it->legs, it->leg, place);
 *     g_free(it->leg);                                        at the end; the BasePool itself owns nothing
 */
#ifndef ORRERY_BASE_POOL_H
#define ORRERY_BASE_POOL_H

#include <assert.h>
#include <glib.h>
#include <stdint.h>
#include <string.h>

typedef struct BasePool {
    uint32_t count; /* slots 0 .. count - 1 have been taken at some time */
    uint32_t capacity;
    uint32_t free; /* index of the first free one of these slots, plus 1; 0: there is none */
} BasePool;

/* Amortised O(1). Items must have at least four bytes. */
#define BASE_POOL_TAKE(pool, array)        base_pool_take((pool), (void **)&(array), sizeof *(array))
#define BASE_POOL_GIVE(pool, array, place) base_pool_give((pool), &(array)[place], (place))

static inline uint32_t base_pool_take(BasePool *pool, void **array, size_t size)
{
    uint32_t place = pool->free;
    if (place) {
        memcpy(&pool->free, (const char *)*array + --place * size, sizeof pool->free);
        return place;
    }
    if (G_UNLIKELY(pool->count == pool->capacity)) {
        pool->capacity = MAX(64, 2 * pool->capacity);
        *array = g_realloc_n(*array, pool->capacity, size);
    }
    return pool->count++;
}

static inline void base_pool_give(BasePool *pool, void *item, uint32_t place)
{
    assert(place < pool->count);
    memcpy(item, &pool->free, sizeof pool->free);
    pool->free = place + 1;
}

/* Gives back all slots. The array keeps its length. */
static inline void base_pool_clear(BasePool *pool)
{
    pool->count = pool->free = 0;
}

#endif
