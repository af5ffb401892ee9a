/* queues.c - what a search of a rank's queues costs, and how long they are: as if they were the lists that libraries
 * have, whatever the matcher of the simulator does (match.c).
 *
 *      key match = list   an arriving message looks at the posted receives from the oldest on, until one fits; a
 * receive or a probe looks at the unexpected messages likewise; each element costs queue-element match = hash   a
 * search that finds or could find something looks at one element
 *
 * How many elements come before one is a matter of order numbers, which the matcher gives to everything in a queue. A
 * line is the set of the order numbers that are in a queue: a bit each, and a Fenwick tree over the words of bits, so
 * that a search costs the simulator the logarithm of what the list would cost.
 *
 * Who pays: what arrives for a posted receive is paid for by who handles it, with the match. What joins the unexpected
 * messages is paid for by the rank's blocked call, or by its next one; by the thread, or the network interface, where
 * these handle messages. Searching for a new receive or a probe is paid for by the call, or by the network interface
 * that has the queues. */
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/matcher.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

#include <assert.h>
#include <string.h>

const char *const *mpi_queue_matches(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MPI_MATCHES);
    return names;
}

/* -- lines ------------------------------------------------------------------------------------- */

enum { LEAST_WORDS = 4 };

typedef struct Line {
    uint64_t base;  /* order number of the first bit, a multiple of 64 */
    uint64_t *bits; /* NULL: nothing was ever in it */
    uint32_t *sums; /* Fenwick tree: sums[i] counts the bits of the words from i - (i & -i) to i - 1 */
    uint32_t words, length;
} Line;

static void count(Line *line, uint32_t word, uint32_t change)
{
    for (uint32_t i = word + 1; i <= line->words; i += i & -i)
        line->sums[i] += change;
}

/* Makes room for the order number: drops the empty words at the beginning if they are half of all, else doubles the
 * line, until it fits. */
static void make_room(Line *line, uint64_t order)
{
    uint32_t first = 0, words = MAX(line->words, LEAST_WORDS);
    while (first < line->words && !line->bits[first])
        first++;
    line->base += UINT64_C(64) * first;
    if (first < line->words / 2)
        words *= 2;
    while ((order - line->base) / 64 >= words)
        words *= 2;
    uint64_t *bits = g_new0(uint64_t, words);
    if (line->words)
        memcpy(bits, line->bits + first, (line->words - first) * sizeof *bits);
    g_free(line->bits);
    line->bits = bits;
    line->words = words;
    line->sums = g_renew(uint32_t, line->sums, words + 1);
    memset(line->sums, 0, (words + 1) * sizeof *line->sums);
    for (uint32_t i = 0; i < words; i++)
        if (bits[i])
            count(line, i, (uint32_t)__builtin_popcountll(bits[i]));
}

static void add(Line *line, uint64_t order)
{
    if (!line->length) /* all words are zero */
        line->base = order & ~UINT64_C(63);
    if ((order - line->base) / 64 >= line->words)
        make_room(line, order);
    uint32_t word = (uint32_t)((order - line->base) / 64);
    line->bits[word] |= UINT64_C(1) << order % 64;
    line->length++;
    count(line, word, 1);
}

static void take(Line *line, uint64_t order)
{
    uint32_t word = (uint32_t)((order - line->base) / 64);
    assert(line->bits[word] >> order % 64 & 1);
    line->bits[word] &= ~(UINT64_C(1) << order % 64);
    line->length--;
    count(line, word, UINT32_MAX); /* - 1 */
}

/* Returns how many are in the line before this one. */
static uint32_t before(const Line *line, uint64_t order)
{
    uint32_t word = (uint32_t)((order - line->base) / 64);
    uint32_t n = (uint32_t)__builtin_popcountll(line->bits[word] & ((UINT64_C(1) << order % 64) - 1));
    for (uint32_t i = word; i; i &= i - 1)
        n += line->sums[i];
    return n;
}

/* -- watching a matcher ------------------------------------------------------------------------ */

struct MpiQueueWatch {
    Line lines[MPI_QUEUES];
    MpiQueueStats stats[MPI_QUEUES];
    bool hashed;
    uint32_t looked_at; /* elements of the last search */
    uint64_t debt_ps;   /* searches that the rank's next call pays for */
    MpiMessage note;    /* stands for them in the inbox; phase MPI_PHASE_SEARCHES */
};

