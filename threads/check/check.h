/* check.h - what is wrong in the use of threads, found while they run. */
#ifndef ORRERY_THREADS_CHECK_CHECK_H
#define ORRERY_THREADS_CHECK_CHECK_H

#include "threads/core/call.h"

/* Looks for locks that threads take in different orders (lock_order.c). */
void threads_check_lock_order(ThreadsWorld *world);
/* Looks for accesses of threads that nothing orders (data_races.c). */
void threads_check_races(ThreadsWorld *world);

#endif
