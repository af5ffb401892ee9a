/* test_recording.c - recordings of ranks whose threads do several things at once. */
#include "monitor/monitor.h"
#include <criterion/criterion.h>

static void add(MonRecording *recording, uint32_t rank, MpiActivity activity, uint64_t from_ps, uint64_t to_ps,
                const char *call)
{
    MonInterval interval = {from_ps, to_ps, rank, activity, call};
    g_array_append_val(recording->intervals, interval);
}

/* Rank 1 has two threads: one computes from 10 to 40, while the other one is in MPI_Recv from 0 to 100, and begins with
 * 5 of overhead. Rank 0 stays as it is. */
Test(recording, settles_what_threads_do_at_once)
{
    MonRecording recording = {.intervals = g_array_new(FALSE, FALSE, sizeof(MonInterval)), .ranks = 2, .end_ps = 100};
    add(&recording, 1, MPI_ACTIVITY_COMPUTE, 10, 30, NULL);
    add(&recording, 0, MPI_ACTIVITY_COMPUTE, 0, 50, NULL);
    add(&recording, 1, MPI_ACTIVITY_COMPUTE, 30, 40, NULL);
    add(&recording, 1, MPI_ACTIVITY_OVERHEAD, 0, 5, "MPI_Recv");
    add(&recording, 1, MPI_ACTIVITY_BLOCKED, 5, 100, "MPI_Recv");
    add(&recording, 0, MPI_ACTIVITY_BLOCKED, 50, 60, "MPI_Send");
    mon_recording_settle(&recording);
    const MonInterval expected[] = {
        {0, 50, 0, MPI_ACTIVITY_COMPUTE, NULL},       {50, 60, 0, MPI_ACTIVITY_BLOCKED, "MPI_Send"},
        {0, 5, 1, MPI_ACTIVITY_OVERHEAD, "MPI_Recv"}, {5, 10, 1, MPI_ACTIVITY_BLOCKED, "MPI_Recv"},
        {10, 40, 1, MPI_ACTIVITY_COMPUTE, NULL},      {40, 100, 1, MPI_ACTIVITY_BLOCKED, "MPI_Recv"}};
    cr_assert_eq(recording.intervals->len, G_N_ELEMENTS(expected));
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        const MonInterval *got = &g_array_index(recording.intervals, MonInterval, i);
        cr_expect_eq(got->from_ps, expected[i].from_ps, "interval %u", i);
        cr_expect_eq(got->to_ps, expected[i].to_ps, "interval %u", i);
        cr_expect_eq(got->rank, expected[i].rank, "interval %u", i);
        cr_expect_eq(got->activity, expected[i].activity, "interval %u", i);
        cr_expect_str_eq(got->call ? got->call : "", expected[i].call ? expected[i].call : "", "interval %u", i);
    }
    g_array_unref(recording.intervals);
}
