/* match.c - decides which message meets which receive (MPI-3.1 sections 3.5 and 3.8.1).
 *
 * A rank has two queues: receives that wait for a message, and messages that no receive has asked for yet. The rule is
 * that of two plain lists. An arriving message takes the oldest posted receive that accepts it. A new receive takes,
 * among the messages that it accepts, the one that arrived first. To find them in constant time, both queues are hashed
 * into bins, lists of equal keys in their order:
 *
 *      posted      bins by the key as the receive gave it, wildcards included. A message (c,s,t) can be accepted
 *                  from four bins: (c,s,t) (c,*,t) (c,s,*) (c,*,*); the head with the least order number wins.
 *      unexpected  bins by the message's key and, from the first receive of a kind on, also by its key with that kind's
 *                  wildcards put in. So a receive of any kind looks into one bin only, whose head is the answer.
 *
 * A receive of many messages (MpiMany) lies in the bin of any source and its tag. No other receive has that tag in the
 * space of collectives, so such a bin holds nothing else.
 *
 * Programs without wildcards pay only for one bin per item. Few items need no bin at all: a receive that is the only
 * one, and unexpected messages until there have been more than MPI_FEW at a time. The hash decides only where a bin is
 * found, never an order. */
#include "mpi/core/call.h"
#include "mpi/core/matcher.h"
#include "mpi/core/pool.h"
#include "mpi/p2p/p2p.h"

struct MpiBin {
    MpiKey key;
    MpiBin *next; /* next bin of the chain */
    MpiItem *head, *tail;
};

typedef struct MpiWildLinks { /* the links of MpiItem.wild; allocated from the pool of bins */
    MpiItemLink links[MPI_KINDS - 1];
} MpiWildLinks;

enum { MPI_KIND_ANY_SOURCE = 1, MPI_KIND_ANY_TAG = 2 }; /* bits of a kind number */
enum { MPI_FEW = 4 };                                   /* up to so many unexpected messages are searched linearly */

size_t mpi_match_bin_size(void)
{
    return MAX(sizeof(MpiBin), sizeof(MpiWildLinks));
}

static unsigned key_kind(MpiKey key)
{
    return (key.source == MPI_ANY_SOURCE_ ? MPI_KIND_ANY_SOURCE : 0u) |
           (key.tag == MPI_ANY_TAG_ ? MPI_KIND_ANY_TAG : 0u);
}

static MpiKey key_of_kind(MpiKey key, unsigned kind)
{
    if (kind & MPI_KIND_ANY_SOURCE)
        key.source = MPI_ANY_SOURCE_;
    if (kind & MPI_KIND_ANY_TAG)
        key.tag = MPI_ANY_TAG_;
    return key;
}

static bool key_equal(MpiKey a, MpiKey b)
{
    return a.space == b.space && a.source == b.source && a.tag == b.tag;
}

bool mpi_match_accepts(MpiKey receive, MpiKey message)
{
    return receive.space == message.space && (receive.source == MPI_ANY_SOURCE_ || receive.source == message.source) &&
           (receive.tag == MPI_ANY_TAG_ || receive.tag == message.tag);
}

/* Returns a Fibonacci hash of the three words. */
static uint32_t key_hash(MpiKey key)
{
    uint64_t mixed = ((uint64_t)key.space << 32 ^ (uint32_t)key.source) * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 29 ^ (uint32_t)key.tag) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(mixed >> 32);
}

/* -- bins -------------------------------------------------------------------------------------- */

static MpiBin **index_chain(const MpiIndex *index, MpiKey key)
{
    return index->chains ? &index->chains[key_hash(key) & index->mask] : (MpiBin **)&index->first;
}

static MpiBin *index_find(const MpiIndex *index, MpiKey key)
{
    MpiBin *bin = *index_chain(index, key);
    while (bin && !key_equal(bin->key, key))
        bin = bin->next;
    return bin;
}

