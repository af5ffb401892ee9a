/* Virtual clocks and calendar (C11 7.27). */
#include "library_test.h"

#include <time.h>

static const int64_t *pair_at(Bench *bench, uint64_t address)
{
    return vm_rank_read(bench->rank, address, 16);
}

/* The rank's clock: 500 ps per cycle. */
Test(library_time, clocks_follow_the_virtual_clock)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t place = bench_bytes(&bench, "................", 16);
    cr_assert_eq(bench_call(&bench, "time", 1, UINT64_C(0)), 946684800);
    vm_rank_charge(bench.rank, UINT64_C(4000000000) * 256); /* 2 s of work */
    cr_assert_eq(bench_call(&bench, "time", 1, place), 946684802);
    cr_assert_eq(pair_at(&bench, place)[0], 946684802);
    cr_assert_eq(bench_call(&bench, "clock", 0), 2000000);
    bench_call(&bench, "sleep", 1, UINT64_C(3));
    bench_call(&bench, "usleep", 1, UINT64_C(250000));
    cr_assert_eq(bench_call(&bench, "clock", 0), 2000000, "sleeping is no CPU time");
    bench_call(&bench, "gettimeofday", 2, place, UINT64_C(0));
    cr_assert_eq(pair_at(&bench, place)[0], 946684805);
    cr_assert_eq(pair_at(&bench, place)[1], 250000);
    bench_call(&bench, "clock_gettime", 2, UINT64_C(1), place);
    cr_assert_eq(pair_at(&bench, place)[0], 5);
    cr_assert_eq(pair_at(&bench, place)[1], 250000000);
    cr_assert_eq(bench_call(&bench, "clock_gettime", 2, UINT64_C(99), place), UINT64_MAX);
    cr_assert_eq(bench_errno(&bench), EINVAL);
    bench_close(&bench);
}

/* However long the sleep, the clock stays within its range. */
Test(library_time, endless_sleep_saturates)
{
    Bench bench;
    bench_open(&bench, NULL);
    int64_t request[2] = {INT64_MAX, 999999999};
    uint64_t place = bench_bytes(&bench, request, sizeof request);
    for (int i = 0; i < 3; i++)
        bench_call(&bench, "nanosleep", 2, place, UINT64_C(0));
    cr_assert_eq(vm_clock_now(vm_rank_clock(bench.rank)), UINT64_C(1) << 63);
    bench_close(&bench);
}

/* What replayed traces compute and rest, to a cycle of 500 ps. */
Test(library_time, traces_compute_and_rest)
{
    Bench bench;
    bench_open(&bench, NULL);
    const VmClock *clock = vm_rank_clock(bench.rank);
    uint64_t cpu_ps = vm_clock_cpu_ps(clock), now_ps = vm_clock_now(clock);
    bench_call(&bench, "__orrery_compute", 1, UINT64_C(1234500));
    cr_assert_eq(vm_clock_now(clock), now_ps + 1234500);
    cr_assert_eq(vm_clock_cpu_ps(clock), cpu_ps + 1234500);
    bench_call(&bench, "__orrery_rest", 1, UINT64_C(777));
    cr_assert_eq(vm_clock_now(clock), now_ps + 1234500 + 777);
    cr_assert_eq(vm_clock_cpu_ps(clock), cpu_ps + 1234500, "resting is no CPU time");
    uint64_t last_ps = vm_clock_now(clock);
    for (int i = 0; i < 5; i++) {
        bench_call(&bench, "__orrery_compute", 1, UINT64_MAX);
        cr_assert_geq(vm_clock_now(clock), last_ps, "no time goes back");
        last_ps = vm_clock_now(clock);
    }
    bench_close(&bench);
}

Test(library_time, calendar_is_utc)
{
    static const time_t times[] = {0, 946684800, 951827696, -1, 4102444799, 68169600};
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t place = bench_call(&bench, "malloc", 1, UINT64_C(56)),
             text = bench_call(&bench, "malloc", 1, UINT64_C(100));
    for (size_t i = 0; i < G_N_ELEMENTS(times); i++) {
        struct tm expected;
        gmtime_r(&times[i], &expected);
        cr_assert_eq(bench_call(&bench, "__orrery_calendar", 2, (uint64_t)times[i], place), 0);
        cr_assert_arr_eq(vm_rank_read(bench.rank, place, 36), &expected, 36);
        cr_assert_eq(bench_call(&bench, "mktime", 1, place), (uint64_t)times[i]);
        char line[100];
        strftime(line, sizeof line, "%a %b %d %H:%M:%S %Y %j %U %p|%c|%x", &expected);
        bench_call(&bench, "strftime", 4, text, UINT64_C(100),
                   bench_string(&bench, "%a %b %d %H:%M:%S %Y %j %U %p|%c|%x"), place);
        cr_assert_str_eq(bench_text(&bench, text), line);
    }
    cr_assert_eq(bench_call(&bench, "strftime", 4, text, UINT64_C(3), bench_string(&bench, "%Y"), place), 0);
    bench_close(&bench);
}
