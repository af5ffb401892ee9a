/* heap.c - the heap of a program: blocks in the program's own memory, with detection of misuse.
 *
 * The heap is one run of blocks from vm_rank_heap_start() to `top`. Each block has a 16-byte header and a payload of a
 * multiple of 16 bytes. Free neighbours are always merged. Free blocks are in lists by size, in rows of a power of two
 * and 8 columns each. A bit per list tells that it is not empty, so a fitting block is found without a search (Masmano
 * et al., "TLSF", ECRTS 2004). Addresses depend on the program alone.
 *
 *      start                                                       top        high           end
 *      | header | payload | slack | header | payload | ... | mark |  used once |  never used |
 *
 *      header = { capacity / 16 : 40, slack : 8, state : 8, 0 : 8 }
 *               { capacity / 16 of the block before : 40, sum : 24 }
 *
 * Headers and list links lie in the program's memory and are hostile. Each is checked before use, none is followed
 * without its checksum, and no loop over them is longer than a constant. The slack behind the requested size is filled
 * with a pattern, and so is the beginning of freed memory. A damaged header or pattern means that the program wrote
 * past the end of a block, or to one that it had freed. Such writes, double frees and frees of something else are
 * faults that name the block.
 */
#include "vm/library/heap.h"

#include <inttypes.h>

enum { UNIT = VM_HEAP_UNIT, HEADER_BYTES = 16, LEAST_CAPACITY = 16, ATTEMPTS = 8 };
enum { FREED_BYTES = 64, LINK_BYTES = 16 };
enum { STATE_USED = 0xa5, STATE_FREE = 0x5a, STATE_TOP = 0xc3 };
enum { PATTERN_SLACK = 0xfd, PATTERN_FREED = 0xdd };
static const uint64_t UNIT_MASK = (UINT64_C(1) << 40) - 1;
static const int64_t GROW_STEP = 64 << 10, TRIM_STEP = 1 << 20;

/* The header of a block, in the program's memory. */
typedef struct CBlock {
    uint64_t word, check;
} CBlock;

/* The list links of a free block, at the start of its payload: addresses in the program's memory. */
typedef struct CLinks {
    uint64_t next, previous;
} CLinks;

/* -- headers ----------------------------------------------------------------------------------- */

static uint64_t capacity_of(const CBlock *block)
{
    return (block->word & UNIT_MASK) * UNIT;
}

static uint64_t slack_of(const CBlock *block)
{
    return block->word >> 40 & 0xff;
}

static uint64_t requested_of(const CBlock *block)
{
    return capacity_of(block) - MIN(slack_of(block), capacity_of(block));
}

static unsigned state_of(const CBlock *block)
{
    return (unsigned)(block->word >> 48 & 0xff);
}

/* Capacity of the block before this one; 0: this is the first. */
static uint64_t before_of(const CBlock *block)
{
    return (block->check & UNIT_MASK) * UNIT;
}

/* Any fixed mixing will do: the sum is a tripwire for overruns, not a signature. */
static uint64_t sum_of(uint64_t word, uint64_t before, uint64_t address)
{
    uint64_t mixed = (word ^ before << 20 ^ address * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    return mixed >> 40;
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
                  "%s: the block of %" PRIu64 " byte%s at 0x%" PRIx64 " was written past its end",
                  vm_library_function_name(rank), size, size == 1 ? "" : "s", address);
    return false;
}

static bool heap_fault_freed(VmRank *rank, uint64_t address)
{
    return heap_fault(rank, address, "the list of free blocks is damaged: a block was written after it was freed");
}

/* -- headers in memory ------------------------------------------------------------------------- */

/* The heap's own bytes at `address`; NULL: the program does not have them. */
static inline void *bytes_at(VmRank *rank, uint64_t address, uint64_t size)
{
    uint64_t offset = address - rank->near_low, bytes = rank->near_end - rank->near_low;
    return G_LIKELY(offset <= bytes && size <= bytes - offset) ? rank->memory + address
                                                               : vm_memory_write(rank, address, size);
}

/* The header of the payload at `address`, or NULL if there can be none. The mark at the top and memory behind it count
 * too. */
static CBlock *block_at(VmRank *rank, const CHeap *heap, uint64_t address)
{
    if (address % UNIT != 0 || address < heap->start + HEADER_BYTES || address > heap->end)
        return NULL;
    return bytes_at(rank, address - HEADER_BYTES, HEADER_BYTES);
}

