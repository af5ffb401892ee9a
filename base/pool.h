/* pool.h - places of an array that are taken and given back: what is on its way through a network (messages, packets,
 * frames ...) comes and goes millions of times per second.
 *
 * The array moves when it grows, so things go by the numbers of their places; a pointer is good until the next one is
 * taken. The place given back last, which the cache still has, is taken first; which one that is depends on nothing but
 * the calls. Free places are a list through their own first four bytes, and the rest of a place stays as it was.
 *
 *     Leg *leg;                                              the array, NULL at first
 *     BasePool legs;                                          all zeros at first
 *
 *     uint32_t place = BASE_POOL_TAKE(&it->legs, it->leg);    what was there before is there still
 *     it->leg[place] = (Leg){...};
 *     BASE_POOL_GIVE(&it->legs, it->leg, place);
 *     g_free(it->leg);                                       at the end; the BasePool itself owns nothing
 */
#ifndef ORRERY_BASE_POOL_H
#define ORRERY_BASE_POOL_H

#include <assert.h>
#include <glib.h>
#include <stdint.h>
#include <string.h>

typedef struct BasePool {
    uint32_t count; /* places that have ever been taken: 0 .. count - 1 */
    uint32_t capacity;
    uint32_t free; /* the first free place of those, counted from 1; 0: there is none */
} BasePool;

/* O(1), and now and then a longer array. Items have at least four bytes. */
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

/* All places are free. The array stays as long as it is. */
static inline void base_pool_clear(BasePool *pool)
{
    pool->count = pool->free = 0;
}

#endif