void mpi_queue_add(MpiQueueWatch *watch, MpiQueue queue, const MpiItem *item)
{
    add(&watch->lines[queue], item->order);
    watch->stats[queue].longest = MAX(watch->stats[queue].longest, watch->lines[queue].length);
}

void mpi_queue_take(MpiQueueWatch *watch, MpiQueue queue, const MpiItem *item)
{
    take(&watch->lines[queue], item->order);
}

uint32_t mpi_queue_search(MpiQueueWatch *watch, MpiQueue queue, const MpiItem *found)
{
    const Line *line = &watch->lines[queue];
    MpiQueueStats *stats = &watch->stats[queue];
    uint32_t elements = found ? before(line, found->order) + 1 : line->length;
    if (watch->hashed)
        elements = MIN(elements, 1);
    stats->searches++;
    stats->lengths += line->length;
    stats->elements += elements;
    watch->looked_at = elements;
    return elements;
}

const MpiQueueStats *mpi_world_queue(const MpiWorld *world, uint32_t rank, MpiQueue queue)
{
    static const MpiQueueStats none = {0};
    const MpiQueueWatch *watch = mpi_world_rank(world, rank)->matcher.watch;
    return watch ? &watch->stats[queue] : &none;
}

void mpi_queue_watch_free(MpiQueueWatch *watch)
{
    for (int queue = 0; watch && queue < MPI_QUEUES; queue++) {
        g_free(watch->lines[queue].bits);
        g_free(watch->lines[queue].sums);
    }
    g_free(watch);
}

/* -- paying ------------------------------------------------------------------------------------ */

static uint64_t search_ps(const MpiWorld *world, uint32_t elements)
{
    return elements * world->params.queue_element_ps;
}

void mpi_queue_pay(MpiCall *call, uint32_t elements)
{
    uint64_t ps = search_ps(call->world, elements);
    if (!ps)
        return;
    if (!call->background && call->world->progress[MPI_PROGRESS_MESSAGES] == MPI_PROGRESS_OFFLOAD)
        mpi_progress_serve(call->rank, MPI_PROGRESS_OFFLOAD, call->now, ps);
    else
        mpi_call_charge(call, ps);
}

void mpi_queue_pay_arrival(MpiRank *rank, uint64_t time_ps)
{
    MpiWorld *world = rank->world;
    MpiQueueWatch *watch = rank->matcher.watch;
    MpiProgress by = world->progress[MPI_PROGRESS_MESSAGES];
    uint64_t ps = search_ps(world, watch->looked_at);
    if (!ps)
        return;
    if (by != MPI_PROGRESS_INLINE) {
        mpi_progress_serve(rank, by, time_ps, ps);
        return;
    }
    MpiCall *call = mpi_call_receptive(rank);
    if (call) {
        mpi_call_advance(call, time_ps);
        mpi_call_charge(call, ps);
        return;
    }
    if (!watch->debt_ps)
        mpi_transfer_inbox_put(rank, &watch->note);
    watch->debt_ps += ps;
}

void mpi_queue_pay_debt(MpiCall *call)
{
    MpiQueueWatch *watch = call->rank->matcher.watch;
    mpi_call_charge(call, watch->debt_ps);
    watch->debt_ps = 0;
}

/* -- the world --------------------------------------------------------------------------------- */

static void watch_rank(MpiRank *rank, const MpiWorld *world)
{
    if (rank->matcher.watch)
        return;
    rank->matcher.watch = g_new0(MpiQueueWatch, 1);
    rank->matcher.watch->hashed = world->params.match == MPI_MATCH_HASH;
    rank->matcher.watch->note.phase = MPI_PHASE_SEARCHES;
}

void mpi_world_watch_queues(MpiWorld *world)
{
    if (world->watches_queues)
        return;
    world->detailed = world->watches_queues = true;
    mpi_hooks_close_short(world);
    for (uint32_t i = 0; i < world->n_ranks; i++)
        watch_rank(&world->ranks[i], world);
}

static void begin(MpiWorld *world)
{
    if (world->params.queue_element_ps)
        mpi_world_watch_queues(world);
}

static void came(MpiRank *rank)
{
    if (rank->world->watches_queues)
        watch_rank(rank, rank->world);
}

const MpiPart mpi_part_queues = {.begin = begin, .came = came};