static bool block_sound(const CBlock *block, uint64_t address)
{
    return block->check >> 40 == sum_of(block->word, block->check & UNIT_MASK, address);
}

/* The sum is no secret, so even a sound header may be forged. Therefore the capacity must not reach beyond the heap. */
static bool capacity_sound(const CHeap *heap, const CBlock *block, uint64_t address)
{
    return address <= heap->top && capacity_of(block) >= LEAST_CAPACITY && capacity_of(block) <= heap->top - address;
}

/* A sound block within the heap in one of two states, or NULL. */
static CBlock *sound_block(VmRank *rank, const CHeap *heap, uint64_t address, unsigned state)
{
    CBlock *block = block_at(rank, heap, address);
    if (!block || address > heap->top || !block_sound(block, address) || state_of(block) != state ||
        !capacity_sound(heap, block, address))
        return NULL;
    return block;
}

static void block_set(CBlock *block, uint64_t address, uint64_t capacity, uint64_t slack, unsigned state,
                      uint64_t before)
{
    g_assert(capacity % UNIT == 0 && before % UNIT == 0 && slack <= 0xff && address % UNIT == 0);
    block->word = capacity / UNIT | slack << 40 | (uint64_t)state << 48;
    block->check = before / UNIT;
    block->check |= sum_of(block->word, block->check, address) << 40;
}

/* Writes the capacity of a block that ends at `end` into the header of the next block. */
static bool set_before(VmRank *rank, CHeap *heap, uint64_t end, uint64_t capacity)
{
    if (end == heap->top)
        heap->last = capacity;
    CBlock *next = block_at(rank, heap, end + HEADER_BYTES);
    if (!next)
        return heap_fault_freed(rank, end);
    if (end == heap->top)
        block_set(next, end + HEADER_BYTES, 0, 0, STATE_TOP, capacity);
    else
        block_set(next, end + HEADER_BYTES, capacity_of(next), slack_of(next), state_of(next), capacity);
    return true;
}

/* -- patterns ---------------------------------------------------------------------------------- */

/* Eight bytes of a pattern. The last `count` of eight bytes are the high ones of a word, for hosts are little-endian.
 */
static inline uint64_t eight_of(uint8_t pattern)
{
    return pattern * UINT64_C(0x0101010101010101);
}

static inline uint64_t last_of_eight(uint64_t count)
{
    return UINT64_MAX << (64 - 8 * count);
}

/* Whether the `count` bytes before `end` are the pattern, and making them so. At least 16 bytes, which may be looked
 * at, lie there. */
static inline bool ends_with(const uint8_t *end, uint64_t count, uint8_t pattern)
{
    uint64_t other = 0;
    for (; count >= 8; count -= 8) {
        end -= 8;
        other |= *(const CWord64 *)(const void *)end ^ eight_of(pattern);
    }
    if (count)
        other |= (*(const CWord64 *)(const void *)(end - 8) ^ eight_of(pattern)) & last_of_eight(count);
    return other == 0;
}

static inline void fill_end(uint8_t *end, uint64_t count, uint8_t pattern)
{
    for (; count >= 8; count -= 8) {
        end -= 8;
        *(CWord64 *)(void *)end = eight_of(pattern);
    }
    if (count) {
        CWord64 *word = (CWord64 *)(void *)(end - 8);
        *word ^= (*word ^ eight_of(pattern)) & last_of_eight(count);
    }
}

/* The last bytes of a block's payload, whole words with `slack` bytes. The rest of it may lie elsewhere
 * (rank/absent.c) and need not be brought. */
static uint8_t *slack_bytes(VmRank *rank, uint64_t address, const CBlock *block, uint64_t slack, uint64_t *words)
{
    *words = MIN((slack + 7) / 8 * 8, capacity_of(block));
    return *words ? bytes_at(rank, address + capacity_of(block) - *words, *words) : NULL;
}

static void mark_slack(VmRank *rank, uint64_t address, const CBlock *block)
{
    uint64_t words;
    uint8_t *last = slack_bytes(rank, address, block, slack_of(block), &words);
    if (last)
        fill_end(last + words, slack_of(block), PATTERN_SLACK);
}

/* Number of bytes behind the links that are filled with the pattern when a block of this capacity is freed, and checked
 * when it is allocated again. */
static uint64_t watched(uint64_t capacity)
{
    return MIN(capacity - LINK_BYTES, (uint64_t)FREED_BYTES);
}

