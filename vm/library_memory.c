/* library_memory.c - malloc and its family (C11 7.22.3), with misuse detected.
 *
 * The heap is one run of blocks from vm_rank_heap_start() to `top`; each block is a 16-byte header and a payload whose
 * capacity is that of its size class (steps of 16 bytes up to 1 KiB, then four steps per power of two). Free blocks
 * hang in one list per class, last freed first; a free block at the top is cut off instead. So addresses depend on the
 * program alone.
 *
 *      start                                                       top        high           end
 *      | header | payload ......... | header | payload | ...        |  used once |  never used |
 *
 *      header = { requested size : 48, class : 8, state : 8 } { checksum of the first word and the address }
 *
 * Headers and list links lie in the program's memory and are hostile: each is checked before use, none is followed
 * without its checksum, and no loop runs over them. A damaged header means that the program wrote past the end of a
 * block: that, double free and free of something else are faults that say which block. Under `check`, the slack behind
 * the requested size and the payload of freed blocks are filled with patterns and looked at again, to catch smaller
 * sins.
 *
 * Larger alignments take a bigger block and put a second header, state ALIGNED, before the aligned address; it holds
 * the distance back to the real one.
 */
#include "vm/library.h"

#include <inttypes.h>

enum { HEADER_BYTES = 16, SMALL_CLASSES = 64, SMALL_LIMIT = 1024, SLACK_BYTES = 64, FREED_BYTES = 4096 };
enum { STATE_USED = 0xa5, STATE_FREE = 0x5a, STATE_ALIGNED = 0xc3 };
enum { PATTERN_SLACK = 0xfd, PATTERN_FREED = 0xdd };
static const uint64_t MAX_REQUEST = UINT64_C(1) << 46;
static const int64_t GROW_STEP = 64 << 10, TRIM_STEP = 1 << 20;

typedef struct CBlock {
    uint64_t word;
    uint64_t checksum;
} CBlock;

/* -- headers -------------------------------------------------------------------------------- */

static unsigned class_of(uint64_t size)
{
    if (size <= SMALL_LIMIT)
        return size ? (unsigned)((size - 1) / 16) : 0;
    unsigned log = 63u - (unsigned)__builtin_clzll(size - 1);
    unsigned step = (unsigned)((size - 1) >> (log - 2) & 3);
    return SMALL_CLASSES + (log - 10) * 4 + step;
}

static uint64_t capacity_of(unsigned class)
{
    g_assert(class < C_HEAP_CLASSES);
    if (class < SMALL_CLASSES)
        return (class + 1) * 16;
    unsigned log = 10 + (class - SMALL_CLASSES) / 4, step = (class - SMALL_CLASSES) % 4;
    return (uint64_t)(5 + step) << (log - 2);
}

static uint64_t requested_of(uint64_t word)
{
    return word & ((UINT64_C(1) << 48) - 1);
}

static unsigned block_class(uint64_t word)
{
    return (unsigned)(word >> 48 & 0xff);
}

static unsigned block_state(uint64_t word)
{
    return (unsigned)(word >> 56);
}

