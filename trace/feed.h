/* feed.h - hands records from a run to a thread that writes them.
 *
 * Records are words of 8 bytes that the two sides agree on. The run puts them into chunks; the thread gets whole chunks
 * in the order in which they were filled, so what it does never depends on how fast either of them is. If all chunks
 * are full, the run waits.
 */
#ifndef ORRERY_TRACE_FEED_H
#define ORRERY_TRACE_FEED_H

#include <stddef.h>
#include <stdint.h>

enum {
    TRACE_FEED_LONGEST = 64, /* most words of a record */
    TRACE_FEED_WORDS = 4096, /* of a chunk */
    TRACE_FEED_CHUNKS = 64
};

/* Takes n words, whole records, on the thread. */
typedef void (*TraceTake)(void *user, const uint64_t *words, size_t n);

typedef struct TraceFeed {
    uint64_t *at, *end; /* where the next record goes; behind `end` there is no room for the longest */
    struct TraceFeedShared *shared;
} TraceFeed;

/* Starts the thread. If there can be none, chunks are taken as they are filled. */
void trace_feed_begin(TraceFeed *feed, TraceTake take, void *user);
/* Hands over the chunk that is being filled, and begins another one. */
void trace_feed_turn(TraceFeed *feed);
/* Waits until all records are taken, and ends the thread. */
void trace_feed_end(TraceFeed *feed);

/* Returns room for a record of up to TRACE_FEED_LONGEST words; the caller moves feed->at behind it. */
static inline uint64_t *trace_feed_room(TraceFeed *feed)
{
    if (__builtin_expect(feed->at > feed->end, 0))
        trace_feed_turn(feed);
    return feed->at;
}

#endif