static void mark_freed(VmRank *rank, uint64_t address, uint64_t capacity)
{
    uint64_t size = watched(capacity);
    void *payload = size ? bytes_at(rank, address + LINK_BYTES, size) : NULL;
    if (payload)
        fill_end((uint8_t *)payload + size, size, PATTERN_FREED);
}

static bool freed_untouched(VmRank *rank, uint64_t address, uint64_t capacity)
{
    uint64_t size = watched(capacity);
    const uint8_t *payload = size ? bytes_at(rank, address + LINK_BYTES, size) : NULL;
    return !payload || ends_with(payload + size, size, PATTERN_FREED);
}

/* -- lists of free blocks ---------------------------------------------------------------------- */

/* Row and column of the list for a capacity. The first row has a column per size. */
static void list_of(uint64_t capacity, unsigned *row, unsigned *column)
{
    uint64_t units = capacity / UNIT;
    unsigned log = units ? 63u - (unsigned)__builtin_clzll(units) : 0;
    *row = units < C_HEAP_COLUMNS ? 0 : log - 2;
    *column = (unsigned)(units < C_HEAP_COLUMNS ? units : units >> (log - 3) & (C_HEAP_COLUMNS - 1));
    if (*row >= C_HEAP_ROWS) {
        *row = C_HEAP_ROWS - 1;
        *column = C_HEAP_COLUMNS - 1;
    }
    g_assert(*row < C_HEAP_ROWS && *column < C_HEAP_COLUMNS);
}

static CLinks *links_at(VmRank *rank, const CHeap *heap, uint64_t address)
{
    const CBlock *block = sound_block(rank, heap, address, STATE_FREE);
    return block ? bytes_at(rank, address, LINK_BYTES) : NULL;
}

/* Lists are made at first need, because most ranks never have a free block below the top. */
static uint64_t *free_list(CHeap *heap, unsigned row, unsigned column)
{
    if (!heap->free)
        heap->free = g_malloc0(C_HEAP_ROWS * sizeof *heap->free);
    return &heap->free[row][column];
}

static bool list_insert(VmRank *rank, CHeap *heap, uint64_t address, uint64_t capacity)
{
    unsigned row, column;
    list_of(capacity, &row, &column);
    uint64_t *head = free_list(heap, row, column);
    CLinks *links = bytes_at(rank, address, LINK_BYTES), *next = *head ? links_at(rank, heap, *head) : NULL;
    if (!links || (*head && (!next || next->previous != 0)))
        return heap_fault_freed(rank, *head);
    *links = (CLinks){.next = *head, .previous = 0};
    if (next)
        next->previous = address;
    *head = address;
    heap->rows |= UINT32_C(1) << row;
    heap->columns[row] |= (uint8_t)(1u << column);
    return true;
}

/* `links` are those of the block, which is sound; NULL: it is not. */
static bool list_unlink(VmRank *rank, CHeap *heap, uint64_t address, uint64_t capacity, const CLinks *links)
{
    unsigned row, column;
    list_of(capacity, &row, &column);
    uint64_t *head = free_list(heap, row, column);
    if (!links)
        return heap_fault_freed(rank, address);
    CLinks *next = links->next ? links_at(rank, heap, links->next) : NULL;
    CLinks *previous = links->previous ? links_at(rank, heap, links->previous) : NULL;
    bool next_right = links->next ? next && next->previous == address : true;
    bool previous_right = links->previous ? previous && previous->next == address : *head == address;
    if (!next_right || !previous_right)
        return heap_fault_freed(rank, address);
    if (next)
        next->previous = links->previous;
    if (previous)
        previous->next = links->next;
    else
        *head = links->next;
    if (*head == 0) {
        heap->columns[row] &= (uint8_t) ~(1u << column);
        if (heap->columns[row] == 0)
            heap->rows &= ~(UINT32_C(1) << row);
    }
    return true;
}

static bool list_remove(VmRank *rank, CHeap *heap, uint64_t address, uint64_t capacity)
{
    return list_unlink(rank, heap, address, capacity, links_at(rank, heap, address));
}

/* Finds a free block of at least this capacity. It tries the first blocks of the list that may hold such blocks,
 * then the first block of a list in which all are large enough. Returns 0 if there is none; *sound is false after a
 * fault. */
