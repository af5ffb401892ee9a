/* time.c - clocks, sleeping and calendar time (C11 7.27, POSIX), all from the rank's virtual clock.
 *
 * The simulated wall clock reads 2000-01-01T00:00:00 UTC (C_EPOCH) at virtual time 0 on every rank. Local time is UTC.
 * CPU time (clock, getrusage, times) counts the cycles that the rank has executed, without waiting. Sleeping moves the
 * rank's clock ahead. It needs no scheduler, because no other rank sees what a rank does between communications. Only a
 * rank that shares a processor looks at its clock, or moves it, in its turn (vm_library_clock()).
 */
#include "vm/library/calls.h"

#include <time.h>

static const uint64_t LATEST_PS = UINT64_C(1) << 63; /* latest end of a sleep: 106 days of virtual time */

static uint64_t now_ps(VmRank *rank)
{
    return vm_clock_now(vm_rank_clock(rank));
}

/* The rank's present time since the simulated epoch, in nanoseconds. */
static int64_t now_ns(VmRank *rank)
{
    return C_EPOCH * 1000000000 + (int64_t)(now_ps(rank) / 1000);
}

/* Picoseconds of the executed cycles: of all threads, and of the one that calls. */
static uint64_t cpu_ps(VmRank *rank)
{
    return vm_threads_cpu_ps(rank);
}

static uint64_t own_cpu_ps(VmRank *rank)
{
    return vm_clock_cpu_ps(vm_rank_clock(rank));
}

/* -- reading clocks ---------------------------------------------------------------------------- */

/* Stores two longs, seconds and fraction, at args[index] (timeval, timespec). */
static bool store_pair(VmRank *rank, const uint64_t *args, int index, int64_t seconds, int64_t fraction)
{
    int64_t pair[2] = {seconds, fraction};
    return c_store(index, pair, sizeof pair);
}

static bool store_ns(VmRank *rank, const uint64_t *args, int index, int64_t ns)
{
    return store_pair(rank, args, index, ns / 1000000000, ns % 1000000000);
}

C_FUNCTION(time)
{
    if (!vm_library_clock(rank))
        return VM_CALL_DONE;
    int64_t seconds = now_ns(rank) / 1000000000;
    bool stored = !args[0] || c_store(0, &seconds, sizeof seconds);
    return stored ? c_return(args, (uint64_t)seconds) : VM_CALL_FAULT;
}

C_FUNCTION(clock)
{
    return c_return(args, cpu_ps(rank) / 1000000);
}

C_FUNCTION(gettimeofday)
{
    if (!vm_library_clock(rank))
        return VM_CALL_DONE;
    int64_t us = now_ns(rank) / 1000;
    if (args[0] && !store_pair(rank, args, 0, us / 1000000, us % 1000000))
        return VM_CALL_FAULT;
    int32_t zone[2] = {0};
    return !args[1] || c_store(1, zone, sizeof zone) ? c_return_int(args, 0) : VM_CALL_FAULT;
}

static int64_t thread_cpu_ns(VmRank *rank, uint32_t thread)
{
    return vm_thread_lives(rank, thread) ? (int64_t)(vm_clock_cpu_ps(vm_thread_clock(rank, thread)) / 1000) : -1;
}

/* Clock numbers are Linux's: 0 real time, 2 and 3 CPU time, the others count from the start; -2 - x is the CPU time of
 * thread x. Returns -1 if there is no such clock. */
static int64_t clock_ns(VmRank *rank, int id)
{
    switch (id) {
    case 0:
    case 5: return now_ns(rank);
    case 1:
    case 4:
    case 6:
    case 7: return (int64_t)(now_ps(rank) / 1000);
    case 2: return (int64_t)(cpu_ps(rank) / 1000);
    case 3: return (int64_t)(own_cpu_ps(rank) / 1000);
    default: return id < -1 ? thread_cpu_ns(rank, (uint32_t)(-2 - id)) : -1;
    }
}

