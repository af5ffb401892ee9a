/* queue.h - the event queue: what happens in virtual time, in one total order. */
#ifndef ORRERY_BASE_QUEUE_H
#define ORRERY_BASE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Events in the order (time, kind, rank, sequence); sequence numbers are given by the queue in order of insertion. */
typedef struct BaseEvent {
    uint64_t time_ps;
    union {
        struct {
            uint32_t rank; /* rank, node or channel: the third part of the order */
            uint32_t kind;
        };
        uint64_t place; /* both in their order, as one number (hosts are little-endian) */
    };
    uint64_t sequence;
    uint64_t a, b; /* payload, the owner's business */
} BaseEvent;
typedef struct BaseQueue BaseQueue;
BaseQueue *base_queue_new(void);
void base_queue_free(BaseQueue *queue);
void base_queue_push(BaseQueue *queue, uint64_t time_ps, uint32_t kind, uint32_t rank, uint64_t a,
                     uint64_t b);                        /* O(log n) at most */
const BaseEvent *base_queue_top(const BaseQueue *queue); /* NULL when empty; valid until the next push or pop */
/* Time of the top, UINT64_MAX when empty: the first word of a queue. */
static inline uint64_t base_queue_next_time(const BaseQueue *queue)
{
    return *(const uint64_t *)(const void *)queue;
}
bool base_queue_pop(BaseQueue *queue, BaseEvent *event);
/* An event that is likely to be the least after `n` more have been taken, n < 100; NULL: hard to tell. For those who
 * want to fetch what they will need. */
const BaseEvent *base_queue_soon(const BaseQueue *queue, unsigned n);
size_t base_queue_size(const BaseQueue *queue);
/* <0, 0, >0: the one place where event order is decided. */
int base_queue_compare(const BaseEvent *a, const BaseEvent *b);

#endif
