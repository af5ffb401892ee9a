/* memory.c - a rank's address space: what may be read and written, the hooks that watch accesses, and the end of the
 * heap.
 *
 *   constants   [VCODE_RODATA_BASE, + rodata.count)   in the image, read-only, shared
 *   private     [data_base, heap_end)                 stack, data, bss, heap: one interval, so one comparison
 *   shared      VCODE_SHARED_BASE and beyond          segments that ranks of one node have in common (shared.c)
 *
 * There is nothing else. The interpreter repeats the comparison for the near part of the private interval inline, and
 * calls this file for the rest.
 */
#include "vm/rank/rank.h"

#include <string.h>
#include <sys/mman.h>

static inline bool within(uint64_t address, uint64_t size, uint64_t low, uint64_t bytes)
{
    uint64_t offset = address - low;
    return offset <= bytes && size <= bytes - offset;
}

static inline bool is_near(const VmRank *rank, uint64_t address, uint64_t size)
{
    return within(address, size, rank->near_low, rank->near_end - rank->near_low);
}

static inline bool is_private(const VmRank *rank, uint64_t address, uint64_t size)
{
    return within(address, size, rank->data_base, rank->heap_end - rank->data_base);
}

/* A rank's memory has the same content wherever it lies. So even a read may move it from the nest to the rank's own
 * place, or bring absent parts, despite the `const`. */
bool vm_memory_bring(const VmRank *rank, uint64_t address, uint64_t size)
{
    if (is_near(rank, address, size))
        return true;
    if (!is_private(rank, address, size))
        return false;
    if (rank->nested)
        vm_nest_leave((VmRank *)rank);
    if (rank->absence)
        vm_absent_touch((VmRank *)rank, address, size);
    return true;
}

void *vm_memory_write(const VmRank *rank, uint64_t address, uint64_t size)
{
    if (is_near(rank, address, size) || ((rank->nested || rank->absence) && vm_memory_bring(rank, address, size)))
        return rank->memory + address;
    if (!size)
        return rank->memory + rank->near_low;
    return G_UNLIKELY(rank->segments) ? vm_shared_find_for_write(rank, address, size) : NULL;
}

const void *vm_memory_read(const VmRank *rank, uint64_t address, uint64_t size)
{
    const VcodeModule *module = rank->image->module;
    if (within(address, size, VCODE_RODATA_BASE, module->rodata.count) && size)
        return module->rodata.items + (address - VCODE_RODATA_BASE);
    if (G_UNLIKELY(rank->segments) && address >= VCODE_SHARED_BASE)
        return size ? vm_shared_find(rank, address, size) : rank->memory + rank->near_low;
    return vm_memory_write(rank, address, size);
}

/* -- for the layers above ---------------------------------------------------------------------- */

void *vm_rank_write_elsewhere(VmRank *rank, uint64_t address, uint64_t size)
{
    void *host = vm_memory_write(rank, address, size);
    return !host || vm_memory_observe(rank, address, size, true) ? host : NULL;
}

bool vm_rank_can_write_elsewhere(VmRank *rank, uint64_t address, uint64_t size)
{
    bool shared = G_UNLIKELY(rank->segments) && vm_shared_find(rank, address, size);
    if (rank->nested ? !vm_memory_write(rank, address, size) : size && !is_private(rank, address, size) && !shared)
        return false;
    return size == 0 || !vm_memory_is_observed(rank) ||
           ((!rank->check || rank->world->above->access(rank, address, size, true)) &&
            vm_memory_ask(rank, address, size, true));
}

bool vm_rank_can_read_elsewhere(VmRank *rank, uint64_t address, uint64_t size)
{
    bool plain = !rank->nested && !vm_memory_is_observed(rank);
    return (plain && is_private(rank, address, size)) || vm_rank_read(rank, address, size);
}

const void *vm_rank_read_elsewhere(VmRank *rank, uint64_t address, uint64_t size)
{
    const void *host = vm_memory_read(rank, address, size);
    return !host || vm_memory_observe(rank, address, size, false) ? host : NULL;
}