/* Enlarges the table, so that there is one bin per chain on average. */
static void index_grow(MpiIndex *index)
{
    uint32_t old_size = index->chains ? index->mask + 1 : 1, size = old_size == 1 ? 16 : 2 * old_size;
    MpiBin **old = index->chains ? index->chains : &index->first;
    MpiBin **chains = g_new0(MpiBin *, size);
    for (uint32_t i = 0; i < old_size; i++) {
        for (MpiBin *bin = old[i], *next; bin; bin = next) {
            next = bin->next;
            MpiBin **chain = &chains[key_hash(bin->key) & (size - 1)];
            bin->next = *chain;
            *chain = bin;
        }
    }
    g_free(index->chains);
    *index = (MpiIndex){.chains = chains, .mask = size - 1, .bins = index->bins};
}

static MpiBin *index_obtain(MpiIndex *index, MpiPool *bins, MpiKey key)
{
    MpiBin *bin = index_find(index, key);
    if (bin)
        return bin;
    if (index->bins >= (index->chains ? index->mask + 1 : 4))
        index_grow(index);
    MpiBin **chain = index_chain(index, key);
    bin = mpi_pool_take(bins);
    bin->key = key;
    bin->next = *chain;
    *chain = bin;
    index->bins++;
    return bin;
}

static void index_drop(MpiIndex *index, MpiPool *bins, MpiBin *bin)
{
    MpiBin **link = index_chain(index, bin->key);
    while (*link != bin)
        link = &(*link)->next;
    *link = bin->next;
    index->bins--;
    mpi_pool_give(bins, bin);
}

static MpiItemLink *link_of(MpiItem *item, unsigned kind)
{
    return kind ? &item->wild[kind - 1] : &item->exact;
}

static void bin_append(MpiIndex *index, MpiPool *bins, MpiKey key, MpiItem *item, unsigned link)
{
    MpiBin *bin = index_obtain(index, bins, key);
    if (link && !item->wild)
        item->wild = ((MpiWildLinks *)mpi_pool_take(bins))->links;
    MpiItemLink *at = link_of(item, link);
    g_assert(!at->bin);
    *at = (MpiItemLink){.bin = bin, .previous = bin->tail};
    if (bin->tail)
        link_of(bin->tail, link)->next = item;
    else
        bin->head = item;
    bin->tail = item;
}

static void bin_remove(MpiIndex *index, MpiPool *bins, MpiItem *item, unsigned link)
{
    MpiItemLink *at = link_of(item, link);
    MpiBin *bin = at->bin;
    g_assert(bin);
    if (at->previous)
        link_of(at->previous, link)->next = at->next;
    else
        bin->head = at->next;
    if (at->next)
        link_of(at->next, link)->previous = at->previous;
    else
        bin->tail = at->previous;
    *at = (MpiItemLink){0};
    if (!bin->head)
        index_drop(index, bins, bin);
}

/* -- posted receives --------------------------------------------------------------------------- */

static void post(MpiMatcher *matcher, MpiPool *bins, MpiItem *receive)
{
    receive->order = matcher->order++;
    if (G_UNLIKELY(matcher->watch))
        mpi_queue_add(matcher->watch, MPI_QUEUE_POSTED, receive);
    matcher->posted_of[key_kind(receive->key)]++;
    if (!matcher->lone && !matcher->posted.bins) {
        matcher->lone = receive;
        return;
    }
    if (matcher->lone)
        bin_append(&matcher->posted, bins, matcher->lone->key, matcher->lone, 0);
    matcher->lone = NULL;
    bin_append(&matcher->posted, bins, receive->key, receive, 0);
}

void mpi_match_withdraw(MpiMatcher *matcher, MpiPool *bins, MpiItem *receive)
{
    if (G_UNLIKELY(matcher->watch))
        mpi_queue_take(matcher->watch, MPI_QUEUE_POSTED, receive);
    if (mpi_match_is_ruled(matcher)) {
        matcher->rule->withdraw(matcher, receive);
        return;
    }
    unsigned kind = key_kind(receive->key);
    g_assert(matcher->posted_of[kind] > 0);
    matcher->posted_of[kind]--;
    if (receive == matcher->lone)
        matcher->lone = NULL;
    else
        bin_remove(&matcher->posted, bins, receive, 0);
}