C_FUNCTION(clock_gettime)
{
    if (!vm_library_clock(rank))
        return VM_CALL_DONE;
    int64_t ns = clock_ns(rank, c_int(args[0]));
    if (ns < 0)
        return c_fail(rank, args, EINVAL, -1);
    return store_ns(rank, args, 1, ns) ? c_return_int(args, 0) : VM_CALL_FAULT;
}

C_FUNCTION(clock_getres)
{
    if (clock_ns(rank, c_int(args[0])) < 0)
        return c_fail(rank, args, EINVAL, -1);
    if (args[1] && !store_ns(rank, args, 1, 1))
        return VM_CALL_FAULT;
    return c_return_int(args, 0);
}

C_FUNCTION(timespec_get)
{
    if (!vm_library_clock(rank))
        return VM_CALL_DONE;
    if (c_int(args[1]) != TIME_UTC)
        return c_return_int(args, 0);
    return store_ns(rank, args, 0, now_ns(rank)) ? c_return_int(args, TIME_UTC) : VM_CALL_FAULT;
}

/* struct rusage: user and system time, then 14 longs, of which only the largest memory size (KiB) is set. */
C_FUNCTION(getrusage)
{
    int64_t us = (int64_t)(cpu_ps(rank) / 1000000);
    int64_t usage[18] = {us / 1000000, us % 1000000, 0, 0,
                         (int64_t)((vm_rank_heap_end(rank) - rank->data_base) / 1024)};
    return c_store(1, usage, sizeof usage) ? c_return_int(args, 0) : VM_CALL_FAULT;
}

/* Clock ticks are 1/100 s, as sysconf(_SC_CLK_TCK) says. */
C_FUNCTION(times)
{
    if (!vm_library_clock(rank))
        return VM_CALL_DONE;
    int64_t ticks[4] = {(int64_t)(cpu_ps(rank) / UINT64_C(10000000000))};
    bool stored = !args[0] || c_store(0, ticks, sizeof ticks);
    return stored ? c_return(args, now_ps(rank) / UINT64_C(10000000000)) : VM_CALL_FAULT;
}

/* -- sleeping ---------------------------------------------------------------------------------- */

static void sleep_ps(VmRank *rank, unsigned __int128 ps)
{
    const VmHost *host = vm_rank_host(rank);
    if (G_UNLIKELY(rank->exposed) && !rank->in_order) {
        rank->wants_turn = true;
        return;
    }
    uint64_t now = now_ps(rank), latest = MAX(LATEST_PS, now);
    unsigned __int128 until = now + ps;
    vm_clock_set(vm_rank_clock(rank), until > latest ? latest : (uint64_t)until);
    rank->turn_cycles = 0;
    rank->granted_q8 = UINT64_MAX;
    if (host->slept)
        host->slept(host->user, vm_rank_index(rank), now, now_ps(rank));
}

C_FUNCTION(sleep)
{
    if (!vm_library_clock(rank))
        return VM_CALL_DONE;
    sleep_ps(rank, (unsigned __int128)(uint32_t)args[0] * UINT64_C(1000000000000));
    return c_return_int(args, 0);
}

C_FUNCTION(usleep)
{
    if (!vm_library_clock(rank))
        return VM_CALL_DONE;
    sleep_ps(rank, (unsigned __int128)(uint32_t)args[0] * 1000000);
    return c_return_int(args, 0);
}

static VmCallResult sleep_for(VmRank *rank, uint64_t *args, int index)
{
    const CSigned64 *request = c_read(index, 16);
    if (!request)
        return VM_CALL_FAULT;
    if (request[0] < 0 || request[1] < 0 || request[1] > 999999999)
        return c_fail(rank, args, EINVAL, -1);
    sleep_ps(rank, (unsigned __int128)request[0] * UINT64_C(1000000000000) + (unsigned __int128)request[1] * 1000);
    return c_return_int(args, 0);
}

