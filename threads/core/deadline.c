/* deadline.c - the times that functions get as struct timespec, in virtual time. */
#include "threads/core/call.h"

#define LATEST_PS (INT64_MAX - 1) /* later deadlines are this one */

/* The clocks of time.h that a wait can be bound by: those of the wall show the epoch at time 0, the others 0. */
static bool starts_at(int clock, int64_t *seconds)
{
    switch (clock) {
    case 0:
    case 5: *seconds = VM_EPOCH_SECONDS; return true;
    case 1:
    case 4:
    case 6:
    case 7: *seconds = 0; return true;
    default: return false;
    }
}

uint64_t threads_deadline_span(int64_t seconds, int64_t nanoseconds)
{
    __int128 ps = (__int128)seconds * 1000000000000 + (__int128)nanoseconds * 1000;
    return ps < 0 ? 0 : ps > LATEST_PS ? LATEST_PS : (uint64_t)ps;
}

bool threads_deadline(ThreadsCall *call, int clock, uint64_t address, uint64_t *deadline_ps, int *error)
{
    int64_t start, time[2];
    const void *bytes = threads_call_readable(call, address, sizeof time);
    *error = 0;
    if (!bytes)
        return false;
    memcpy(time, bytes, sizeof time);
    if (!starts_at(clock, &start) || time[1] < 0 || time[1] > 999999999) {
        *error = EINVAL;
        return false;
    }
    *deadline_ps = threads_deadline_span(time[0] - start, time[1]);
    return true;
}