/* Whether a receive whose key accepts the message does so itself. */
static inline bool awaits(const MpiItem *receive, MpiKey message)
{
    if (G_LIKELY(!receive->many))
        return true;
    const uint64_t *awaited = ((const MpiMany *)receive)->awaited;
    return awaited[message.source / 64] >> message.source % 64 & 1;
}

MpiItem *mpi_match_posted(const MpiMatcher *matcher, MpiKey key)
{
    MpiItem *best = NULL;
    if (mpi_match_is_ruled(matcher)) {
        const MpiItem message = {.key = key};
        return matcher->rule->posted(matcher, &message);
    }
    if (matcher->lone)
        return mpi_match_accepts(matcher->lone->key, key) && awaits(matcher->lone, key) ? matcher->lone : NULL;
    for (unsigned kind = 0; kind < MPI_KINDS; kind++) {
        if (!matcher->posted_of[kind])
            continue;
        MpiBin *bin = index_find(&matcher->posted, key_of_kind(key, kind));
        if (bin && (!best || bin->head->order < best->order) && awaits(bin->head, key))
            best = bin->head;
    }
    return best;
}

/* -- unexpected messages ----------------------------------------------------------------------- */

static void unexpected_append(MpiMatcher *matcher, MpiPool *bins, MpiItem *message)
{
    message->order = matcher->order++;
    if (G_UNLIKELY(matcher->watch))
        mpi_queue_add(matcher->watch, MPI_QUEUE_UNEXPECTED, message);
    message->previous = matcher->newest;
    message->next = NULL;
    if (matcher->newest)
        matcher->newest->next = message;
    else
        matcher->oldest = message;
    matcher->newest = message;
    matcher->n_unexpected++;
    for (unsigned kind = 0; kind < MPI_KINDS; kind++)
        if (matcher->indexed >> kind & 1)
            bin_append(&matcher->unexpected, bins, key_of_kind(message->key, kind), message, kind);
}

void mpi_match_remove(MpiMatcher *matcher, MpiPool *bins, MpiItem *message)
{
    if (G_UNLIKELY(matcher->watch))
        mpi_queue_take(matcher->watch, MPI_QUEUE_UNEXPECTED, message);
    if (message->previous)
        message->previous->next = message->next;
    else
        matcher->oldest = message->next;
    if (message->next)
        message->next->previous = message->previous;
    else
        matcher->newest = message->previous;
    message->previous = message->next = NULL;
    g_assert(matcher->n_unexpected > 0);
    matcher->n_unexpected--;
    for (unsigned kind = 0; kind < (message->wild ? MPI_KINDS : 1); kind++)
        if (link_of(message, kind)->bin)
            bin_remove(&matcher->unexpected, bins, message, kind);
    if (message->wild)
        mpi_pool_give(bins, message->wild);
    message->wild = NULL;
    if (!matcher->n_unexpected)
        matcher->indexed = 0;
}

/* The first receive of a kind has come. Indexes the unexpected messages by that kind of key. */
static void index_by(MpiMatcher *matcher, MpiPool *bins, unsigned kind)
{
    matcher->indexed |= 1u << kind;
    for (MpiItem *message = matcher->oldest; message; message = message->next)
        bin_append(&matcher->unexpected, bins, key_of_kind(message->key, kind), message, kind);
}

static MpiItem *first_accepted(const MpiMatcher *matcher, MpiKey key)
{
    MpiItem *item = matcher->oldest;
    while (item && !mpi_match_accepts(key, item->key))
        item = item->next;
    return item;
}

/* Returns the oldest message of the lowest rank that has sent one. */
static MpiItem *first_by_rank(const MpiMatcher *matcher, MpiKey key)
{
    MpiItem *best = NULL;
    for (MpiItem *item = matcher->oldest; item; item = item->next)
        if (mpi_match_accepts(key, item->key) && (!best || item->key.source < best->key.source))
            best = item;
    return best;
}

