/* interpreter.c - runs decoded vCode: the code around the cases, which are in cases.h.
 *
 * The loop (loop.h) is compiled three times. vm_interpreter_run() is direct-threaded: every case ends with its own jump
 * to the next instruction's handler, which the processor predicts far better than one shared jump.
 * vm_interpreter_run_checking() is for ranks under --check: it keeps the shades of values and calls the access hooks.
 * vm_interpreter_run_by_switch() dispatches on an array of opcodes and calls the debugger's hook, too. It is the only
 * loop if the compiler lacks computed goto. The cases are written once, so all loops give the same results, cycles and
 * faults.
 *
 * The loops keep these in registers, and save them to the rank (SAVE) before other code may look at it:
 *   ip     instruction          R      register window of the running frame
 *   fuel   cycles (q8) left     frame  the running frame
 *   sp     stack pointer        data, data_base, limit   private memory: host address, guest address, extent
 *
 * Costs are charged where blocks end (`fuel -= ip->cost`). Fuel is tested at taken branches and at calls, with all
 * state in place. So a run can stop and go on there without a trace in the results.
 */
#include "vm/interpreter/interpreter.h"
#include "vcode/arithmetic.h"
#include "vm/check/check.h"
#include "vm/check/shades.h"
#include "vm/direct/direct.h"
#include "vm/interpreter/fused.h"
#include "vm/native/native.h"
#include "vm/timing/timing.h"

#include <string.h>

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* -- the uncommon ways ------------------------------------------------------------------------- */

/* Raises the fault of a division that traps on x86. */
static void refuse_division(VmRank *rank, VcodeRefusal refusal, VcodeOp op)
{
    bool remainder = op == VCODE_MOD_W || op == VCODE_MOD_UW || op == VCODE_MOD_L || op == VCODE_MOD_UL;
    const char *what = remainder ? "remainder" : "division";
    if (refusal == VCODE_BY_ZERO)
        vm_rank_fault(rank, VM_FAULT_DIVIDE_BY_ZERO, 0, "integer %s by zero", what);
    else
        vm_rank_fault(rank, VM_FAULT_DIVIDE_OVERFLOW, 0,
                      "the result of an integer %s (the least value by -1) does not fit", what);
}

/* Whether the stack can grow by `bytes`, once the rank has left its nest. Returns false, with a fault raised, if it
 * cannot. */
static bool stack_has_room(VmRank *rank, uint64_t bytes)
{
    if (rank->nested)
        vm_nest_leave(rank);
    if (bytes <= rank->sp - rank->stack_low)
        return true;
    vm_rank_fault(rank, VM_FAULT_STACK_OVERFLOW, rank->sp,
                  "stack overflow (endless recursion? large local arrays?): %" G_GUINT64_FORMAT
                  " bytes more do not fit on the stack of %" G_GUINT64_FORMAT " KiB",
                  bytes, rank->world->limits.stack_bytes >> 10);
    return false;
}

static void raise_trap(VmRank *rank, int32_t trap)
{
    switch ((VcodeTrap)trap) {
    case VCODE_TRAP_ABORT:
        vm_rank_fault(rank, VM_FAULT_ABORT, 0, "__builtin_trap() was reached");
        vm_rank_own_fault(rank)->signal = 4; /* as the ud2 instruction does */
        return;
    case VCODE_TRAP_UNDEFINED:
        vm_rank_fault(rank, VM_FAULT_UNREACHABLE, 0, "undefined behaviour: the compiler saw that this cannot be right");
        return;
    case VCODE_TRAP_UNREACHABLE: break;
    }
    vm_rank_fault(
        rank, VM_FAULT_UNREACHABLE, 0,
        "control reached a place that the program says is never reached (__builtin_unreachable, or the end of a "
        "function that must return a value)");
}

/* Host address of a read that missed the near memory. NULL, with a fault raised, if it is not allowed; or with a
 * request if the memory is shared and it is not the rank's turn. */
static const uint8_t *read_elsewhere(VmRank *rank, uint64_t address, uint64_t size)
{
    const void *host = vm_memory_read(rank, address, size);
    if (UNLIKELY(!host))
        vm_fault_access(rank, address, size, false);
    if (UNLIKELY(rank->segments) && address >= VCODE_SHARED_BASE && host && !vm_shared_turn(rank, false))
        return NULL;
    return host;
}

static uint8_t *write_elsewhere(VmRank *rank, uint64_t address, uint64_t size)
{
    void *host = vm_memory_write(rank, address, size);
    if (UNLIKELY(!host))
        vm_fault_access(rank, address, size, true);
    if (UNLIKELY(rank->segments) && address >= VCODE_SHARED_BASE && host && !vm_shared_turn(rank, true))
        return NULL;
    return host;
}

