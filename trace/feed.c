/* feed.c - chunks of records go to a thread and come back empty (trace.h). */
#include "trace/trace.h"

#include <signal.h>

typedef struct Chunk {
    size_t n;
    uint64_t words[TRACE_FEED_WORDS + TRACE_FEED_LONGEST];
} Chunk;

struct TraceFeedShared {
    TraceTake take;
    void *user;
    GThread *thread; /* NULL: the host has no thread for this */
    GMutex lock;
    GCond filled, emptied;
    unsigned first, n; /* chunks that are full: n of them from `first` on, in turn */
    unsigned filling;  /* the chunk behind them; only the run looks at it */
    bool over;
    Chunk chunks[TRACE_FEED_CHUNKS];
};

/* When the thread has taken all, it sleeps until so many are full: waking it up takes the run some 10 us. */
enum { ENOUGH = TRACE_FEED_CHUNKS / 2 };

/* The chunk that is being taken counts as full until it is empty. */
static gpointer work(gpointer user)
{
    struct TraceFeedShared *shared = user;
    bool awake = false;
    g_mutex_lock(&shared->lock);
    for (;;) {
        while (shared->n < (awake ? 1 : ENOUGH) && !shared->over) {
            awake = false;
            g_cond_wait(&shared->filled, &shared->lock);
        }
        awake = true;
        if (shared->n == 0)
            break;
        Chunk *chunk = &shared->chunks[shared->first];
        g_mutex_unlock(&shared->lock);
        shared->take(shared->user, chunk->words, chunk->n);
        g_mutex_lock(&shared->lock);
        shared->first = (shared->first + 1) % TRACE_FEED_CHUNKS;
        shared->n--;
        if (shared->n == TRACE_FEED_CHUNKS / 2)
            g_cond_signal(&shared->emptied);
    }
    g_mutex_unlock(&shared->lock);
    return NULL;
}

/* Begins to fill a chunk. */
static void fill(TraceFeed *feed)
{
    feed->at = feed->shared->chunks[feed->shared->filling].words;
    feed->end = feed->at + TRACE_FEED_WORDS;
}

/* Signals are for those who began the run: one that this thread got would end the process. */
static void start(struct TraceFeedShared *shared)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    shared->thread = g_thread_try_new("trace", work, shared, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void trace_feed_begin(TraceFeed *feed, TraceTake take, void *user)
{
    struct TraceFeedShared *shared = g_new0(struct TraceFeedShared, 1);
    shared->take = take;
    shared->user = user;
    g_mutex_init(&shared->lock);
    g_cond_init(&shared->filled);
    g_cond_init(&shared->emptied);
    feed->shared = shared;
    fill(feed);
    start(shared);
}

void trace_feed_turn(TraceFeed *feed)
{
    struct TraceFeedShared *shared = feed->shared;
    Chunk *chunk = &shared->chunks[shared->filling];
    chunk->n = (size_t)(feed->at - chunk->words);
    if (!shared->thread) {
        shared->take(shared->user, chunk->words, chunk->n);
        fill(feed);
        return;
    }
    g_mutex_lock(&shared->lock);
    if (++shared->n == ENOUGH)
        g_cond_signal(&shared->filled);
    while (shared->n == TRACE_FEED_CHUNKS)
        g_cond_wait(&shared->emptied, &shared->lock);
    g_mutex_unlock(&shared->lock);
    shared->filling = (shared->filling + 1) % TRACE_FEED_CHUNKS;
    fill(feed);
}

void trace_feed_end(TraceFeed *feed)
{
    struct TraceFeedShared *shared = feed->shared;
    trace_feed_turn(feed);
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
    *feed = (TraceFeed){0};
}