MpiItem *mpi_match_probe(MpiMatcher *matcher, MpiPool *bins, MpiKey key)
{
    if (mpi_match_is_ruled(matcher))
        return matcher->rule->find(matcher, key, NULL);
    unsigned kind = key_kind(key);
    if (G_UNLIKELY(matcher->by_rank) && kind & MPI_KIND_ANY_SOURCE)
        return first_by_rank(matcher, key);
    if (matcher->n_unexpected <= MPI_FEW)
        return first_accepted(matcher, key);
    if (!(matcher->indexed >> kind & 1))
        index_by(matcher, bins, kind);
    MpiBin *bin = index_find(&matcher->unexpected, key);
    return bin ? bin->head : NULL;
}

/* -- both -------------------------------------------------------------------------------------- */

void mpi_match_post_many(MpiMatcher *matcher, MpiPool *bins, MpiMany *many)
{
    many->item.many = true;
    post(matcher, bins, &many->item);
}

/* The message of one of its ranks has come. */
static void many_take(MpiMatcher *matcher, MpiPool *bins, MpiMany *many, uint32_t source)
{
    many->awaited[source / 64] &= ~(UINT64_C(1) << source % 64);
    if (--many->open == 0)
        mpi_match_withdraw(matcher, bins, &many->item);
}

MpiItem *mpi_match_arrival(MpiMatcher *matcher, MpiPool *bins, MpiItem *message)
{
    MpiItem *receive = matcher->lone;
    if (receive && !matcher->rule && !matcher->watch && !receive->many &&
        mpi_match_accepts(receive->key,
                          message->key)) { /* the usual case: it is the only receive, and waits for this */
        matcher->posted_of[key_kind(receive->key)]--;
        matcher->lone = NULL;
        return receive;
    }
    receive =
        mpi_match_is_ruled(matcher) ? matcher->rule->posted(matcher, message) : mpi_match_posted(matcher, message->key);
    uint32_t searched = matcher->watch ? mpi_queue_search(matcher->watch, MPI_QUEUE_POSTED, receive) : 0;
    if (receive && G_UNLIKELY(searched))
        ((MpiRequest *)receive)->searched = searched;
    if (receive && G_UNLIKELY(receive->many))
        many_take(matcher, bins, (MpiMany *)receive, (uint32_t)message->key.source);
    else if (receive)
        mpi_match_withdraw(matcher, bins, receive);
    else
        unexpected_append(matcher, bins, message);
    return receive;
}

static void post_ruled(MpiMatcher *matcher, MpiItem *receive)
{
    matcher->rule->post(matcher, receive);
    if (matcher->watch)
        mpi_queue_add(matcher->watch, MPI_QUEUE_POSTED, receive);
}

MpiItem *mpi_match_post(MpiMatcher *matcher, MpiPool *bins, MpiItem *receive)
{
    if (!matcher->n_unexpected && !matcher->rule &&
        !matcher->watch) { /* the usual case: the receive is posted before its message comes */
        if (!matcher->lone && !matcher->posted.bins) {
            receive->order = matcher->order++;
            matcher->posted_of[key_kind(receive->key)]++;
            matcher->lone = receive;
            return NULL;
        }
        post(matcher, bins, receive);
        return NULL;
    }
    MpiItem *message = mpi_match_is_ruled(matcher) ? matcher->rule->find(matcher, receive->key, receive)
                                                   : mpi_match_probe(matcher, bins, receive->key);
    if (G_UNLIKELY(matcher->watch))
        ((MpiRequest *)receive)->searched = mpi_queue_search(matcher->watch, MPI_QUEUE_UNEXPECTED, message);
    if (message)
        mpi_match_remove(matcher, bins, message);
    else if (mpi_match_is_ruled(matcher))
        post_ruled(matcher, receive);
    else
        post(matcher, bins, receive);
    return message;
}

void mpi_match_clear(MpiMatcher *matcher)
{
    g_free(matcher->posted.chains);
    g_free(matcher->unexpected.chains);
    mpi_queue_watch_free(matcher->watch);
    *matcher = (MpiMatcher){0};
}
