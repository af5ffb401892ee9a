/* feed.c - chunks of records go to a thread and come back empty (feed.h). */
#include "base/feed.h"

#include <signal.h>
#include <stdbool.h>

typedef struct Chunk {
    size_t n;
    uint64_t words[BASE_FEED_WORDS + BASE_FEED_LONGEST];
} Chunk;

struct BaseFeedShared {
    BaseFeedTake take;
    void *user;
    GThread *thread; /* NULL: the host has no thread for this */
    GMutex lock;
    GCond filled, emptied;
    unsigned first, n;  /* chunks that are full: n of them from `first` on, in turn */
    unsigned filling;   /* the chunk behind them; only the run looks at it */
    bool asleep, waits; /* the thread looks again by itself; the run waits */
    bool over;
    Chunk chunks[BASE_FEED_CHUNKS];
};

/* Waking the thread up takes the run some 10 us. So when it has taken all, it sleeps for a while and looks by itself,
 * the more rarely the less there is; it is woken up only where so many chunks are full. */
enum { ENOUGH = BASE_FEED_CHUNKS / 2, SHORTEST_US = 200, LONGEST_US = 20000 };

/* Waits until there is something to take, or nothing will come any more. The lock is held. */
static void await(struct BaseFeedShared *shared)
{
    for (gint64 us = SHORTEST_US; shared->n == 0 && !shared->over; us = MIN(2 * us, LONGEST_US)) {
        shared->asleep = true;
        g_cond_wait_until(&shared->filled, &shared->lock, g_get_monotonic_time() + us);
        shared->asleep = false;
    }
}

/* The chunk that is being taken counts as full until it is empty. */
static gpointer work(gpointer user)
{
    struct BaseFeedShared *shared = user;
    g_mutex_lock(&shared->lock);
    for (;;) {
        await(shared);
        if (shared->n == 0)
            break;
        Chunk *chunk = &shared->chunks[shared->first];
        g_mutex_unlock(&shared->lock);
        shared->take(shared->user, chunk->words, chunk->n);
        g_mutex_lock(&shared->lock);
        shared->first = (shared->first + 1) % BASE_FEED_CHUNKS;
        shared->n--;
        if (shared->waits && shared->n == BASE_FEED_CHUNKS / 2)
            g_cond_signal(&shared->emptied);
    }
    g_mutex_unlock(&shared->lock);
    return NULL;
}

/* Begins to fill a chunk. */
static void fill(BaseFeed *feed)
{
    feed->at = feed->shared->chunks[feed->shared->filling].words;
    feed->end = feed->at + BASE_FEED_WORDS;
}

/* Signals are for those who began the run: one that this thread got would end the process. */
static void start(struct BaseFeedShared *shared, const char *name)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    shared->thread = g_thread_try_new(name, work, shared, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void base_feed_begin(BaseFeed *feed, const char *name, BaseFeedTake take, void *user)
{
    struct BaseFeedShared *shared = g_new0(struct BaseFeedShared, 1);
    shared->take = take;
    shared->user = user;
    g_mutex_init(&shared->lock);
    g_cond_init(&shared->filled);
    g_cond_init(&shared->emptied);
    feed->shared = shared;
    fill(feed);
    start(shared, name);
}

void base_feed_turn(BaseFeed *feed)
{
    struct BaseFeedShared *shared = feed->shared;
    Chunk *chunk = &shared->chunks[shared->filling];
    chunk->n = (size_t)(feed->at - chunk->words);
    if (!shared->thread) {
        shared->take(shared->user, chunk->words, chunk->n);
        fill(feed);
        return;
    }
    g_mutex_lock(&shared->lock);
    if (++shared->n >= ENOUGH && shared->asleep)
        g_cond_signal(&shared->filled);
    shared->waits = true;
    while (shared->n == BASE_FEED_CHUNKS)
        g_cond_wait(&shared->emptied, &shared->lock);
    shared->waits = false;
    g_mutex_unlock(&shared->lock);
    shared->filling = (shared->filling + 1) % BASE_FEED_CHUNKS;
    fill(feed);
}

void base_feed_end(BaseFeed *feed)
{
    struct BaseFeedShared *shared = feed->shared;
    base_feed_turn(feed);
    if (shared->thread) {
        g_mutex_lock(&shared->lock);
        shared->over = true;
        g_cond_signal(&shared->filled);
        g_mutex_unlock(&shared->lock);
        g_thread_join(shared->thread);
    }
    g_mutex_clear(&shared->lock);
    g_cond_clear(&shared->filled);
    g_cond_clear(&shared->emptied);
    g_free(shared);
    *feed = (BaseFeed){0};
}