/* Any fixed mixing will do: it is a tripwire for overruns, not a signature. */
static uint64_t checksum_of(uint64_t word, uint64_t address)
{
    uint64_t mixed = (word ^ address * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    return mixed ^ mixed >> 29;
}

/* The header of the payload at `address`, or NULL where none can be. */
static CBlock *block_at(VmRank *rank, const CHeap *heap, uint64_t address)
{
    if (address % 16 != 0 || address < heap->start + HEADER_BYTES || address >= heap->top)
        return NULL;
    return vm_rank_write(rank, address - HEADER_BYTES, HEADER_BYTES);
}

static bool block_sound(const CBlock *block, uint64_t address)
{
    return block->checksum == checksum_of(block->word, address);
}

static void block_set(CBlock *block, uint64_t address, uint64_t size, unsigned class, unsigned state)
{
    g_assert(size >> 48 == 0 && class < C_HEAP_CLASSES && address % 16 == 0);
    block->word = size | (uint64_t) class << 48 | (uint64_t)state << 56;
    block->checksum = checksum_of(block->word, address);
}

/* -- faults ------------------------------------------------------------------------------------ */

static bool heap_fault(VmRank *rank, uint64_t address, const char *what)
{
    vm_rank_fault(rank, VM_FAULT_HEAP, address, "%s(0x%" PRIx64 "): %s", vm_library_function_name(rank), address, what);
    return false;
}

static bool heap_fault_overrun(VmRank *rank, uint64_t address, uint64_t size)
{
    vm_rank_fault(rank, VM_FAULT_HEAP, address + size,
                  "%s: the block of %" PRIu64 " bytes at 0x%" PRIx64 " was written past its end",
                  vm_library_function_name(rank), size, address);
    return false;
}

/* -- patterns of --check -------------------------------------------------------------------------- */

/* Slack bytes behind the requested size that are watched. */
static uint64_t slack_of(uint64_t word)
{
    return MIN(capacity_of(block_class(word)) - requested_of(word), SLACK_BYTES);
}

static bool all_bytes(const uint8_t *bytes, uint64_t count, uint8_t pattern)
{
    for (uint64_t i = 0; i < count; i++)
        if (bytes[i] != pattern)
            return false;
    return true;
}

static void mark_slack(VmRank *rank, uint64_t address, uint64_t word)
{
    if (!vm_rank_limits(rank)->check)
        return;
    void *slack = vm_rank_write(rank, address + requested_of(word), slack_of(word));
    if (slack && slack_of(word))
        memset(slack, PATTERN_SLACK, slack_of(word));
}

static void mark_freed(VmRank *rank, uint64_t address, uint64_t capacity)
{
    uint64_t size = MIN(capacity - 8, FREED_BYTES);
    void *payload = vm_rank_limits(rank)->check ? vm_rank_write(rank, address + 8, size) : NULL;
    if (payload)
        memset(payload, PATTERN_FREED, size);
}

static bool freed_untouched(VmRank *rank, uint64_t address, uint64_t capacity)
{
    if (!vm_rank_limits(rank)->check)
        return true;
    uint64_t size = MIN(capacity - 8, FREED_BYTES);
    const uint8_t *payload = vm_rank_read(rank, address + 8, size);
    return payload && all_bytes(payload, size, PATTERN_FREED);
}

/* -- allocating -------------------------------------------------------------------------------------- */

static void heap_start(VmRank *rank, CHeap *heap)
{
    if (heap->start == 0)
        heap->start = heap->top = heap->high = heap->end = vm_rank_heap_start(rank);
}

/* Makes [top, top + bytes) part of the heap. */
static bool heap_grow(VmRank *rank, CHeap *heap, uint64_t bytes)
{
    g_assert(heap->start <= heap->top && heap->top <= heap->end);
    uint64_t spare = heap->end - heap->top;
    if (bytes <= spare)
        return true;
    int64_t least = (int64_t)((bytes - spare + 4095) / 4096 * 4096);
    if (vm_rank_sbrk(rank, MAX(least, GROW_STEP)) != 0)
        heap->end += (uint64_t)MAX(least, GROW_STEP);
    else if (vm_rank_sbrk(rank, least) != 0)
        heap->end += (uint64_t)least;
    else
        return false;
    return true;
}

/* Takes the first free block of a class. Answers 0 where there is none; *sound = false after a fault. */
static uint64_t take_free(VmRank *rank, CHeap *heap, unsigned class, bool *sound)
{
    uint64_t address = heap->free[class];
    if (address == 0)
        return 0;
    CBlock *block = block_at(rank, heap, address);
    if (!block || !block_sound(block, address) || block_state(block->word) != STATE_FREE ||
        block_class(block->word) != class || !freed_untouched(rank, address, capacity_of(class))) {
        *sound =
            heap_fault(rank, address, "the list of free blocks is damaged: a block was written after it was freed");
        return 0;
    }
    uint64_t link;
    const void *place = vm_rank_read(rank, address, sizeof link);
    memcpy(&link, place, sizeof link);
    heap->free[class] = link;
    return address;
}

bool vm_heap_allocate(VmRank *rank, uint64_t size, uint64_t *address)
{
    *address = 0;
    CHeap *heap = &vm_library_of(rank)->heap;
    heap_start(rank, heap);
    if (size > MAX_REQUEST) {
        vm_library_set_errno(rank, ENOMEM);
        return true;
    }
    unsigned class = class_of(size);
    g_assert(capacity_of(class) >= size);
    bool sound = true;
    uint64_t found = take_free(rank, heap, class, &sound);
    if (!sound)
        return false;
    if (found == 0) {
        uint64_t bytes = HEADER_BYTES + capacity_of(class);
        if (!heap_grow(rank, heap, bytes)) {
            vm_library_set_errno(rank, ENOMEM);
            return true;
        }
        found = heap->top + HEADER_BYTES;
        heap->top += bytes;
    }
    CBlock *block = block_at(rank, heap, found);
    g_assert(block);
    block_set(block, found, size, class, STATE_USED);
    mark_slack(rank, found, block->word);
    *address = found;
    return true;
}

/* A block at a multiple of `alignment`, a power of two. */
static bool allocate_aligned(VmRank *rank, uint64_t alignment, uint64_t size, uint64_t *address)
{
    if (alignment <= 16)
        return vm_heap_allocate(rank, size, address);
    if (size > MAX_REQUEST || alignment > MAX_REQUEST)
        return vm_heap_allocate(rank, UINT64_MAX, address);
    uint64_t outer;
    if (!vm_heap_allocate(rank, size + alignment + HEADER_BYTES, &outer))
        return false;
    *address = outer;
    if (outer == 0 || outer % alignment == 0)
        return true;
    *address = (outer + HEADER_BYTES + alignment - 1) / alignment * alignment;
    CBlock *inner = vm_rank_write(rank, *address - HEADER_BYTES, HEADER_BYTES);
    block_set(inner, *address, *address - outer, 0, STATE_ALIGNED);
    return true;
}

/* -- releasing ------------------------------------------------------------------------------------------- */

/* A freed block that was cut off the top leaves its header behind until something else is allocated there. */
static bool freed_at_top(VmRank *rank, const CHeap *heap, uint64_t address)
{
    if (address % 16 != 0 || address < heap->top + HEADER_BYTES || address >= heap->end)
        return false;
    const CBlock *block = vm_rank_read(rank, address - HEADER_BYTES, HEADER_BYTES);
    return block && block_sound(block, address) && block_state(block->word) == STATE_FREE;
}

/* The sound block in use that the program calls `address`; *outer is its real payload address. NULL after a fault. */
static CBlock *find_used(VmRank *rank, CHeap *heap, uint64_t address, uint64_t *outer)
{
    *outer = address;
    CBlock *block = block_at(rank, heap, address);
    if (block && block_sound(block, address) && block_state(block->word) == STATE_ALIGNED) {
        *outer = address - requested_of(block->word);
        block = block_at(rank, heap, *outer);
    }
    const char *what = NULL;
    if (!block && freed_at_top(rank, heap, *outer))
        what = "the block was freed already (double free)";
    else if (!block)
        what = "this address is not on the heap, or not the start of a block: only what malloc gave can be freed";
    else if (!block_sound(block, *outer))
        what = "not the start of a heap block, or its header was overwritten by a write past the end of the block "
               "before it";
    else if (block_state(block->word) == STATE_FREE)
        what = "the block was freed already (double free)";
    else if (block_state(block->word) != STATE_USED)
        what = "the header of the block was overwritten";
    if (what)
        heap_fault(rank, address, what);
    return what ? NULL : block;
}

/* Looks behind a block in use for traces of an overrun. */
static bool check_end(VmRank *rank, CHeap *heap, const CBlock *block, uint64_t address)
{
    uint64_t word = block->word, end = address + capacity_of(block_class(word));
    if (end > heap->top || requested_of(word) > capacity_of(block_class(word)))
        return heap_fault(rank, address, "the header of the block was overwritten");
    if (vm_rank_limits(rank)->check) {
        const uint8_t *slack = vm_rank_read(rank, address + requested_of(word), slack_of(word));
        if (slack && !all_bytes(slack, slack_of(word), PATTERN_SLACK))
            return heap_fault_overrun(rank, address, requested_of(word));
    }
    if (end == heap->top)
        return true;
    const CBlock *next = block_at(rank, heap, end + HEADER_BYTES);
    return (next && block_sound(next, end + HEADER_BYTES)) || heap_fault_overrun(rank, address, requested_of(word));
}

static void cut_top(VmRank *rank, CHeap *heap, uint64_t top)
{
    g_assert(heap->start <= top && top < heap->top);
    heap->high = MAX(heap->high, heap->top);
    heap->top = top;
    int64_t spare = (int64_t)((heap->end - top) / 4096 * 4096);
    if (spare >= TRIM_STEP && vm_rank_sbrk(rank, -spare) != 0) {
        heap->end -= (uint64_t)spare;
        heap->high = MIN(heap->high, heap->end);
    }
}

bool vm_heap_release(VmRank *rank, uint64_t address)
{
    if (address == 0)
        return true;
    CHeap *heap = &vm_library_of(rank)->heap;
    heap_start(rank, heap);
    uint64_t outer;
    CBlock *block = find_used(rank, heap, address, &outer);
    if (!block || !check_end(rank, heap, block, outer))
        return false;
    unsigned class = block_class(block->word);
    if (outer + capacity_of(class) == heap->top) {
        block_set(block, outer, 0, class, STATE_FREE); /* so that a second free is recognised */
        cut_top(rank, heap, outer - HEADER_BYTES);
        return true;
    }
    mark_freed(rank, outer, capacity_of(class));
    block_set(block, outer, 0, class, STATE_FREE);
    void *place = vm_rank_write(rank, outer, 8);
    memcpy(place, &heap->free[class], 8);
    heap->free[class] = outer;
    return true;
}

/* Fits the block to `size` where it lies: within its class, or by moving the top. */
static bool resize_in_place(VmRank *rank, CHeap *heap, CBlock *block, uint64_t address, uint64_t size)
{
    unsigned class = block_class(block->word);
    uint64_t end = address + capacity_of(class);
    if (size <= capacity_of(class)) {
        block_set(block, address, size, class, STATE_USED);
    } else if (end == heap->top && size <= MAX_REQUEST) {
        uint64_t more = capacity_of(class_of(size)) - capacity_of(class);
        if (!heap_grow(rank, heap, more))
            return false;
        heap->top += more;
        g_assert(heap->top == address + capacity_of(class_of(size)));
        block_set(block, address, size, class_of(size), STATE_USED);
    } else {
        return false;
    }
    mark_slack(rank, address, block->word);
    return true;
}

static bool reallocate(VmRank *rank, uint64_t old, uint64_t size, uint64_t *address)
{
    CHeap *heap = &vm_library_of(rank)->heap;
    heap_start(rank, heap);
    uint64_t outer;
    CBlock *block = find_used(rank, heap, old, &outer);
    if (!block || !check_end(rank, heap, block, outer))
        return false;
    *address = old;
    if (outer == old && resize_in_place(rank, heap, block, old, size))
        return true;
    uint64_t kept = MIN(requested_of(block->word) - (old - outer), size);
    if (!vm_heap_allocate(rank, size, address))
        return false;
    if (*address == 0)
        return true;
    vm_rank_charge_units(rank, kept);
    const void *from = vm_rank_read(rank, old, kept);
    void *to = vm_rank_write(rank, *address, kept);
    if (kept && from && to)
        memcpy(to, from, kept);
    return vm_heap_release(rank, old);
}

/* -- the interface above and the functions ---------------------------------------------------------------------- */

uint64_t vm_rank_malloc(VmRank *rank, uint64_t size)
{
    uint64_t address;
    return vm_heap_allocate(rank, size, &address) ? address : 0;
}

void vm_rank_free(VmRank *rank, uint64_t address)
{
    vm_heap_release(rank, address);
}

C_FUNCTION(malloc)
{
    uint64_t address;
    return vm_heap_allocate(rank, args[0], &address) ? c_return(args, address) : VM_CALL_FAULT;
}

/* Memory that the program never had reads as 0 and need not be touched. */
static bool clear_block(VmRank *rank, uint64_t address, uint64_t size, uint64_t fresh)
{
    uint64_t dirty = address < fresh ? MIN(size, fresh - address) : 0;
    void *bytes = vm_rank_write(rank, address, dirty);
    if (dirty && bytes)
        memset(bytes, 0, dirty);
    vm_rank_charge_units(rank, size);
    return true;
}

C_FUNCTION(calloc)
{
    uint64_t size, address;
    if (__builtin_mul_overflow(args[0], args[1], &size))
        return c_fail(rank, args, ENOMEM, 0);
    CHeap *heap = &vm_library_of(rank)->heap;
    uint64_t fresh = MAX(heap->high, heap->top);
    if (!vm_heap_allocate(rank, size, &address))
        return VM_CALL_FAULT;
    if (address)
        clear_block(rank, address, size, fresh);
    return c_return(args, address);
}

C_FUNCTION(free)
{
    return vm_heap_release(rank, args[0]) ? c_return(args, 0) : VM_CALL_FAULT;
}

/* As in glibc, realloc(p, 0) frees and answers NULL. */
C_FUNCTION(realloc)
{
    uint64_t address;
    if (args[0] == 0)
        return vm_heap_allocate(rank, args[1], &address) ? c_return(args, address) : VM_CALL_FAULT;
    if (args[1] == 0)
        return vm_heap_release(rank, args[0]) ? c_return(args, 0) : VM_CALL_FAULT;
    return reallocate(rank, args[0], args[1], &address) ? c_return(args, address) : VM_CALL_FAULT;
}

C_FUNCTION(reallocarray)
{
    uint64_t size;
    if (__builtin_mul_overflow(args[1], args[2], &size))
        return c_fail(rank, args, ENOMEM, 0);
    args[1] = size;
    return vm_c_realloc(rank, args);
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
    return allocate_aligned(rank, args[0], args[1], &address) ? c_return(args, address) : VM_CALL_FAULT;
}

C_FUNCTION(memalign)
{
    return vm_c_aligned_alloc(rank, args);
}

C_FUNCTION(valloc)
{
    args[1] = args[0];
    args[0] = 4096;
    return vm_c_aligned_alloc(rank, args);
}

C_FUNCTION(posix_memalign)
{
    uint64_t address;
    if (!power_of_two(args[1]) || args[1] % 8 != 0)
        return c_return_int(args, EINVAL);
    if (!c_write(0, 8) || !allocate_aligned(rank, args[1], args[2], &address))
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
    CHeap *heap = &vm_library_of(rank)->heap;
    heap_start(rank, heap);
    uint64_t outer;
    CBlock *block = find_used(rank, heap, args[0], &outer);
    if (!block)
        return VM_CALL_FAULT;
    return c_return(args, requested_of(block->word) - (args[0] - outer));
}
