/* queue.c - the event queue: strict total order (time, kind, rank, sequence).
 *
 * The sequence number makes every event different. So the order in which events come out depends only on the order of
 * insertions, never on where the queue keeps them. It keeps them in four kinds of storage:
 *
 *   front   one event, less than all others. An event that is the least when it is inserted goes there. A chain of
 *           events, each of which makes the next, costs no more than that.
 *   line    a ring in ascending order. An event goes there if its place is near the end, or at the beginning: mostly,
 *           what is made later is for later, too. Most programs' events never leave it.
 *   heap    a 4-ary heap: entry i has the children 4i+1 .. 4i+4, and no child is less than its parent. Four children
 *           per entry halve the depth and share cache lines.
 *   runs    a few lists in ascending order. Events are appended at the end and removed at the front. Chunks of memory
 *           come and go with the events.
 *
 * What does not fit into the line goes to the heap while that is small. Beyond that, an event that is not less than the
 * last one of a run is appended to that run. Many ranks that do the same make events that are nearly sorted: they are
 * inserted in the order of ranks, one kind after the other. Then nearly all events lie in runs, and the queue touches
 * memory in sequence; a heap of a million entries would miss the cache at every level. (Runs are the piles of patience
 * sorting: Chandramouli and Goldstein, "Patience is a Virtue", 2014. An event goes to the pile with the greatest end
 * that fits, so that piles with smaller ends stay open for smaller events.)
 */
#include "base/queue.h"

#include <assert.h>
#include <glib.h>
#include <string.h>

enum { ARITY = 4, FIRST_CAPACITY = 64, RUNS = 12, SMALL_HEAP = 16, CHUNK_EVENTS = 100, KEPT_CHUNKS = 32 };
/* Events of the line that give way to a new one; the longest line. */
enum { GIVE_WAY = 8, LONGEST_LINE = 65536 };

typedef struct Chunk {
    struct Chunk *next;
    BaseEvent events[CHUNK_EVENTS];
} Chunk;

typedef struct Run { /* ascending, from first->events[head] to last->events[end - 1] */
    Chunk *first, *last;
    unsigned head, end;
} Run;

struct BaseQueue {
    uint64_t next_ps;   /* must be the first member: base_queue_next_time() reads it */
    uint64_t second_ps; /* time of the least event apart from the front; UINT64_MAX: there is none */
    BaseEvent front;
    bool has_front;
    bool line_first; /* the least event apart from the front is in the line */
    BaseEvent *line; /* from line[head & mask] to line[(head + length - 1) & mask] */
    uint32_t head, length, mask;
    BaseEvent *heap;
    size_t heap_size, heap_capacity;
    Run runs[RUNS];
    unsigned used; /* runs [0, used) have been used; some may be empty */
    size_t in_runs;
    Chunk *spare; /* list of free chunks */
    unsigned spares;
    Run *first; /* the run with the least event apart from front and line; NULL: it is in the heap, or there is none */
    uint64_t next_sequence;
};

