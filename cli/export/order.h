/* order.h - what happens at the same time, for formats whose records are in the order of time. */
#ifndef ORRERY_CLI_EXPORT_ORDER_H
#define ORRERY_CLI_EXPORT_ORDER_H

#include <stdint.h>

enum { EXPORT_SORT_MEMORY = 64 << 20 }; /* of records; more go to a temporary file */

/* Keys of what is recorded for one time: first what ends, then what begins, the longest first, so that states are
 * nested; states that take no time begin and end behind all others. */
#define EXPORT_ORDER_LEAVE  (UINT64_C(1) << 60)
#define EXPORT_ORDER_POINT  (UINT64_C(2) << 60) /* what has no length: messages, values */
#define EXPORT_ORDER_ENTER  (UINT64_C(3) << 60)
#define EXPORT_ORDER_MOMENT (UINT64_C(6) << 60)
static inline uint64_t export_order_enter(uint64_t from_ps, uint64_t to_ps)
{
    uint64_t most = UINT64_C(1) << 60, lasts_ps = to_ps - from_ps;
    return !lasts_ps ? EXPORT_ORDER_MOMENT : EXPORT_ORDER_ENTER + (lasts_ps < most ? most - lasts_ps : 0);
}
static inline uint64_t export_order_leave(uint64_t from_ps, uint64_t to_ps)
{
    return from_ps == to_ps ? EXPORT_ORDER_MOMENT : EXPORT_ORDER_LEAVE;
}

#endif
