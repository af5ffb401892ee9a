/* memory.c - a rank's address space: what may be read and written, and the end of the heap.
 *
 *   constants   [VCODE_RODATA_BASE, + rodata.count)   in the image, read-only, shared
 *   private     [data_base, heap_end)                 data, bss, stack, heap: one interval, so one comparison
 *
 * Nothing else exists. The interpreter repeats the comparison for the private interval inline and comes here for the
 * rest.
 */
#include "vm/internal.h"

#include <string.h>
#include <sys/mman.h>

static bool within(uint64_t address, uint64_t size, uint64_t low, uint64_t bytes)
{
    uint64_t offset = address - low;
    return offset <= bytes && size <= bytes - offset;
}

void *vm_rank_write(VmRank *rank, uint64_t address, uint64_t size)
{
    if (!within(address, size, rank->data_base, rank->heap_end - rank->data_base))
        return size ? NULL : rank->memory;
    return rank->memory + address;
}

const void *vm_rank_read(VmRank *rank, uint64_t address, uint64_t size)
{
    const VcodeModule *module = rank->image->module;
    if (within(address, size, VCODE_RODATA_BASE, module->rodata.count) && size)
        return module->rodata.items + (address - VCODE_RODATA_BASE);
    return vm_rank_write(rank, address, size);
}

const char *vm_rank_string(VmRank *rank, uint64_t address)
{
    const VcodeModule *module = rank->image->module;
    const char *start = vm_rank_read(rank, address, 1);
    if (!start)
        return NULL;
    uint64_t end = address < rank->data_base ? VCODE_RODATA_BASE + module->rodata.count : rank->heap_end;
    return memchr(start, 0, end - address) ? start : NULL;
}

uint64_t vm_rank_errno_address(VmRank *rank)
{
    return rank->heap_start - 16;
}

uint64_t vm_rank_heap_start(const VmRank *rank)
{
    return rank->heap_start;
}

/* Gives the pages of [low, high) back to the host and clears what is left of the first. */
static void discard(VmRank *rank, uint64_t low, uint64_t high)
{
    uint64_t first = (low + VM_PAGE - 1) / VM_PAGE * VM_PAGE;
    memset(rank->memory + low, 0, MIN(first, high) - low);
    if (high > first)
        madvise(rank->memory + first, high - first, MADV_DONTNEED);
}

uint64_t vm_rank_sbrk(VmRank *rank, int64_t bytes)
{
    uint64_t old = rank->heap_end;
    if (bytes >= 0) {
        if ((uint64_t)bytes > rank->heap_limit - old)
            return 0;
        rank->heap_end += (uint64_t)bytes;
        return old;
    }
    uint64_t back = -(uint64_t)bytes;
    if (back > old - rank->heap_start)
        return 0;
    discard(rank, old - back, old);
    rank->heap_end -= back;
    return old;
}
