/* queue.c - the event queue: a 4-ary heap with the strict total order (time, kind, rank, sequence).
 *
 * The sequence number makes every event different, so the order in which events come out depends only on what was put
 * in and when, never on the shape of the heap. Four children per entry halve the depth and share cache lines.
 *
 *   entry i has children 4i+1 .. 4i+4; no child is less than its parent
 */
#include "netsim/netsim.h"

#include <assert.h>

enum { ARITY = 4, FIRST_CAPACITY = 64 };

struct NetQueue {
    NetEvent *heap;
    size_t size, capacity;
    uint64_t next_sequence;
};

int net_event_compare(const NetEvent *a, const NetEvent *b)
{
    if (a->time_ps != b->time_ps)
        return a->time_ps < b->time_ps ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

NetQueue *net_queue_new(void)
{
    NetQueue *queue = g_new0(NetQueue, 1);
    queue->capacity = FIRST_CAPACITY;
    queue->heap = g_new(NetEvent, queue->capacity);
    return queue;
}

void net_queue_free(NetQueue *queue)
{
    if (!queue)
        return;
    g_free(queue->heap);
    g_free(queue);
}

/* Moves the hole at `i` up until `event` fits in it. */
static void sift_up(NetQueue *queue, size_t i, const NetEvent *event)
{
    while (i > 0) {
        size_t parent = (i - 1) / ARITY;
        if (net_event_compare(&queue->heap[parent], event) <= 0)
            break;
        queue->heap[i] = queue->heap[parent];
        i = parent;
    }
    queue->heap[i] = *event;
}

static size_t least_child(const NetQueue *queue, size_t i)
{
    size_t first = ARITY * i + 1;
    size_t end = MIN(first + ARITY, queue->size);
    size_t least = first;
    for (size_t child = first + 1; child < end; child++)
        if (net_event_compare(&queue->heap[child], &queue->heap[least]) < 0)
            least = child;
    return least;
}

/* Moves the hole at the top down until `event` fits in it. */
static void sift_down(NetQueue *queue, const NetEvent *event)
{
    size_t i = 0;
    while (ARITY * i + 1 < queue->size) {
        size_t child = least_child(queue, i);
        if (net_event_compare(event, &queue->heap[child]) <= 0)
            break;
        queue->heap[i] = queue->heap[child];
        i = child;
    }
    queue->heap[i] = *event;
}

void net_queue_push(NetQueue *queue, uint64_t time_ps, uint32_t kind, uint32_t rank, uint64_t a, uint64_t b)
{
    if (queue->size == queue->capacity) {
        queue->capacity *= 2;
        queue->heap = g_renew(NetEvent, queue->heap, queue->capacity);
    }
    NetEvent event = {
        .time_ps = time_ps, .kind = kind, .rank = rank, .sequence = queue->next_sequence++, .a = a, .b = b};
    sift_up(queue, queue->size++, &event);
}

const NetEvent *net_queue_top(const NetQueue *queue)
{
    return queue->size ? &queue->heap[0] : NULL;
}

bool net_queue_pop(NetQueue *queue, NetEvent *event)
{
    if (!queue->size)
        return false;
    *event = queue->heap[0];
    NetEvent last = queue->heap[--queue->size];
    if (queue->size)
        sift_down(queue, &last);
    assert(!queue->size || net_event_compare(event, &queue->heap[0]) < 0);
    return true;
}

size_t net_queue_size(const NetQueue *queue)
{
    return queue->size;
}
