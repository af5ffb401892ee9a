/* nest.c - small address spaces side by side, for runs with many ranks.
 *
 * A page is the least that a rank's memory takes at its place in the reservation, and behind it lies a page of the
 * host's page tables: of most programs, nearly all of both is empty. So where there are many ranks, a rank begins in a
 * nest: a kilobyte that holds the top of its stack, its data and the beginning of its heap, next to those of other
 * ranks.
 *
 *   guest   data_base ..........| near_low   stack's top   data   heap's beginning   near_end |.......... heap_end
 *   host    nothing             | nests + index * nest_bytes                                   | nothing
 *
 * Fast paths know only the near interval. A rank leaves its nest for its place, for good, when it needs more: a frame
 * deeper down, a block of the heap further up, any access outside, or native code, which knows only places. The program
 * sees nothing of that: its addresses stay.
 *
 * What is known by host address moves then. So the simulator keeps no host address into a rank's memory while the rank
 * runs or something is allocated for it; accesses of a correct program lie in the nest or have left it beforehand (when
 * the frame was entered or the block allocated), so that they cannot move it.
 */
#include "vm/rank/rank.h"

#include <string.h>
#include <sys/mman.h>

enum {
    NEST_ROOM = 448,       /* for frames and heap, beyond what a program begins with */
    NEST_LEAST_ROOM = 192, /* with less, a rank goes to its place at once */
    NEST_LARGEST = 2048,   /* beyond this, too little is saved */
    NEST_UNIT = 64,        /* of the host's caches */
    NEST_LEFT = 0xa5       /* what a nest is filled with when its rank has left: shows addresses that were kept */
};

uint8_t *vm_rank_place(const VmRank *rank)
{
    const VmWorld *world = rank->world;
    uint64_t first = rank->data_base / VM_PAGE * VM_PAGE;
    return (uint8_t *)((uintptr_t)world->reservation + world->stride * rank->index - first);
}

/* Makes room for the nests of all ranks, of the size that this one's program asks for. */
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

/* Half of the room is for frames. */
void vm_nest_enter(VmRank *rank, uint64_t stack_top)
{
    VmWorld *world = rank->world;
    uint64_t needed = rank->heap_start - stack_top;
    if (world->count <= world->limits.nest_ranks || world->limits.check || rank->stack_low != rank->data_base ||
        needed > NEST_LARGEST)
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
