/* test_omp_abi.c - the numbers that the compiler passes to the runtime of OpenMP are those that the runtime expects. */
#include "../../../clib/runtime/omp_abi.h"
#include "compiler/omp/construct.h"

#include <criterion/criterion.h>

#define SAME(mine, theirs) cr_assert_eq((int)CC_OMP_##mine, (int)__OMP_##theirs, "%s", #theirs)

Test(omp_abi, numbers)
{
    SAME(SCHEDULE_RUNTIME, SCHEDULE_RUNTIME);
    SAME(SCHEDULE_STATIC, SCHEDULE_STATIC);
    SAME(SCHEDULE_DYNAMIC, SCHEDULE_DYNAMIC);
    SAME(SCHEDULE_MONOTONIC, SCHEDULE_MONOTONIC);
    SAME(SCHEDULE_NONMONOTONIC, SCHEDULE_NONMONOTONIC);
    SAME(SCHEDULE_SIMD, SCHEDULE_SIMD);
    SAME(LOOP_ORDERED, LOOP_ORDERED);
    SAME(TASK_UNTIED, TASK_UNTIED);
    SAME(TASK_FINAL, TASK_FINAL);
    SAME(TASK_MERGEABLE, TASK_MERGEABLE);
    SAME(TASK_UNDEFERRED, TASK_UNDEFERRED);
    SAME(TASK_NOGROUP, TASK_NOGROUP);
    SAME(CANCELS_PARALLEL, CANCEL_PARALLEL);
    SAME(CANCELS_LOOP, CANCEL_LOOP);
    SAME(CANCELS_SECTIONS, CANCEL_SECTIONS);
    SAME(CANCELS_TASKGROUP, CANCEL_TASKGROUP);
    cr_assert_eq(CC_OMP_LOOP_WORDS * sizeof(unsigned long), sizeof(struct __omp_loop));
    cr_assert_eq(CC_OMP_LOCK_WORDS * sizeof(unsigned long), sizeof(struct __omp_lock));
}
