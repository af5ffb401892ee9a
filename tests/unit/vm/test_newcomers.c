/* Ranks that come during a run: vm_world_add() and vm_world_drop(). */
#include "vm/vm.h"

#include <criterion/criterion.h>

Test(newcomers, ranks_do_not_move_and_are_numbered_on)
{
    VmLimits limits;
    vm_world_limits_default(&limits);
    limits.newcomers = 100;
    VmWorld *world = vm_world_new(2, &limits, NULL, NULL);
    cr_assert(world);
    const VmRank *first = vm_world_rank(world, 0);
    cr_assert(vm_world_add(world, 3, NULL));
    cr_expect_eq(vm_world_rank(world, 0), first);
    cr_expect_eq(vm_rank_index(vm_world_rank(world, 4)), 4);
    vm_world_drop(world, 2);
    cr_assert(vm_world_add(world, 37, NULL));
    cr_expect_eq(vm_rank_index(vm_world_rank(world, 39)), 39);
    vm_world_free(world);
}

Test(newcomers, leave_address_space_to_others)
{
    VmLimits limits;
    g_autoptr(GError) error = NULL;
    vm_world_limits_default(&limits);
    limits.newcomers = 65536;
    VmWorld *world = vm_world_new(1, &limits, NULL, NULL);
    cr_assert(world);
    cr_expect_not(vm_world_add(world, 60000, &error));
    cr_assert(error);
    cr_expect(vm_world_add(world, 10, NULL), "a refusal makes no rank");
    cr_expect_eq(vm_rank_index(vm_world_rank(world, 10)), 10);
    vm_world_free(world);
}
