/* fault.c - how processes end. A fault is a state of the rank (kind, address, reason), never of the simulator.
 *
 * The reason is one sentence for the person who wrote the program: what was attempted, and what to look at. Whoever
 * prints it adds rank, source line and call stack, from vm_rank_frame().
 */
#include "vm/rank/rank.h"

#include <stdarg.h>

enum { SIGNAL_ILL = 4, SIGNAL_ABRT = 6, SIGNAL_BUS = 7, SIGNAL_FPE = 8, SIGNAL_SEGV = 11 };

/* The signal that a shell would show for the process (Linux numbers, whatever the host). */
static int signal_of(VmFaultKind kind)
{
    switch (kind) {
    case VM_FAULT_NONE: return 0;
    case VM_FAULT_NULL_POINTER:
    case VM_FAULT_WILD_READ:
    case VM_FAULT_WILD_WRITE:
    case VM_FAULT_READ_ONLY:
    case VM_FAULT_STACK_OVERFLOW:
    case VM_FAULT_BAD_FUNCTION:
    case VM_FAULT_BAD_JUMP:
    case VM_FAULT_FREED:
    case VM_FAULT_OUT_OF_BOUNDS: return SIGNAL_SEGV;
    case VM_FAULT_UNALIGNED: return SIGNAL_BUS;
    case VM_FAULT_DIVIDE_BY_ZERO:
    case VM_FAULT_DIVIDE_OVERFLOW: return SIGNAL_FPE;
    case VM_FAULT_UNREACHABLE: return SIGNAL_ILL;
    case VM_FAULT_ABORT:
    case VM_FAULT_HEAP:
    case VM_FAULT_OUT_OF_MEMORY:
    case VM_FAULT_LIBRARY:
    case VM_FAULT_IN_USE: return SIGNAL_ABRT;
    }
    return SIGNAL_ABRT;
}

/* Whether a description of the fault's address and what lies near it helps to understand the fault. */
static bool wants_surroundings(VmFaultKind kind)
{
    switch (kind) {
    case VM_FAULT_WILD_READ:
    case VM_FAULT_WILD_WRITE:
    case VM_FAULT_READ_ONLY:
    case VM_FAULT_HEAP:
    case VM_FAULT_FREED:
    case VM_FAULT_OUT_OF_BOUNDS:
    case VM_FAULT_UNALIGNED:
    case VM_FAULT_IN_USE: return true;
    default: return false;
    }
}

/* Describes what lies at or near the address. Must be called before the process is closed, because that forgets its
 * heap. NULL: nothing to say. */
static char *surroundings(VmRank *rank, VmFaultKind kind, uint64_t address)
{
    if (!wants_surroundings(kind) || rank->depth == 0)
        return NULL;
    GString *out = g_string_new(NULL);
    rank->world->above->describe(rank, address, out);
    return g_string_free(out, out->len == 0);
}

void vm_rank_close(VmRank *rank)
{
    if (rank->closed)
        return;
    rank->closed = true;
    rank->world->above->close_library(rank);
}

VmFault *vm_rank_own_fault(VmRank *rank)
{
    if (!rank->threads || rank->concluded)
        return &rank->fault;
    if (!rank->own_fault)
        rank->own_fault = g_new0(VmFault, 1);
    return rank->own_fault;
}

/* A thread may have run ahead of others. Then its end is that of the process only when its turn has come. */
static bool waits_to_end(const VmRank *rank)
{
    return rank->threads && !rank->in_order;
}

static void conclude(VmRank *rank)
{
    if (rank->own_fault)
        rank->fault = *rank->own_fault;
    g_clear_pointer(&rank->own_fault, g_free);
    rank->concluded = true;
    if (rank->state == VM_STATE_EXITED) {
        rank->exit_status = rank->own_status;
        rank->world->above->exited(rank);
    }
    vm_rank_close(rank);
}

