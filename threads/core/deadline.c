/* deadline.c - the times that functions get as struct timespec, in virtual time. */
#include "threads/core/call.h"

#define LATEST_PS (INT64_MAX - 1) /* later deadlines are this one */

enum { REALTIME = 0, MONOTONIC = 1 }; /* of time.h */

bool threads_deadline_clock(int clock)
{
    return clock == REALTIME || clock == MONOTONIC;
}

uint64_t threads_deadline_span(int64_t seconds, int64_t nanoseconds)
{
    __int128 ps = (__int128)seconds * 1000000000000 + (__int128)nanoseconds * 1000;
    return ps < 0 ? 0 : ps > LATEST_PS ? LATEST_PS : (uint64_t)ps;
}

bool threads_deadline(ThreadsCall *call, int clock, uint64_t address, uint64_t *deadline_ps, int *error)
{
    int64_t time[2];
    const void *bytes = threads_call_readable(call, address, sizeof time);
    *error = 0;
    if (!bytes)
        return false;
    memcpy(time, bytes, sizeof time);
    if (!threads_deadline_clock(clock) || time[1] < 0 || time[1] > 999999999) {
        *error = EINVAL;
        return false;
    }
    int64_t start = clock == REALTIME ? VM_EPOCH_SECONDS : 0;
    *deadline_ps = time[0] < start ? 0 : threads_deadline_span(time[0] - start, time[1]);
    return true;
}
