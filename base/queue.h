/* queue.h - the event queue: events in virtual time, in one total order. */
#ifndef ORRERY_BASE_QUEUE_H
#define ORRERY_BASE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An event. Events are ordered by (time, kind, rank, sequence). The queue numbers them in the order of insertion. */
typedef struct BaseEvent {
    uint64_t time_ps;
    union {
        struct {
            uint32_t rank; /* rank, node or channel: the third part of the order */
            uint32_t kind;
        };
        uint64_t place; /* (kind, rank) as one number that compares in that order (hosts are little-endian) */
    };
    uint64_t sequence;
    uint64_t a, b; /* payload: the queue does not look at it */
} BaseEvent;
typedef struct BaseQueue BaseQueue;
BaseQueue *base_queue_new(void);
/* Frees a queue and all events in it. NULL is allowed. */
void base_queue_free(BaseQueue *queue);
/* Inserts an event in O(log n) at most. */
void base_queue_push(BaseQueue *queue, uint64_t time_ps, uint32_t kind, uint32_t rank, uint64_t a, uint64_t b);
/* Returns the least event, or NULL if the queue is empty. The pointer is valid until the next push or pop. */
const BaseEvent *base_queue_top(const BaseQueue *queue);
/* Returns the time of the least event, UINT64_MAX if the queue is empty. It is the first word of every queue, so that
 * the call costs one load. */
static inline uint64_t base_queue_next_time(const BaseQueue *queue)
{
    return *(const uint64_t *)(const void *)queue;
}
/* Removes the least event and copies it to *event. Returns false if the queue is empty. O(log n) at most. */
bool base_queue_pop(BaseQueue *queue, BaseEvent *event);
/* Removes the least event, which base_queue_top() has returned. */
void base_queue_drop(BaseQueue *queue);
/* Guesses which event will be the least after `n` more have been removed, n < 100. NULL: the queue cannot tell cheaply.
 * A caller can prefetch the data that the event will need. */
const BaseEvent *base_queue_soon(const BaseQueue *queue, unsigned n);
size_t base_queue_size(const BaseQueue *queue);
/* Returns the least time of the events for which `counts` returns true, UINT64_MAX if there are none. O(n). */
uint64_t base_queue_next_of(const BaseQueue *queue, bool (*counts)(const BaseEvent *event, void *user), void *user);
/* Compares two events: <0, 0 or >0. This is the definition of event order. */
int base_queue_compare(const BaseEvent *a, const BaseEvent *b);

#endif