/* Whether a zero follows. Mostly the last byte is one, and nothing need be read on the way there: programs that take a
 * long text apart ask often. */
static bool is_terminated(const uint8_t *start, uint64_t room)
{
    return start[room - 1] == 0 || memchr(start, 0, room);
}

const void *vm_memory_reach(const VmRank *rank, uint64_t address, uint64_t *room)
{
    const VcodeModule *module = rank->image->module;
    *room = rank->near_end - address;
    bool all_near = !rank->nested && rank->near_end == rank->heap_end;
    if (!all_near && (!is_near(rank, address, 1) || !is_terminated(rank->memory + address, *room))) {
        if (rank->absence)
            vm_absent_bring_all((VmRank *)rank);
        vm_memory_bring(rank, address, rank->heap_end - address);
        *room = rank->near_end - address;
    }
    if (is_near(rank, address, 1))
        return rank->memory + address;
    if (G_UNLIKELY(rank->segments) && address >= VCODE_SHARED_BASE) {
        *room = vm_shared_room(rank, address);
        return *room ? vm_shared_find(rank, address, *room) : NULL;
    }
    *room = VCODE_RODATA_BASE + module->rodata.count - address;
    return address - VCODE_RODATA_BASE < module->rodata.count ? module->rodata.items + (address - VCODE_RODATA_BASE)
                                                              : NULL;
}

static const char *memory_string(const VmRank *rank, uint64_t address)
{
    uint64_t room;
    const void *start = vm_memory_reach(rank, address, &room);
    return start && is_terminated(start, room) ? start : NULL;
}

const char *vm_rank_string(VmRank *rank, uint64_t address)
{
    const char *text = memory_string(rank, address);
    if (!text || !vm_memory_is_observed(rank))
        return text;
    return vm_memory_observe(rank, address, strlen(text) + 1, false) ? text : NULL;
}

const void *vm_rank_peek(const VmRank *rank, uint64_t address, uint64_t size)
{
    return vm_memory_read(rank, address, size);
}

/* -- access hooks ------------------------------------------------------------------------------ */

static void add_watch(VmRank *rank, VmAccessWatch watch)
{
    VmAccessWatch **end = &rank->watches;
    while (*end)
        end = &(*end)->next;
    *end = g_memdup2(&watch, sizeof watch);
}

void vm_rank_add_access_hook(VmRank *rank, VmAccessHook hook, void *user)
{
    add_watch(rank, (VmAccessWatch){.hook = hook, .user = user});
}

void vm_rank_add_access_check(VmRank *rank, VmAccessHook hook, void *user)
{
    add_watch(rank, (VmAccessWatch){.hook = hook, .user = user, .looks = true});
}

void vm_rank_add_release_hook(VmRank *rank, VmAccessHook hook, void *user)
{
    add_watch(rank, (VmAccessWatch){.hook = hook, .user = user, .looks = true, .kind = VM_WATCH_RELEASES});
}

void vm_rank_add_free_hook(VmRank *rank, VmAccessHook hook, void *user)
{
    add_watch(rank, (VmAccessWatch){.hook = hook, .user = user, .looks = true, .kind = VM_WATCH_FREES});
}

static bool ask(VmRank *rank, uint64_t address, uint64_t size, bool write, VmWatchKind kind)
{
    for (const VmAccessWatch *watch = rank->watches; watch; watch = watch->next)
        if (watch->kind == kind && !watch->hook(rank, address, size, write, watch->user)) {
            g_assert(rank->state == VM_STATE_FAULTED);
            return false;
        }
    return true;
}

bool vm_memory_ask(VmRank *rank, uint64_t address, uint64_t size, bool write)
{
    if (size == 0 || !(write ? vm_memory_write(rank, address, size) : vm_memory_read(rank, address, size)))
        return true; /* nothing is accessed */
    return ask(rank, address, size, write, VM_WATCH_ACCESSES);
}

bool vm_memory_ask_all(VmRank *rank, uint64_t address, uint64_t size, bool write)
{
    if (size == 0 || !(write ? vm_memory_write(rank, address, size) : vm_memory_read(rank, address, size)))
        return true;
    if (rank->check && !rank->world->above->access(rank, address, size, write))
        return false;
    return ask(rank, address, size, write, VM_WATCH_ACCESSES) &&
           (!rank->check || rank->world->above->use(rank, address, size, write));
}