int base_queue_compare(const BaseEvent *a, const BaseEvent *b)
{
    if (a->time_ps != b->time_ps)
        return a->time_ps < b->time_ps ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/* Compares as base_queue_compare() does, but as one number of 128 bits: branches here could not be predicted. */
static inline bool event_less(const BaseEvent *a, const BaseEvent *b)
{
    unsigned __int128 first = (unsigned __int128)a->time_ps << 64 | a->place;
    unsigned __int128 second = (unsigned __int128)b->time_ps << 64 | b->place;
    return first == second ? a->sequence < b->sequence : first < second;
}

/* Tells whether a new event is less than another. Its sequence number is the greatest of all. */
static inline bool comes_before(uint64_t time_ps, uint64_t place, const BaseEvent *other)
{
    unsigned __int128 first = (unsigned __int128)time_ps << 64 | place;
    unsigned __int128 second = (unsigned __int128)other->time_ps << 64 | other->place;
    return first < second;
}

/* Copies an event that has just been written, word by word as it was written (orrery_engine() in cmake says why). */
static inline void copy_fresh(BaseEvent *to, const BaseEvent *from)
{
    to->time_ps = from->time_ps;
    to->place = from->place;
    to->sequence = from->sequence;
    to->a = from->a;
    to->b = from->b;
}

BaseQueue *base_queue_new(void)
{
    BaseQueue *queue = g_new0(BaseQueue, 1);
    queue->next_ps = queue->second_ps = UINT64_MAX;
    queue->heap_capacity = FIRST_CAPACITY;
    queue->heap = g_new(BaseEvent, queue->heap_capacity);
    queue->line = g_new(BaseEvent, FIRST_CAPACITY);
    queue->mask = FIRST_CAPACITY - 1;
    return queue;
}

static void free_chunks(Chunk *chunk)
{
    for (Chunk *next; chunk; chunk = next) {
        next = chunk->next;
        g_free(chunk);
    }
}

void base_queue_free(BaseQueue *queue)
{
    if (!queue)
        return;
    for (unsigned i = 0; i < RUNS; i++)
        free_chunks(queue->runs[i].first);
    free_chunks(queue->spare);
    g_free(queue->heap);
    g_free(queue->line);
    g_free(queue);
}

/* -- the line ---------------------------------------------------------------------------------- */

static inline BaseEvent *line_at(const BaseQueue *queue, uint32_t i)
{
    return &queue->line[(queue->head + i) & queue->mask];
}

/* Doubles the room of a full line. Returns false if it is as long as a line can be. */
static G_GNUC_NO_INLINE bool line_grow(BaseQueue *queue)
{
    if (queue->length >= LONGEST_LINE)
        return false;
    BaseEvent *line = g_new(BaseEvent, 2 * (size_t)queue->length);
    for (uint32_t i = 0; i < queue->length; i++)
        line[i] = *line_at(queue, i);
    g_free(queue->line);
    queue->line = line;
    queue->head = 0;
    queue->mask = 2 * queue->length - 1;
    return true;
}

static inline bool line_has_room(BaseQueue *queue)
{
    return G_LIKELY(queue->length <= queue->mask) || line_grow(queue);
}

/* Puts an event into the line if few events there are greater. */
static inline bool line_put(BaseQueue *queue, const BaseEvent *event)
{
    uint32_t i = queue->length, least = i > GIVE_WAY ? i - GIVE_WAY : 0;
    if (least && event_less(event, line_at(queue, least - 1)))
        return false;
    while (i > least && event_less(event, line_at(queue, i - 1)))
        i--;
    if (!line_has_room(queue))
        return false;
    for (uint32_t k = queue->length++; k > i; k--)
        *line_at(queue, k) = *line_at(queue, k - 1);
    copy_fresh(line_at(queue, i), event);
    return true;
}

/* Puts an event that is less than all others before the line. */
static inline bool line_put_first(BaseQueue *queue, const BaseEvent *event)
{
    if (!line_has_room(queue))
        return false;
    queue->head--;
    queue->length++;
    copy_fresh(line_at(queue, 0), event);
    return true;
}

/* -- the heap ---------------------------------------------------------------------------------- */

/* Moves the hole at `i` up until `event` fits in it. */
static void sift_up(BaseQueue *queue, size_t i, const BaseEvent *event)
{
    while (i > 0) {
        size_t parent = (i - 1) / ARITY;
        if (event_less(&queue->heap[parent], event))
            break;
        queue->heap[i] = queue->heap[parent];
        i = parent;
    }
    copy_fresh(&queue->heap[i], event);
}

static size_t least_child(const BaseQueue *queue, size_t i)
{
    size_t first = ARITY * i + 1;
    size_t end = MIN(first + ARITY, queue->heap_size);
    size_t least = first;
    for (size_t child = first + 1; child < end; child++)
        least = event_less(&queue->heap[child], &queue->heap[least]) ? child : least;
    return least;
}

/* Moves the hole at the top down until `event` fits in it. */
static void sift_down(BaseQueue *queue, const BaseEvent *event)
{
    size_t i = 0;
    while (ARITY * i + 1 < queue->heap_size) {
        size_t child = least_child(queue, i);
        if (event_less(event, &queue->heap[child]))
            break;
        queue->heap[i] = queue->heap[child];
        i = child;
    }
    queue->heap[i] = *event;
}

static void heap_push(BaseQueue *queue, const BaseEvent *event)
{
    assert(queue->heap_capacity > 0);
    if (queue->heap_size == queue->heap_capacity) {
        queue->heap_capacity *= 2;
        queue->heap = g_renew(BaseEvent, queue->heap, queue->heap_capacity);
    }
    sift_up(queue, queue->heap_size++, event);
}

static void heap_pop(BaseQueue *queue)
{
    BaseEvent last = queue->heap[--queue->heap_size];
    if (queue->heap_size)
        sift_down(queue, &last);
}

/* -- runs -------------------------------------------------------------------------------------- */

static bool run_is_empty(const Run *run)
{
    return run->first == run->last && run->head == run->end;
}

static const BaseEvent *run_first(const Run *run)
{
    return &run->first->events[run->head];
}

static const BaseEvent *run_last(const Run *run)
{
    return &run->last->events[run->end - 1];
}

/* Returns the run with the greatest last event that is not beyond `event`; else an empty run; else NULL. */
static Run *fitting_run(BaseQueue *queue, const BaseEvent *event)
{
    Run *best = NULL, *empty = queue->used < RUNS ? &queue->runs[queue->used] : NULL;
    for (Run *run = queue->runs; run < queue->runs + queue->used; run++) {
        if (run_is_empty(run)) {
            empty = run;
            continue;
        }
        const BaseEvent *last = run_last(run);
        if (event_less(last, event) && (!best || event_less(run_last(best), last)))
            best = run;
    }
    return best ? best : empty;
}

static Chunk *take_chunk(BaseQueue *queue)
{
    Chunk *chunk = queue->spare;
    if (!chunk)
        return g_new(Chunk, 1);
    queue->spare = chunk->next;
    queue->spares--;
    return chunk;
}

static void give_chunk(BaseQueue *queue, Chunk *chunk)
{
    if (queue->spares == KEPT_CHUNKS) {
        g_free(chunk);
        return;
    }
    chunk->next = queue->spare;
    queue->spare = chunk;
    queue->spares++;
}

static void run_push(BaseQueue *queue, Run *run, const BaseEvent *event)
{
    if (run == queue->runs + queue->used)
        queue->used++;
    if (!run->last || run->end == CHUNK_EVENTS) {
        Chunk *chunk = take_chunk(queue);
        chunk->next = NULL;
        if (run->last)
            run->last->next = chunk;
        else
            run->first = chunk;
        run->last = chunk;
        run->end = 0;
    }
    copy_fresh(&run->last->events[run->end++], event);
    queue->in_runs++;
}

/* An empty run has at most one chunk, which is filled from its beginning. */
static void run_pop(BaseQueue *queue, Run *run)
{
    queue->in_runs--;
    run->head++;
    if (run_is_empty(run)) {
        run->head = run->end = 0;
    } else if (run->head == CHUNK_EVENTS) {
        Chunk *chunk = run->first;
        run->first = chunk->next;
        run->head = 0;
        give_chunk(queue, chunk);
    }
}

/* Returns the run whose first event is the least; NULL: the top of the heap is less, or everything is empty. */
static Run *first_run(BaseQueue *queue)
{
    const BaseEvent *least = queue->heap_size ? &queue->heap[0] : NULL;
    Run *first = NULL;
    for (Run *run = queue->runs; run < queue->runs + queue->used; run++) {
        if (run_is_empty(run) || (least && event_less(least, run_first(run))))
            continue;
        first = run;
        least = run_first(run);
    }
    return first;
}

/* -- all --------------------------------------------------------------------------------------- */

/* Returns the least event apart from the front and the line. */
static inline const BaseEvent *beside_line(const BaseQueue *queue)
{
    if (queue->first)
        return run_first(queue->first);
    return queue->heap_size ? &queue->heap[0] : NULL;
}

/* Returns the least event apart from the front. */
static inline const BaseEvent *second(const BaseQueue *queue)
{
    return queue->line_first ? line_at(queue, 0) : beside_line(queue);
}

const BaseEvent *base_queue_top(const BaseQueue *queue)
{
    return queue->has_front ? &queue->front : second(queue);
}

/* Inserts an event into the heap or a run. `least` says that it is less than all others but the front. */
static G_GNUC_NO_INLINE void put_beside_line(BaseQueue *queue, const BaseEvent *event, bool least)
{
    const BaseEvent *top = beside_line(queue);
    bool first = least || !top || event_less(event, top);
    Run *run = queue->heap_size >= SMALL_HEAP ? fitting_run(queue, event) : NULL;
    if (run)
        run_push(queue, run, event);
    else
        heap_push(queue, event);
    if (first)
        queue->first = run;
    if (least)
        queue->line_first = false;
}

/* Inserts an event into the line, the heap or a run. */
static inline void put(BaseQueue *queue, const BaseEvent *event, bool least)
{
    if (!(least ? line_put_first(queue, event) : line_put(queue, event)))
        put_beside_line(queue, event, least);
    else if (least)
        queue->line_first = true;
    if (least)
        queue->second_ps = event->time_ps;
}

/* Inserts an event that is not to be the front. */
static G_GNUC_NO_INLINE void put_behind(BaseQueue *queue, uint64_t time_ps, uint64_t place, uint64_t sequence,
                                        uint64_t a, uint64_t b)
{
    BaseEvent event = {.time_ps = time_ps, .place = place, .sequence = sequence, .a = a, .b = b};
    const BaseEvent *other = time_ps == queue->second_ps ? second(queue) : NULL;
    put(queue, &event, other ? event_less(&event, other) : time_ps <= queue->second_ps);
}

/* Puts an event at the end of a line that has others, where most go. Returns false if that is not its place. */
static inline bool append(BaseQueue *queue, uint64_t time_ps, uint64_t place, uint64_t sequence, uint64_t a, uint64_t b)
{
    if (!queue->length || queue->length > queue->mask ||
        comes_before(time_ps, place, line_at(queue, queue->length - 1)))
        return false;
    BaseEvent *event = line_at(queue, queue->length++);
    event->time_ps = time_ps;
    event->place = place;
    event->sequence = sequence;
    event->a = a;
    event->b = b;
    return true;
}

void base_queue_push(BaseQueue *queue, uint64_t time_ps, uint32_t kind, uint32_t rank, uint64_t a, uint64_t b)
{
    uint64_t place = (uint64_t)kind << 32 | rank, sequence = queue->next_sequence++;
    if (append(queue, time_ps, place, sequence, a, b))
        return;
    const BaseEvent *top = time_ps == queue->next_ps ? base_queue_top(queue) : NULL;
    if (top ? !comes_before(time_ps, place, top) : time_ps > queue->next_ps) {
        put_behind(queue, time_ps, place, sequence, a, b);
        return;
    }
    if (queue->has_front)
        put(queue, &queue->front, true);
    queue->next_ps = queue->front.time_ps = time_ps;
    queue->front.place = place;
    queue->front.sequence = sequence;
    queue->front.a = a;
    queue->front.b = b;
    queue->has_front = true;
}

static G_GNUC_NO_INLINE void pop_beside_line(BaseQueue *queue)
{
    if (queue->first)
        run_pop(queue, queue->first);
    else
        heap_pop(queue);
    if (!queue->in_runs)
        queue->used = 0;
    queue->first = first_run(queue);
}

static inline void pop_second(BaseQueue *queue)
{
    if (queue->line_first) {
        queue->head++;
        queue->length--;
    } else {
        pop_beside_line(queue);
    }
    const BaseEvent *beside = beside_line(queue);
    queue->line_first = queue->length && (!beside || event_less(line_at(queue, 0), beside));
    const BaseEvent *next = queue->line_first ? line_at(queue, 0) : beside;
    queue->second_ps = next ? next->time_ps : UINT64_MAX;
}

void base_queue_drop(BaseQueue *queue)
{
    if (queue->has_front)
        queue->has_front = false;
    else
        pop_second(queue);
    queue->next_ps = queue->second_ps;
}

bool base_queue_pop(BaseQueue *queue, BaseEvent *event)
{
    const BaseEvent *top = base_queue_top(queue);
    if (!top)
        return false;
    copy_fresh(event, top);
    base_queue_drop(queue);
    return true;
}

const BaseEvent *base_queue_soon(const BaseQueue *queue, unsigned n)
{
    const Run *run = queue->first;
    if (queue->line_first)
        return n < queue->length ? line_at(queue, n) : NULL;
    if (!run)
        return NULL;
    unsigned at = run->head + n;
    const Chunk *chunk = at < CHUNK_EVENTS ? run->first : run->first->next;
    at %= CHUNK_EVENTS;
    return chunk && (chunk != run->last || at < run->end) ? &chunk->events[at] : NULL;
}

size_t base_queue_size(const BaseQueue *queue)
{
    return queue->heap_size + queue->in_runs + queue->length + queue->has_front;
}

uint64_t base_queue_next_of(const BaseQueue *queue, bool (*counts)(const BaseEvent *event, void *user), void *user)
{
    uint64_t next_ps = queue->has_front && counts(&queue->front, user) ? queue->front.time_ps : UINT64_MAX;
    for (uint32_t i = 0; i < queue->length && line_at(queue, i)->time_ps < next_ps; i++)
        if (counts(line_at(queue, i), user))
            next_ps = line_at(queue, i)->time_ps;
    for (size_t i = 0; i < queue->heap_size; i++)
        if (queue->heap[i].time_ps < next_ps && counts(&queue->heap[i], user))
            next_ps = queue->heap[i].time_ps;
    for (const Run *run = queue->runs; run < queue->runs + queue->used; run++) {
        unsigned at = run->head;
        for (const Chunk *chunk = run->first; chunk; chunk = chunk->next, at = 0)
            for (unsigned end = chunk == run->last ? run->end : CHUNK_EVENTS; at < end; at++)
                if (chunk->events[at].time_ps < next_ps && counts(&chunk->events[at], user))
                    next_ps = chunk->events[at].time_ps;
    }
    return next_ps;
}