/* Nothing interrupts a sleep, so the remaining time in args[1] is never written. */
C_FUNCTION(nanosleep)
{
    if (!vm_library_clock(rank))
        return VM_CALL_DONE;
    return sleep_for(rank, args, 0);
}

/* -- replayed traces --------------------------------------------------------------------------- */

/* Sleeps for args[0] ps. */
C_FUNCTION(__orrery_rest)
{
    if (!vm_library_clock(rank))
        return VM_CALL_DONE;
    sleep_ps(rank, args[0]);
    return c_return_int(args, 0);
}

/* Computes for args[0] ps, rounded to 1/256 of a cycle. However long that is, the clock stays within its range. */
C_FUNCTION(__orrery_compute)
{
    VmClock *clock = &rank->clock;
    uint64_t now = now_ps(rank), ps = MIN(args[0], LATEST_PS - MIN(now, LATEST_PS)), most = UINT64_MAX / 4;
    unsigned __int128 cycles = (((unsigned __int128)ps << 40) + clock->period_q32 / 2) / clock->period_q32;
    uint64_t room = most - MIN(clock->cycles, most);
    clock->cycles += cycles > room ? room : (uint64_t)cycles;
    return c_return_int(args, 0);
}

/* -- calendar ---------------------------------------------------------------------------------- */

enum { TM_BYTES = 56 }; /* nine ints, padding, long tm_gmtoff, const char *tm_zone */

/* The runtime's gmtime and localtime: converts the time args[0] to a struct tm at args[1], without tm_zone. */
C_FUNCTION(__orrery_calendar)
{
    time_t seconds = (time_t)args[0];
    struct tm calendar;
    if (!gmtime_r(&seconds, &calendar))
        return c_fail(rank, args, EOVERFLOW, -1);
    char *place = c_write(1, TM_BYTES);
    if (!place)
        return VM_CALL_FAULT;
    memset(place, 0, TM_BYTES);
    memcpy(place, &calendar, 9 * sizeof(int));
    return c_return_int(args, 0);
}

static VmCallResult make_time(VmRank *rank, uint64_t *args)
{
    char *place = c_write(0, TM_BYTES);
    if (!place)
        return VM_CALL_FAULT;
    struct tm calendar = {0};
    memcpy(&calendar, place, 9 * sizeof(int));
    calendar.tm_isdst = 0;
    errno = 0;
    time_t seconds = timegm(&calendar);
    if (seconds == -1 && errno)
        return c_fail(rank, args, EOVERFLOW, -1);
    memcpy(place, &calendar, 9 * sizeof(int));
    return c_return(args, (uint64_t)seconds);
}

C_FUNCTION(mktime)
{
    return make_time(rank, args);
}

C_FUNCTION(timegm)
{
    return make_time(rank, args);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static size_t render_time(char *text, size_t size, const char *format, const struct tm *calendar)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    size_t length = locale ? strftime_l(text, size, format, calendar, locale) : 0;
    if (locale)
        freelocale(locale);
    return length;
}
#pragma GCC diagnostic pop

C_FUNCTION(strftime)
{
    const char *format = c_string(2);
    const char *place = format ? c_read(3, TM_BYTES) : NULL;
    if (!place)
        return VM_CALL_FAULT;
    struct tm calendar = {0};
    memcpy(&calendar, place, 9 * sizeof(int));
    uint64_t zone;
    memcpy(&zone, place + 48, sizeof zone);
    calendar.tm_zone = zone ? vm_rank_string(rank, zone) : "UTC";
    if (!calendar.tm_zone)
        calendar.tm_zone = "UTC"; /* the program did not initialise tm_zone */
    size_t size = MIN(args[1], 64 << 10);
    g_autofree char *text = g_malloc0(size + 1);
    size_t length = render_time(text, size, format, &calendar);
    c_charge(rank, length);
    size_t written = length || (size && text[0] == '\0') ? length + (size > 0) : 0;
    return c_store(0, text, written) ? c_return(args, length) : VM_CALL_FAULT;
}
