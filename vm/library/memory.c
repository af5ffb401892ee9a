/* memory.c - malloc and its family (C11 7.22.3), on the program's heap (heap.c).
 *
 * Under --check the program's blocks lie elsewhere (vm/check/heap.c), apart from each other. The plain heap is then
 * kept beside them, without content, for its decisions: when memory is full and what realloc costs. So each function
 * works on the plain heap first, and then places the block for --check.
 */
#include "vm/check/check.h"
#include "vm/library/calls.h"
#include "vm/library/heap.h"

/* -- with and without --check ------------------------------------------------------------------ */

/* Places the block that the plain heap has at *address, if the rank runs under --check. */
static bool place(VmRank *rank, uint64_t alignment, uint64_t size, uint64_t *address)
{
    uint64_t plain = *address;
    if (!rank->check || plain == 0)
        return true;
    *address = vm_check_allocate(rank, alignment, size, plain);
    if (*address == 0)
        vm_rank_fault(rank, VM_FAULT_OUT_OF_MEMORY, 0,
                      "%s: the heap is full, since --check keeps blocks apart and freed ones for a while; without it "
                      "there would be room",
                      vm_library_function_name(rank));
    return *address != 0;
}

static bool heap_allocate(VmRank *rank, uint64_t alignment, uint64_t size, uint64_t *address)
{
    return vm_heap_take(rank, alignment, size, address) && place(rank, MAX(alignment, VM_HEAP_UNIT), size, address);
}

bool vm_library_allocate(VmRank *rank, uint64_t size, uint64_t *address)
{
    return heap_allocate(rank, VM_HEAP_UNIT, size, address);
}

/* Without --check: tells those who watch. */
static bool tell_free(VmRank *rank, uint64_t address)
{
    uint64_t size;
    return !rank->watches || (vm_heap_size(rank, address, &size) && vm_memory_ask_free(rank, address, size));
}

bool vm_library_release(VmRank *rank, uint64_t address)
{
    if (address == 0)
        return true;
    if (!rank->check)
        return tell_free(rank, address) && vm_heap_give_back(rank, address);
    VmSlot *slot = vm_check_find(rank, address);
    if (!slot || !vm_memory_ask_release(rank, slot->address, slot->size))
        return false;
    vm_check_release(rank, slot);
    return vm_heap_give_back(rank, slot->plain);
}

/* Under --check a block always moves, so that uses of pointers to the old block are found. */
static bool heap_reallocate(VmRank *rank, uint64_t old, uint64_t size, uint64_t *address)
{
    if (!rank->check)
        return tell_free(rank, old) && vm_heap_resize(rank, old, size, address);
    const VmSlot *slot = vm_check_find(rank, old);
    if (!slot || !vm_memory_ask_release(rank, slot->address, slot->size) ||
        !vm_heap_resize(rank, slot->plain, size, address))
        return false;
    /* Bytes written behind the block stay, as they do without --check, unless --check looks for such writes. */
    uint64_t kept = MIN(rank->world->limits.check & VM_CHECK_HEAP ? slot->size : slot->capacity, size);
    if (*address == 0 || !place(rank, VM_HEAP_UNIT, size, address))
        return *address == 0 && rank->state != VM_STATE_FAULTED;
    vm_heap_copy(rank, *address, old, kept);
    vm_shadow_copy(rank, *address, old, kept);
    vm_check_release(rank, vm_check_find(rank, old));
    return true;
}

/* -- for the layers above ---------------------------------------------------------------------- */

uint64_t vm_library_malloc(VmRank *rank, uint64_t size)
{
    uint64_t address;
    if (!vm_library_allocate(rank, size, &address))
        return 0;
    if (rank->check && address)
        vm_check_slot(rank, address)->own = true;
    return address;
}

void vm_library_free(VmRank *rank, uint64_t address)
{
    vm_library_release(rank, address);
}

/* -- the functions ----------------------------------------------------------------------------- */

C_FUNCTION(malloc)
{
    uint64_t address;
    return vm_library_allocate(rank, args[0], &address) ? c_return(args, address) : VM_CALL_FAULT;
}

/* Clears a block, except the part from `fresh` on: memory that the program never had reads as 0 and need not be
 * touched. */