static uint64_t find_free(VmRank *rank, CHeap *heap, uint64_t capacity, bool *sound)
{
    unsigned row, column;
    if (!heap->free)
        return 0;
    list_of(capacity, &row, &column);
    uint64_t address = heap->free[row][column];
    for (int i = 0; i < ATTEMPTS && address; i++) {
        const CBlock *block = sound_block(rank, heap, address, STATE_FREE);
        const CLinks *links = block ? bytes_at(rank, address, LINK_BYTES) : NULL;
        if (!links) {
            *sound = heap_fault_freed(rank, address);
            return 0;
        }
        if (capacity_of(block) >= capacity)
            return address;
        address = links->next;
    }
    unsigned columns = heap->columns[row] & ~((2u << column) - 1);
    uint32_t rows = heap->rows & ~((UINT32_C(2) << row) - 1);
    if (columns)
        return heap->free[row][__builtin_ctz(columns)];
    if (!rows)
        return 0;
    row = (unsigned)__builtin_ctz(rows);
    return heap->free[row][__builtin_ctz(heap->columns[row])];
}

/* -- allocating -------------------------------------------------------------------------------- */

/* Makes [top, top + bytes) and the mark behind it part of the heap. */
static bool heap_grow(VmRank *rank, CHeap *heap, uint64_t bytes)
{
    g_assert(heap->start <= heap->top && heap->top <= heap->end);
    uint64_t spare = heap->end - heap->top, needed = bytes + HEADER_BYTES;
    if (needed <= spare)
        return true;
    int64_t least = (int64_t)((needed - spare + 4095) / 4096 * 4096);
    if (vm_rank_sbrk(rank, MAX(least, GROW_STEP)) != 0)
        heap->end += (uint64_t)MAX(least, GROW_STEP);
    else if (vm_rank_sbrk(rank, least) != 0)
        heap->end += (uint64_t)least;
    else
        return false;
    return true;
}

CHeap *vm_heap_of(VmRank *rank)
{
    CHeap *heap = &vm_library_of(rank)->heap;
    if (heap->start == 0)
        heap->start = heap->top = heap->high = heap->end = vm_rank_heap_start(rank);
    return heap;
}

static uint64_t capacity_for(uint64_t size)
{
    return MAX((size + UNIT - 1) / UNIT * UNIT, (uint64_t)LEAST_CAPACITY);
}

/* Frees [address + capacity, end of the block), if a block fits there. The block itself is in use. */
static bool split(VmRank *rank, CHeap *heap, uint64_t address, CBlock *block, uint64_t capacity)
{
    uint64_t rest = capacity_of(block) - capacity;
    if (rest < HEADER_BYTES + LEAST_CAPACITY)
        return true;
    uint64_t behind = address + capacity + HEADER_BYTES, size = rest - HEADER_BYTES;
    CBlock *remainder = bytes_at(rank, behind - HEADER_BYTES, HEADER_BYTES);
    block_set(remainder, behind, size, 0, STATE_FREE, capacity);
    block_set(block, address, capacity, 0, STATE_USED, before_of(block));
    mark_freed(rank, behind, size);
    return set_before(rank, heap, behind + size, size) && list_insert(rank, heap, behind, size);
}

/* Takes the free block at `address` from its list and cuts it to this capacity. set_requested() makes it one in use. */
static CBlock *take_free(VmRank *rank, CHeap *heap, uint64_t address, uint64_t capacity)
{
    CBlock *block = sound_block(rank, heap, address, STATE_FREE);
    if (block && !list_unlink(rank, heap, address, capacity_of(block), bytes_at(rank, address, LINK_BYTES)))
        return NULL;
    if (!block || capacity_of(block) < capacity || !freed_untouched(rank, address, capacity_of(block))) {
        heap_fault_freed(rank, address);
        return NULL;
    }
    return split(rank, heap, address, block, capacity) ? block : NULL;
}

/* Cuts a block from the memory behind the top. NULL: the heap is full. */
static CBlock *take_top(VmRank *rank, CHeap *heap, uint64_t capacity, uint64_t *address)
{
    if (!heap_grow(rank, heap, HEADER_BYTES + capacity))
        return NULL;
    uint64_t before = heap->last;
    *address = heap->top + HEADER_BYTES;
    heap->top += HEADER_BYTES + capacity;
    CBlock *block = block_at(rank, heap, *address);
    block_set(block, *address, capacity, 0, STATE_USED, before);
    set_before(rank, heap, heap->top, capacity);
    return block;
}

