/* nest.c - small address spaces side by side, for runs with many ranks.
 *
 * In its own place in the reservation, a rank's memory takes at least one page, plus a page of the host's page tables.
 * For most programs, nearly all of both is empty. So if there are many ranks, a rank begins in a nest: a kilobyte that
 * holds the top of its stack, its data and the beginning of its heap, next to the nests of other ranks.
 *
 *   guest   data_base ..........| near_low   stack's top   data   heap's beginning   near_end |.......... heap_end
 *   host    nothing             | nests + index * nest_bytes                                   | nothing
 *
 * Fast paths know only the near interval. A rank leaves its nest for its own place, for good, when it needs more: a
 * deeper frame, a heap block further up, any access outside, or native code, which knows only places. The program does
 * not notice: its addresses stay.
 *
 * The move changes host addresses. So the simulator keeps no host address into a rank's memory while the rank runs or
 * something is allocated for it. The accesses of a correct program lie in the nest, or the rank left the nest
 * beforehand, when the frame was entered or the block allocated. So these accesses cannot move the memory.
 */
#include "vm/rank/rank.h"

#include <string.h>
#include <sys/mman.h>

enum {
    NEST_ROOM = 448,       /* bytes for frames and heap, beyond what a program begins with */
    NEST_LEAST_ROOM = 192, /* with less room, a rank goes to its own place at once */
    NEST_LARGEST = 2048,   /* if a program begins with more, a nest saves too little */
    NEST_UNIT = 64,        /* line size of the host's caches */
    NEST_LEFT = 0xa5       /* fills a nest that its rank has left, to show uses of stale addresses */
};

uint8_t *vm_rank_place(const VmRank *rank)
{
    const VmWorld *world = rank->world;
    uint64_t first = rank->data_base / VM_PAGE * VM_PAGE;
    if (rank->apart)
        return (uint8_t *)((uintptr_t)rank->apart - first);
    return (uint8_t *)((uintptr_t)world->reservation + world->stride * rank->index - first);
}

uint8_t *vm_rank_shadows(const VmRank *rank)
{
    const VmWorld *world = rank->world;
    return rank->apart ? rank->apart + world->stride : world->shadows + world->stride * 2 * rank->index;
}

/* Reserves nests for all ranks, of the size that this rank's program needs. */
static bool reserve_nests(VmWorld *world, uint64_t needed)
{
    world->nest_bytes = (uint32_t)((needed + NEST_ROOM + NEST_UNIT - 1) / NEST_UNIT * NEST_UNIT);
    size_t bytes = (size_t)world->nest_bytes * world->count;
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        return false;
    madvise(start, bytes, MADV_HUGEPAGE);
    world->nests = start;
    return true;
}

void vm_nests_free(VmWorld *world)
{
    if (world->nests)
        munmap(world->nests, (size_t)world->nest_bytes * world->count);
    world->nests = NULL;
}

/* Half of the free room is for frames. */
void vm_nest_enter(VmRank *rank, uint64_t stack_top)
{
    VmWorld *world = rank->world;
    uint64_t needed = rank->heap_start - stack_top;
    if (world->count <= world->limits.nest_ranks || world->limits.check || rank->apart ||
        rank->stack_low != rank->data_base || needed > NEST_LARGEST)
        return;
    if (!world->nests && !reserve_nests(world, needed))
        return;
    if (needed + NEST_LEAST_ROOM > world->nest_bytes)
        return;
    uint64_t room = (world->nest_bytes - needed) / 2 / 16 * 16;
    if (stack_top - room <= rank->data_base || rank->heap_start + room + world->nest_bytes >= rank->heap_limit)
        return;
    rank->nested = true;
    rank->near_low = rank->stack_low = stack_top - room;
    rank->memory = world->nests + (size_t)world->nest_bytes * rank->index - rank->near_low;
    vm_memory_set_end(rank, rank->heap_end);
}

void vm_nest_leave(VmRank *rank)
{
    g_assert(rank->nested);
    uint8_t *nest = rank->memory + rank->near_low, *place = vm_rank_place(rank);
    memcpy(place + rank->near_low, nest, rank->near_end - rank->near_low);
    memset(nest, NEST_LEFT, rank->world->nest_bytes);
    rank->nested = false;
    rank->memory = place;
    rank->near_low = rank->stack_low = rank->data_base;
    vm_memory_set_end(rank, rank->heap_end);
}

void vm_nest_allow(VmRank *rank, uint64_t address, uint64_t bytes)
{
    if (rank->nested && bytes > vm_nest_end(rank) - address)
        vm_nest_leave(rank);
}

uint64_t vm_nest_end(const VmRank *rank)
{
    return rank->near_low + rank->world->nest_bytes;
}