void vm_rank_fault(VmRank *rank, VmFaultKind kind, uint64_t address, const char *format, ...)
{
    if (rank->state == VM_STATE_FAULTED || rank->state == VM_STATE_EXITED)
        return; /* the first reason is the true one; later ones follow from it */
    va_list args;
    va_start(args, format);
    *vm_rank_own_fault(rank) = (VmFault){.kind = kind,
                                         .signal = signal_of(kind),
                                         .address = address,
                                         .pc = rank->pc,
                                         .reason = g_strdup_vprintf(format, args),
                                         .around = surroundings(rank, kind, address)};
    va_end(args);
    rank->state = VM_STATE_FAULTED;
    if (!waits_to_end(rank))
        conclude(rank);
}

const VmFault *vm_rank_fault_info(const VmRank *rank)
{
    return rank->own_fault ? rank->own_fault : &rank->fault;
}

void vm_rank_exit(VmRank *rank, int status)
{
    if (rank->state == VM_STATE_FAULTED || rank->state == VM_STATE_EXITED)
        return;
    rank->state = VM_STATE_EXITED;
    rank->own_status = status;
    if (!waits_to_end(rank))
        conclude(rank);
}

void vm_rank_conclude(VmRank *rank)
{
    if (!rank->concluded)
        conclude(rank);
}

int vm_rank_exit_status(const VmRank *rank)
{
    return rank->exit_status;
}

/* -- reasons ----------------------------------------------------------------------------------- */

/* Tells people where an address points that may not be accessed. */
static const char *place_of(const VmRank *rank, uint64_t address)
{
    if (address >= VCODE_LABEL_BASE && address < VCODE_LABEL_BASE + UINT32_MAX)
        return "that is the address of a label";
    if (address >= VCODE_CODE_BASE && address < VCODE_CODE_BASE + UINT64_C(16) * rank->image->module->functions.count)
        return "that is the address of a function";
    if (address >= rank->heap_end && address < rank->heap_limit)
        return "that is beyond the end of the heap; look for an index out of range or a pointer to freed memory";
    if (address < rank->data_base)
        return "that is no object of the program; look for an index out of range";
    return "that is outside the process; look for an uninitialised or overwritten pointer";
}

void vm_fault_access(VmRank *rank, uint64_t address, uint64_t size, bool write)
{
    const char *verb = write ? "writes" : "reads";
    const char *plural = size == 1 ? "" : "s";
    uint32_t rodata = rank->image->module->rodata.count;
    if (address < VCODE_RODATA_BASE)
        vm_rank_fault(rank, VM_FAULT_NULL_POINTER, address,
                      "%s %" G_GUINT64_FORMAT " byte%s at address 0x%" G_GINT64_MODIFIER "x through a null pointer%s",
                      verb, size, plural, address,
                      address ? " (or a small integer used as a pointer); an element or member of nothing" : "");
    else if (write && address - VCODE_RODATA_BASE < rodata)
        vm_rank_fault(rank, VM_FAULT_READ_ONLY, address,
                      "writes %" G_GUINT64_FORMAT " byte%s at address 0x%" G_GINT64_MODIFIER
                      "x, which is constant: a string literal or a const object",
                      size, plural, address);
    else
        vm_rank_fault(rank, write ? VM_FAULT_WILD_WRITE : VM_FAULT_WILD_READ, address,
                      "%s %" G_GUINT64_FORMAT " byte%s at address 0x%" G_GINT64_MODIFIER "x: %s", verb, size, plural,
                      address, place_of(rank, address));
}

void vm_fault_function(VmRank *rank, uint64_t address)
{
    if (address == 0)
        vm_rank_fault(rank, VM_FAULT_BAD_FUNCTION, address, "calls a null function pointer");
    else
        vm_rank_fault(rank, VM_FAULT_BAD_FUNCTION, address,
                      "calls 0x%" G_GINT64_MODIFIER "x, which is no function; look for an uninitialised or overwritten "
                      "function pointer",
                      address);
}
