/* Tests of one-sided communication: who handles an access at its target, and what travels for it. */
#include "script.h"

#define INFO_NULL MPI_HANDLE(MPI_KIND_INFO, 0)

/* Rank 0 locks the window of rank 1, puts a number there and unlocks it; rank 1 computes for a long time. Returns when
 * rank 0 has unlocked it. */
static uint64_t put_into_busy(MpiProgress progress)
{
    enum { BUSY_PS = 1000000000, WINDOW = 256, EXCLUSIVE = 2 };
    Script s;
    script_open(&s, 2);
    s.params.progress[MPI_PROGRESS_ONE_SIDED] = progress;
    MpiHandle window = MPI_HANDLE(MPI_KIND_WIN, MPI_FIRST_USER_INDEX);
    for (uint32_t rank = 0; rank < 2; rank++)
        script_call(&s, rank, "MPI_Win_create", DATA(0), 64, 4, INFO_NULL, WORLD, DATA(WINDOW));
    script_compute(&s, 1, BUSY_PS);
    script_call(&s, 0, "MPI_Win_lock", EXCLUSIVE, 1, 0, window);
    script_call(&s, 0, "MPI_Put", DATA(512), 1, INT, 1, 3, 1, INT, window);
    script_call(&s, 0, "MPI_Win_unlock", 1, window);
    script_call(&s, 0, "MPI_Send", DATA(512), 1, INT, 1, 7, WORLD);
    script_call(&s, 1, "MPI_Recv", DATA(768), 1, INT, 0, 7, WORLD, 1);
    script_start(&s);
    script_set_int(&s, 0, 512, 42);
    script_go(&s);
    cr_assert(s.ranks[0].ended);
    cr_expect_eq(script_int(&s, 1, 12), 42);
    for (guint i = 0; i < s.ranks[0].results->len; i++)
        cr_expect_eq(g_array_index(s.ranks[0].results, uint64_t, i), MPI_SUCCESS);
    uint64_t finish_ps = s.ranks[0].finish_ps;
    script_close(&s);
    return finish_ps;
}

Test(windows, progress)
{
    enum { BUSY_PS = 1000000000 };
    cr_expect_lt(put_into_busy(MPI_PROGRESS_OFFLOAD), BUSY_PS);
    cr_expect_gt(put_into_busy(MPI_PROGRESS_INLINE), BUSY_PS);
}