/* Records the requested size of a block in use. */
static void set_requested(VmRank *rank, CHeap *heap, CBlock *block, uint64_t address, uint64_t size)
{
    g_assert(size <= capacity_of(block) && capacity_of(block) - size <= 0xff);
    block_set(block, address, capacity_of(block), capacity_of(block) - size, STATE_USED, before_of(block));
    mark_slack(rank, address, block);
    heap->used += size;
}

static bool allocate(VmRank *rank, uint64_t size, uint64_t *address)
{
    *address = 0;
    CHeap *heap = vm_heap_of(rank);
    if (size > VM_HEAP_MAX_REQUEST) {
        vm_library_set_errno(rank, ENOMEM);
        return true;
    }
    uint64_t capacity = capacity_for(size);
    if (rank->nested)
        vm_nest_allow(rank, heap->top,
                      capacity + 3 * HEADER_BYTES); /* before any host address of a block is computed */
    bool sound = true;
    uint64_t found = find_free(rank, heap, capacity, &sound);
    CBlock *block = found ? take_free(rank, heap, found, capacity) : NULL;
    if (!sound || (found && !block))
        return false;
    if (!block)
        block = take_top(rank, heap, capacity, &found);
    if (!block) {
        vm_library_set_errno(rank, ENOMEM);
        return true;
    }
    set_requested(rank, heap, block, found, size);
    *address = found;
    return true;
}

static bool release(VmRank *rank, CHeap *heap, uint64_t address, CBlock *block);

/* If the alignment exceeds that of every block, the block is cut from a larger one, whose ends are freed. */
bool vm_heap_take(VmRank *rank, uint64_t alignment, uint64_t size, uint64_t *address)
{
    if (alignment <= UNIT)
        return allocate(rank, size, address);
    if (size > VM_HEAP_MAX_REQUEST || alignment > VM_HEAP_MAX_REQUEST)
        return allocate(rank, UINT64_MAX, address);
    CHeap *heap = &vm_library_of(rank)->heap;
    uint64_t outer, capacity = capacity_for(size);
    if (!allocate(rank, capacity + alignment + HEADER_BYTES + LEAST_CAPACITY, &outer))
        return false;
    *address = outer;
    if (outer == 0)
        return true;
    CBlock *block = block_at(rank, heap, outer);
    heap->used -= requested_of(block);
    uint64_t whole = capacity_of(block);
    if (outer % alignment != 0) {
        uint64_t inner = (outer + HEADER_BYTES + LEAST_CAPACITY + alignment - 1) / alignment * alignment;
        uint64_t front = inner - HEADER_BYTES - outer;
        CBlock *aligned = block_at(rank, heap, inner);
        block_set(aligned, inner, whole - front - HEADER_BYTES, 0, STATE_USED, front);
        block_set(block, outer, front, 0, STATE_USED, before_of(block));
        if (!set_before(rank, heap, outer + whole, whole - front - HEADER_BYTES) || !release(rank, heap, outer, block))
            return false;
        *address = inner;
        block = aligned;
    }
    uint64_t end = *address + capacity_of(block);
    if (end == heap->top && capacity_of(block) > capacity) { /* the rest goes back behind the top */
        heap->high = MAX(heap->high, heap->top + HEADER_BYTES);
        heap->top = *address + capacity;
        block_set(block, *address, capacity, 0, STATE_USED, before_of(block));
        set_before(rank, heap, heap->top, capacity);
    } else if (!split(rank, heap, *address, block, capacity)) {
        return false;
    }
    set_requested(rank, heap, block, *address, size);
    return true;
}

/* -- releasing --------------------------------------------------------------------------------- */

static bool freed_recently(const CHeap *heap, uint64_t address)
{
    for (unsigned i = 0; i < C_HEAP_RECENT; i++)
        if (heap->recent[i] == address)
            return true;
    return false;
}

/* The sound block in use that the program calls `address`. NULL after a fault. */
static CBlock *find_used(VmRank *rank, CHeap *heap, uint64_t address)
{
    CBlock *block = address < heap->end ? block_at(rank, heap, address) : NULL;
    const char *what = NULL;
    if (!block)
        what = "this address is not on the heap, or not the start of a block: only what malloc gave can be freed";
    else if (!block_sound(block, address) && freed_recently(heap, address))
        what = "the block was freed already (double free)";
    else if (!block_sound(block, address))
        what = "not the start of a heap block, or its header was overwritten by a write past the end of the block "
               "before it";
    else if (state_of(block) == STATE_FREE)
        what = "the block was freed already (double free)";
    else if (state_of(block) != STATE_USED || !capacity_sound(heap, block, address))
        what = "the header of the block was overwritten";
    if (what)
        heap_fault(rank, address, what);
    return what ? NULL : block;
}

