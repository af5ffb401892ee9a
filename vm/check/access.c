/* access.c - what --check finds of accesses by addresses whose object is not known (shadow.h): accesses outside blocks,
 * to freed blocks and below the stack pointer; frees of what is no block; and leaks.
 *
 * Only what is certain is a fault: an access to a byte that belongs to no block in use.
 */
#include "vm/check/shadow.h"

#include <string.h>

/* -- accesses ---------------------------------------------------------------------------------- */

/* Name of the library function that accesses memory for the program, with ": " in *colon; both empty if it is the
 * code. */
static const char *acting(const VmRank *rank, const char **colon)
{
    const char *function = vm_rank_acting(rank);
    *colon = function ? ": " : "";
    return function ? function : "";
}

bool vm_check_refuse(VmRank *rank, VmChecks check, VmFaultKind kind, uint64_t address, uint64_t size, bool write,
                     const char *what)
{
    const char *colon, *function = acting(rank, &colon);
    vm_rank_fault(rank, kind, address,
                  "%s%s%s %" G_GUINT64_FORMAT " byte%s at address 0x%" G_GINT64_MODIFIER "x, %s [%s]", function, colon,
                  write ? "writes" : "reads", size, size == 1 ? "" : "s", address, what,
                  check == VM_CHECK_HEAP ? "heap" : "bounds");
    return false;
}

static bool refuse_heap(VmRank *rank, const VmSlot *slot, uint64_t address, uint64_t size, bool write)
{
    if (slot && !slot->live && address - slot->address < slot->size)
        return vm_check_refuse(rank, VM_CHECK_HEAP, VM_FAULT_FREED, address, size, write,
                               "in a block that has been freed");
    bool inside = slot && slot->live && address - slot->address < slot->size;
    return vm_check_refuse(rank, VM_CHECK_HEAP, VM_FAULT_OUT_OF_BOUNDS, address, size, write,
                           inside ? "beyond the end of the block in which they begin"
                                  : "which is in no block of the heap");
}

bool vm_check_access(VmRank *rank, uint64_t address, uint64_t size, bool write)
{
    if (address >= VCODE_SHARED_BASE || (address >= rank->heap_start && !rank->shadow->heap))
        return true;
    if (address >= rank->heap_start) {
        const VmSlot *slot = vm_check_slot(rank, address);
        uint64_t offset = slot ? address - slot->address : 0;
        if (G_LIKELY(slot && slot->live && offset < slot->size && size <= slot->size - offset))
            return true;
        return refuse_heap(rank, slot, address, size, write);
    }
    if (!rank->shadow->bounds)
        return true;
    if (G_UNLIKELY(address >= rank->stack_low && address < rank->sp))
        return vm_check_refuse(
            rank, VM_CHECK_BOUNDS, VM_FAULT_OUT_OF_BOUNDS, address, size, write,
            "on the stack below everything in use: in a variable of a call that has returned, or beyond the "
            "bounds of one");
    uint64_t end = address < rank->stack_high ? rank->stack_high : rank->heap_start;
    if (G_UNLIKELY(address >= rank->stack_low && size > end - address))
        return vm_check_refuse(rank, VM_CHECK_BOUNDS, VM_FAULT_OUT_OF_BOUNDS, address, size, write,
                               "beyond the end of the program's variables");
    return true;
}

/* -- frees ------------------------------------------------------------------------------------- */

VmSlot *vm_check_find(VmRank *rank, uint64_t address)
{
    VmSlot *slot = address >= rank->heap_start ? vm_check_slot(rank, address) : NULL;
    const char *what = NULL;
    if (!slot || address - slot->address >= slot->capacity)
        what = "this address is in no block of the heap: only what malloc gave can be freed";
    else if (!slot->live)
        what = "the block was freed already (double free)";
    else if (address != slot->address)
        what = "not the start of a heap block, but an address inside it";
    if (!what)
        return slot;
    const char *colon, *function = acting(rank, &colon);
    vm_rank_fault(rank, VM_FAULT_HEAP, address, "%s(0x%" G_GINT64_MODIFIER "x): %s", function, address, what);
    return NULL;
}