static void clear_block(VmRank *rank, uint64_t address, uint64_t size, uint64_t fresh)
{
    uint64_t dirty = address < fresh ? MIN(size, fresh - address) : 0;
    void *bytes = vm_memory_write(rank, address, dirty);
    if (dirty && bytes)
        memset(bytes, 0, dirty);
    if (rank->shadow)
        vm_shadow_define(rank, address, size);
    c_charge(rank, size);
}

C_FUNCTION(calloc)
{
    uint64_t size, address;
    if (__builtin_mul_overflow(args[0], args[1], &size))
        return c_fail(rank, args, ENOMEM, 0);
    uint64_t fresh = vm_heap_fresh(rank);
    if (!vm_library_allocate(rank, size, &address))
        return VM_CALL_FAULT;
    if (rank->check && address)
        fresh = vm_check_is_fresh(rank, address) ? 0 : UINT64_MAX;
    if (address)
        clear_block(rank, address, size, fresh);
    return c_return(args, address);
}

C_FUNCTION(free)
{
    return vm_library_release(rank, args[0]) ? c_return(args, 0) : VM_CALL_FAULT;
}

/* As in glibc, realloc(p, 0) frees and returns NULL. */
C_FUNCTION(realloc)
{
    uint64_t address;
    if (args[0] == 0)
        return vm_library_allocate(rank, args[1], &address) ? c_return(args, address) : VM_CALL_FAULT;
    if (args[1] == 0)
        return vm_library_release(rank, args[0]) ? c_return(args, 0) : VM_CALL_FAULT;
    return heap_reallocate(rank, args[0], args[1], &address) ? c_return(args, address) : VM_CALL_FAULT;
}

C_FUNCTION(reallocarray)
{
    uint64_t size;
    if (__builtin_mul_overflow(args[1], args[2], &size))
        return c_fail(rank, args, ENOMEM, 0);
    args[1] = size;
    return vm_library_c_realloc(rank, args);
}

static bool power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

C_FUNCTION(aligned_alloc)
{
    uint64_t address;
    if (!power_of_two(args[0]))
        return c_fail(rank, args, EINVAL, 0);
    return heap_allocate(rank, args[0], args[1], &address) ? c_return(args, address) : VM_CALL_FAULT;
}

C_FUNCTION(memalign)
{
    return vm_library_c_aligned_alloc(rank, args);
}

C_FUNCTION(valloc)
{
    uint64_t address;
    return heap_allocate(rank, 4096, args[0], &address) ? c_return(args, address) : VM_CALL_FAULT;
}

C_FUNCTION(pvalloc)
{
    args[0] = args[0] > VM_HEAP_MAX_REQUEST ? args[0] : (args[0] + 4095) / 4096 * 4096;
    return vm_library_c_valloc(rank, args);
}

C_FUNCTION(posix_memalign)
{
    uint64_t address;
    if (!power_of_two(args[1]) || args[1] % 8 != 0)
        return c_return_int(args, EINVAL);
    if (!c_write(0, 8) || !heap_allocate(rank, args[1], args[2], &address))
        return VM_CALL_FAULT;
    if (address == 0)
        return c_return_int(args, ENOMEM);
    memcpy(c_write(0, 8), &address, 8);
    return c_return_int(args, 0);
}

C_FUNCTION(malloc_usable_size)
{
    if (args[0] == 0)
        return VM_CALL_DONE;
    if (rank->check) {
        const VmSlot *slot = vm_check_find(rank, args[0]);
        return slot ? c_return(args, slot->size) : VM_CALL_FAULT;
    }
    uint64_t size;
    return vm_heap_size(rank, args[0], &size) ? c_return(args, size) : VM_CALL_FAULT;
}

/* The runtime's mallinfo: stores heap and used bytes in the two longs at args[0]. */
C_FUNCTION(__orrery_heap_usage)
{
    CWord64 *places = c_write(0, 16);
    if (!places)
        return VM_CALL_FAULT;
    const CHeap *heap = vm_heap_of(rank);
    places[0] = heap->end - heap->start;
    places[1] = heap->used;
    return c_return(args, 0);
}