bool vm_memory_ask_release(VmRank *rank, uint64_t address, uint64_t size)
{
    return size == 0 || (ask(rank, address, size, true, VM_WATCH_RELEASES) && vm_memory_ask_free(rank, address, size));
}

bool vm_memory_ask_free(VmRank *rank, uint64_t address, uint64_t size)
{
    return size == 0 || ask(rank, address, size, true, VM_WATCH_FREES);
}

void vm_rank_remove_access_hook(VmRank *rank, VmAccessHook hook, void *user)
{
    VmAccessWatch **place = &rank->watches;
    while ((*place)->hook != hook || (*place)->user != user)
        place = &(*place)->next;
    VmAccessWatch *watch = *place;
    *place = watch->next;
    g_free(watch);
}

void vm_memory_forget_hooks(VmRank *rank)
{
    while (rank->watches) {
        VmAccessWatch *next = rank->watches->next;
        g_free(rank->watches);
        rank->watches = next;
    }
}

/* -- the heap's end ---------------------------------------------------------------------------- */

uint64_t vm_rank_errno_address(VmRank *rank)
{
    return rank->stack_high - 16;
}

uint64_t vm_rank_heap_start(const VmRank *rank)
{
    return rank->heap_start;
}

uint64_t vm_rank_heap_end(const VmRank *rank)
{
    return rank->check ? rank->world->above->plain_end(rank) : rank->heap_end;
}

void vm_memory_set_end(VmRank *rank, uint64_t end)
{
    rank->heap_end = end;
    rank->near_end = rank->nested ? MIN(end, vm_nest_end(rank)) : end;
    if (rank->absence)
        rank->near_end = MIN(rank->near_end, vm_absent_start(rank));
}

void vm_memory_populate(VmRank *rank, uint64_t address, uint64_t size)
{
    enum { LEAST = 8 * VM_PAGE };
    uint64_t low = MAX(MAX(address, rank->populated), rank->heap_start), end = address + size;
    uint64_t first = (low + VM_PAGE - 1) / VM_PAGE * VM_PAGE, last = end / VM_PAGE * VM_PAGE;
    if (size < LEAST || end < low || last < first + LEAST)
        return;
    rank->populated = last;
#ifdef MADV_POPULATE_WRITE
    madvise(rank->memory + first, last - first, MADV_POPULATE_WRITE);
#endif
}

void vm_memory_discard(VmRank *rank, uint64_t low, uint64_t high)
{
    uint64_t first = (low + VM_PAGE - 1) / VM_PAGE * VM_PAGE;
    rank->populated = MIN(rank->populated, low);
    if (rank->absence)
        vm_absent_drop_above(rank, low);
    vm_memory_bring(rank, low, high - low);
    memset(rank->memory + low, 0, MIN(first, high) - low);
    if (high > first)
        madvise(rank->memory + first, high - first, MADV_DONTNEED);
}

static uint64_t move_end(VmRank *rank, int64_t bytes)
{
    uint64_t old = rank->heap_end;
    if (rank->check)
        return rank->world->above->sbrk(rank, bytes);
    if (bytes >= 0) {
        if ((uint64_t)bytes > rank->heap_limit - old)
            return 0;
        vm_memory_set_end(rank, old + (uint64_t)bytes);
        return old;
    }
    uint64_t back = -(uint64_t)bytes;
    if (back > old - rank->heap_start)
        return 0;
    vm_memory_discard(rank, old - back, old);
    vm_memory_set_end(rank, old - back);
    return old;
}

uint64_t vm_rank_sbrk(VmRank *rank, int64_t bytes)
{
    const VmHost *host = &rank->world->host;
    uint64_t old = move_end(rank, bytes);
    rank->turn_cycles = 0; /* what it has taken may end the run before its next turn */
    if (old && bytes && host->grew)
        host->grew(host->user, rank->index, vm_clock_now(&rank->clock), bytes);
    return old;
}