/* Checks the slack behind a block in use for traces of an overrun. */
static bool check_end(VmRank *rank, CHeap *heap, const CBlock *block, uint64_t address)
{
    uint64_t slack = MIN(slack_of(block), capacity_of(block)), words;
    const uint8_t *last = slack_bytes(rank, address, block, slack, &words);
    if (last && !ends_with(last + words, slack, PATTERN_SLACK))
        return heap_fault_overrun(rank, address, requested_of(block));
    uint64_t end = address + capacity_of(block);
    const CBlock *next = block_at(rank, heap, end + HEADER_BYTES);
    bool sound = next && block_sound(next, end + HEADER_BYTES) && before_of(next) == capacity_of(block);
    return sound || heap_fault_overrun(rank, address, requested_of(block));
}

/* Ends the heap before the last block. */
static void cut_top(VmRank *rank, CHeap *heap, uint64_t address, uint64_t before)
{
    g_assert(heap->start < address && address < heap->top);
    heap->high = MAX(heap->high, heap->top + HEADER_BYTES);
    heap->top = address - HEADER_BYTES;
    int64_t spare = (int64_t)((heap->end - heap->top - HEADER_BYTES) / 4096 * 4096);
    if (spare >= TRIM_STEP && vm_rank_sbrk(rank, -spare) != 0) {
        heap->end -= (uint64_t)spare;
        heap->high = MIN(heap->high, heap->end);
    }
    heap->last = before;
}

/* Frees a sound block: merges it with its free neighbours, or the top. Headers inside merged blocks stay as those of
 * free blocks, so that a second free is recognised. */
static bool release(VmRank *rank, CHeap *heap, uint64_t address, CBlock *block)
{
    uint64_t own = capacity_of(block), capacity = own, before = before_of(block), end = address + capacity;
    block_set(block, address, capacity, 0, STATE_FREE, before);
    mark_freed(rank, address, capacity);
    const CBlock *next = end < heap->top ? block_at(rank, heap, end + HEADER_BYTES) : NULL;
    if (next && state_of(next) == STATE_FREE) {
        if (!list_remove(rank, heap, end + HEADER_BYTES, capacity_of(next)))
            return false;
        capacity += HEADER_BYTES + capacity_of(next);
    }
    uint64_t neighbour = before ? address - HEADER_BYTES - before : 0;
    const CBlock *previous = neighbour ? block_at(rank, heap, neighbour) : NULL;
    if (neighbour && (!previous || !block_sound(previous, neighbour) || capacity_of(previous) != before))
        return heap_fault_overrun(rank, neighbour, before);
    if (previous && state_of(previous) == STATE_FREE) {
        if (!list_remove(rank, heap, neighbour, before))
            return false;
        capacity += HEADER_BYTES + before;
        before = before_of(previous);
        address = neighbour;
    }
    bool merged = capacity != own;
    if (merged)
        block_set(block_at(rank, heap, address), address, capacity, 0, STATE_FREE, before);
    if (address + capacity == heap->top) {
        cut_top(rank, heap, address, before);
        return true;
    }
    if (merged)
        mark_freed(rank, address, capacity);
    return set_before(rank, heap, address + capacity, capacity) && list_insert(rank, heap, address, capacity);
}

bool vm_heap_give_back(VmRank *rank, uint64_t address)
{
    CHeap *heap = vm_heap_of(rank);
    CBlock *block = find_used(rank, heap, address);
    if (!block || !check_end(rank, heap, block, address))
        return false;
    heap->used -= requested_of(block);
    heap->recent[heap->next_recent++ % C_HEAP_RECENT] = address;
    return release(rank, heap, address, block);
}

/* Extends the block to the capacity: takes the free block behind it, or moves the top. Returns false if it cannot;
 * *sound is false after a fault. */
