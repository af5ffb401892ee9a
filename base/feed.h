/* feed.h - records that a run hands to a thread, which makes something of them while the run goes on.
 *
 * Records are words of 8 bytes that the two sides agree on. The run puts them into chunks; the thread gets whole chunks
 * in the order in which they were filled, so what it does never depends on how fast either of them is. If all chunks
 * are full, the run waits.
 */
#ifndef ORRERY_BASE_FEED_H
#define ORRERY_BASE_FEED_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BASE_FEED_LONGEST = 64, /* most words of a record */
    BASE_FEED_WORDS = 4096, /* of a chunk */
    BASE_FEED_CHUNKS = 64
};

/* Takes n words, whole records, on the thread. */
typedef void (*BaseFeedTake)(void *user, const uint64_t *words, size_t n);

typedef struct BaseFeed {
    uint64_t *at, *end; /* where the next record goes; behind `end` there is no room for the longest */
    struct BaseFeedShared *shared;
} BaseFeed;

/* Starts the thread, which is called `name`. If there can be none, chunks are taken as they are filled. */
void base_feed_begin(BaseFeed *feed, const char *name, BaseFeedTake take, void *user);
/* Hands over the chunk that is being filled, and begins another one. */
void base_feed_turn(BaseFeed *feed);
/* Waits until all records are taken, and ends the thread. */
void base_feed_end(BaseFeed *feed);

/* Whether there is room for a record without handing over a chunk. */
static inline bool base_feed_has_room(const BaseFeed *feed)
{
    return feed->at <= feed->end;
}
/* Returns room for a record of up to BASE_FEED_LONGEST words; the caller moves feed->at behind it. */
static inline uint64_t *base_feed_room(BaseFeed *feed)
{
    if (G_UNLIKELY(!base_feed_has_room(feed)))
        base_feed_turn(feed);
    __builtin_prefetch(feed->at + BASE_FEED_LONGEST, 1); /* the thread has read it: it is in another cache */
    return feed->at;
}

/* Copies a few words of a record. Loops that compilers make of this are meant for many. */
static inline void base_feed_copy(uint64_t *to, const uint64_t *from, unsigned n)
{
    for (; n >= 4; n -= 4, to += 4, from += 4)
        __builtin_memcpy(to, from, 4 * sizeof *to);
    if (n & 2)
        __builtin_memcpy(to, from, 2 * sizeof *to);
    if (n & 1)
        to[n & 2] = from[n & 2];
}

#endif