static bool copy_block(VmRank *rank, uint64_t to, uint64_t from, uint64_t size)
{
    if (size == 0)
        return true;
    vm_memory_bring(rank, to, size); /* before any host address is computed */
    const uint8_t *source = read_elsewhere(rank, from, size);
    uint8_t *target = source ? write_elsewhere(rank, to, size) : NULL;
    if (target)
        memmove(target, source, size);
    return target;
}

static bool clear_block(VmRank *rank, uint64_t to, uint64_t size)
{
    if (size == 0)
        return true;
    uint8_t *target = write_elsewhere(rank, to, size);
    if (target)
        memset(target, 0, size);
    return target;
}

/* Whether the running frame may set SP to `value`: that must lie in the frame's own part of the stack. */
static bool sp_is_own(const VmRank *rank, uint64_t value)
{
    const VmFunction *f = &rank->image->functions[vm_image_function_of(rank->image, rank->pc)];
    uint64_t base = rank->frames[rank->depth - 1].entry_sp - f->enter_bytes;
    return value % 16 == 0 && value >= rank->stack_low && value <= base;
}

/* Target of a computed goto from rank->pc. NULL, with a fault raised, if `address` is no label of the function. */
static const VmInstr *label_at(VmRank *rank, uint64_t address)
{
    const VmImage *image = rank->image;
    const VcodeFunction *f = &image->module->functions.items[vm_image_function_of(image, rank->pc)];
    uint64_t entry = address - VCODE_LABEL_BASE;
    if (entry < f->code_count && vm_bit(image->block_starts, f->code_start + (uint32_t)entry))
        return image->code + f->code_start + entry;
    vm_rank_fault(rank, VM_FAULT_BAD_JUMP, address, "a computed goto to 0x%" G_GINT64_MODIFIER "x, which is no label",
                  address);
    return NULL;
}

/* The VmStop of a rank that cannot run. */
static VmStop stop_of(const VmRank *rank)
{
    switch (rank->state) {
    case VM_STATE_REQUEST: return VM_STOP_REQUEST;
    case VM_STATE_FAULTED: return VM_STOP_FAULT;
    case VM_STATE_EXITED: return VM_STOP_EXITED;
    case VM_STATE_READY:
    case VM_STATE_EMPTY: break;
    }
    g_assert_not_reached();
}

/* A rank whose run between communications is as long as this (cycles, q8) leaves its nest, so that native code can
 * run. */
enum { LONG_IN_NEST = 4000 << 8 };

/* A rank whose runs between communications are brief enters direct code when this one (cycles, q8) has lasted so long:
 * entering costs as much as interpreting some ten instructions. */
enum { VERY_BRIEF = VM_BRIEF_RUN / 4 };

/* Converts cycles to q8, bounded far below overflow. */
static int64_t fuel_of(uint64_t quantum)
{
    return quantum < (uint64_t)INT64_MAX >> 10 ? (int64_t)(quantum << 8) : INT64_MAX >> 2;
}

#include "vm/interpreter/cases.h"

/* -- the loops --------------------------------------------------------------------------------- */

#define LOOP_CAREFUL  0
#define LOOP_CHECKING 1
#define LOOP_FAST     2

#define LOOP_KIND LOOP_CAREFUL
#define LOOP_NAME vm_interpreter_run_by_switch
#include "vm/interpreter/loop.h"
#undef LOOP_KIND
#undef LOOP_NAME

#if defined(__GNUC__)

#define LOOP_KIND LOOP_CHECKING
#define LOOP_NAME vm_interpreter_run_checking
#include "vm/interpreter/loop.h"
#undef LOOP_KIND
#undef LOOP_NAME

#define LOOP_KIND LOOP_FAST
#define LOOP_NAME interpret_threaded
static VmStop interpret_threaded(VmRank *rank, uint64_t quantum, const void **handlers);
#include "vm/interpreter/loop.h"

VmStop vm_interpreter_run(VmRank *rank, uint64_t quantum)
{
    return interpret_threaded(rank, quantum, NULL);
}

void vm_interpreter_handlers(const void *handlers[VM_OP_COUNT])
{
    interpret_threaded(NULL, 0, handlers);
}

#else

VmStop vm_interpreter_run(VmRank *rank, uint64_t quantum)
{
    return vm_interpreter_run_by_switch(rank, quantum);
}

VmStop vm_interpreter_run_checking(VmRank *rank, uint64_t quantum)
{
    return vm_interpreter_run_by_switch(rank, quantum);
}

void vm_interpreter_handlers(const void *handlers[VM_OP_COUNT])
{
    memset(handlers, 0, VM_OP_COUNT * sizeof *handlers);
}

#endif
