/* externs.h - functions that programs of unit tests call. */
#ifndef ORRERY_TEST_EXTERNS_H
#define ORRERY_TEST_EXTERNS_H

#include "vm/vm.h"

/* Returns the index of an extern of the module, which gets it if it has none of this name. */
static inline uint32_t test_extern(VcodeModule *module, const char *name)
{
    uint32_t text = vcode_string(module, name);
    for (uint32_t i = 0; i < module->externs.count; i++)
        if (module->externs.items[i].name == text)
            return i;
    vcode_push(module, externs)->name = text;
    return module->externs.count - 1;
}

/* The caller computes for args[0] picoseconds. */
static inline VmCallResult test_spend(VmRank *vm, uint64_t *args, unsigned n, void *user)
{
    (void)n, (void)user;
    VmClock *clock = vm_rank_clock(vm);
    vm_clock_set(clock, vm_clock_now(clock) + args[0]);
    return VM_CALL_DONE;
}

#endif