static bool extend(VmRank *rank, CHeap *heap, CBlock *block, uint64_t address, uint64_t capacity, bool *sound)
{
    uint64_t present = capacity_of(block), end = address + present;
    if (end == heap->top) {
        if (!heap_grow(rank, heap, capacity - present))
            return false;
        heap->top = address + capacity;
        block_set(block, address, capacity, 0, STATE_USED, before_of(block));
        set_before(rank, heap, heap->top, capacity);
        return true;
    }
    const CBlock *next = block_at(rank, heap, end + HEADER_BYTES);
    uint64_t joined = present + HEADER_BYTES + capacity_of(next);
    if (state_of(next) != STATE_FREE || joined < capacity)
        return false;
    if (!list_remove(rank, heap, end + HEADER_BYTES, capacity_of(next))) {
        *sound = false;
        return false;
    }
    block_set(block, address, joined, 0, STATE_USED, before_of(block));
    set_before(rank, heap, address + joined, joined);
    return true;
}

/* Changes the size of the block without moving it. */
static bool resize_in_place(VmRank *rank, CHeap *heap, CBlock *block, uint64_t address, uint64_t size, bool *sound)
{
    uint64_t capacity = size <= VM_HEAP_MAX_REQUEST ? capacity_for(size) : 0, old = requested_of(block);
    if (capacity == 0 || (capacity > capacity_of(block) && !extend(rank, heap, block, address, capacity, sound)))
        return false;
    block_set(block, address, capacity_of(block), 0, STATE_USED, before_of(block));
    uint64_t rest = capacity_of(block) - capacity, behind = address + capacity + HEADER_BYTES;
    if (rest >= HEADER_BYTES + LEAST_CAPACITY) { /* the rest becomes a block, which merges with free memory behind it */
        CBlock *remainder = bytes_at(rank, behind - HEADER_BYTES, HEADER_BYTES);
        block_set(remainder, behind, rest - HEADER_BYTES, 0, STATE_USED, capacity);
        block_set(block, address, capacity, 0, STATE_USED, before_of(block));
        set_before(rank, heap, behind + rest - HEADER_BYTES, rest - HEADER_BYTES);
        *sound = release(rank, heap, behind, remainder);
        if (!*sound)
            return false;
    }
    heap->used -= old;
    set_requested(rank, heap, block, address, size);
    return true;
}

void vm_heap_copy(VmRank *rank, uint64_t to, uint64_t from, uint64_t size)
{
    const void *source = vm_memory_read(rank, from, size);
    void *target = vm_memory_write(rank, to, size);
    if (size && source && target)
        memcpy(target, source, size);
}

bool vm_heap_resize(VmRank *rank, uint64_t old, uint64_t size, uint64_t *address)
{
    CHeap *heap = vm_heap_of(rank);
    vm_nest_allow(rank, heap->top, MIN(size, VM_HEAP_MAX_REQUEST) + 4 * HEADER_BYTES);
    CBlock *block = find_used(rank, heap, old);
    if (!block || !check_end(rank, heap, block, old))
        return false;
    *address = old;
    bool sound = true;
    if (resize_in_place(rank, heap, block, old, size, &sound))
        return true;
    uint64_t kept = MIN(requested_of(block), size);
    if (!sound || !allocate(rank, size, address))
        return false;
    if (*address == 0)
        return true;
    c_charge(rank, kept);
    if (!rank->check)
        vm_heap_copy(rank, *address, old, kept);
    return vm_heap_give_back(rank, old);
}

/* -- looking ----------------------------------------------------------------------------------- */

bool vm_heap_size(VmRank *rank, uint64_t address, uint64_t *size)
{
    const CBlock *block = find_used(rank, vm_heap_of(rank), address);
    *size = block ? requested_of(block) : 0;
    return block;
}

uint64_t vm_heap_fresh(VmRank *rank)
{
    const CHeap *heap = vm_heap_of(rank);
    return MAX(heap->high, heap->top + HEADER_BYTES);
}

bool vm_heap_nearest(VmRank *rank, uint64_t address, uint64_t *low, uint64_t *size, bool *used)
{
    const CHeap *heap = rank->library ? &rank->library->heap : NULL;
    bool found = false;
    if (!heap || heap->start == 0)
        return false;
    for (uint64_t at = heap->start + HEADER_BYTES; at <= heap->top && at <= address;) {
        const CBlock *block = block_at(rank, heap, at);
        if (!block || !block_sound(block, at) || state_of(block) == STATE_TOP)
            break;
        *low = at;
        *used = state_of(block) == STATE_USED;
        *size = *used ? requested_of(block) : capacity_of(block);
        found = true;
        at += capacity_of(block) + HEADER_BYTES;
    }
    return found;
}