/* -- blocks that nobody freed ------------------------------------------------------------------ */

/* State of the search for leaks: the blocks that are reached but not yet scanned. */
typedef struct Marking {
    VmRank *rank;
    GPtrArray *todo; /* VmSlot entries */
} Marking;

/* Any word that could be an address in a block counts as a pointer to the block. */
static void mark_word(Marking *marking, uint64_t word)
{
    VmSlot *slot = word >= marking->rank->heap_start ? vm_check_slot(marking->rank, word) : NULL;
    if (!slot || !slot->live || slot->marked || word - slot->address > slot->size)
        return;
    slot->marked = true;
    g_ptr_array_add(marking->todo, slot);
}

static void mark_range(Marking *marking, uint64_t low, uint64_t high)
{
    for (uint64_t at = (low + 7) / 8 * 8; at + 8 <= high; at += 8) {
        uint64_t word;
        memcpy(&word, marking->rank->memory + at, sizeof word);
        mark_word(marking, word);
    }
}

/* Marks all blocks that are reached from the program's static data and what is left of its stack. */
static void mark_all(VmRank *rank)
{
    const VcodeModule *module = rank->image->module;
    Marking marking = {rank, g_ptr_array_new()};
    mark_range(&marking, module->data_base, module->data_base + module->data.count + module->bss_bytes);
    mark_range(&marking, rank->sp, rank->stack_high);
    while (marking.todo->len) {
        const VmSlot *slot = g_ptr_array_steal_index_fast(marking.todo, marking.todo->len - 1);
        mark_range(&marking, slot->address, slot->address + slot->size);
    }
    g_ptr_array_unref(marking.todo);
}

/* Blocks that one site has left behind; index 1: blocks to which a pointer is left. */
typedef struct Left {
    uint64_t blocks[2], bytes[2];
} Left;

static void add_leak(VmRank *rank, GArray *leaks, uint32_t site, bool marked, const Left *left)
{
    g_autoptr(GString) place = g_string_new(NULL);
    vm_check_append_site(rank, site, place);
    if (marked)
        g_string_append(place, " (a pointer is left)");
    VmLeak *leak = NULL;
    for (guint i = 0; i < leaks->len && !leak; i++)
        if (strcmp(g_array_index(leaks, VmLeak, i).place, place->str) == 0)
            leak = &g_array_index(leaks, VmLeak, i);
    if (!leak) {
        VmLeak fresh = {.place = g_strdup(place->str)};
        g_array_append_val(leaks, fresh);
        leak = &g_array_index(leaks, VmLeak, leaks->len - 1);
    }
    leak->blocks += left->blocks[marked];
    leak->bytes += left->bytes[marked];
}

/* The program need not free what the runtime keeps for itself until the end. */
static bool runtime_keeps(VmRank *rank, uint32_t site)
{
    const VmImage *image = rank->image;
    uint32_t function = vm_image_function_of(image, vm_check_site(rank, site)->pcs[0]);
    return image->module->functions.items[function].flags & VCODE_FUNCTION_LIBRARY;
}

void vm_check_find_leaks(VmRank *rank, GArray *leaks)
{
    uint32_t n_sites = vm_check_sites(rank);
    g_autofree Left *left = g_new0(Left, n_sites + 1);
    mark_all(rank);
    for (VmSlot *slot = vm_check_next_slot(rank, NULL); slot; slot = vm_check_next_slot(rank, slot)) {
        if (!slot->live || slot->own)
            continue;
        left[slot->allocated].blocks[slot->marked]++;
        left[slot->allocated].bytes[slot->marked] += slot->size;
    }
    for (unsigned marked = 0; marked < 2; marked++)
        for (uint32_t site = 0; site < n_sites; site++)
            if (left[site].blocks[marked] && !(marked && runtime_keeps(rank, site)))
                add_leak(rank, leaks, site, marked, &left[site]);
}
