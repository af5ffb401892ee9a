/* world.c - the address spaces of all ranks in one reservation, and the start and release of processes.
 *
 *   reservation   | rank 0         | rank 1         | ...        `stride` bytes each, committed at first touch
 *   one rank      stack              grows down from its top: errno, then texts, envp, argv; SP starts below them
 *                 data, bss          copied from the image, pages of zeros left untouched
 *                 heap               grows up to heap_limit
 *
 * What every program touches lies side by side: the stack's top, the data and the heap's beginning. For a small program
 * it is in one page, behind one page of the host's page tables. (A program whose data lie too low for a stack below
 * them has its stack behind them.)
 *
 * There is one mapping, so the number of ranks meets no limit of the host but memory. The address space of a rank
 * depends only on the number of ranks and the stack's size. So a program that fills its heap behaves the same on every
 * host.
 */
#include "vm/check/check.h"
#include "vm/describe.h"
#include "vm/library/library.h"
#include "vm/timing/timing.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    ROUND = 0x10000,         /* alignment of the sections of the address map */
    LEAST_HEAP = 1 << 20,    /* a rank with less heap is refused */
    LEAST_PER_RANK = 2304,   /* host memory of the smallest rank: a nest, registers, MPI's state */
    HUGE_PAGE_RANKS = 16,    /* with at most so many ranks, large pages are faster and waste little */
    ARGUMENTS_SHARE = 2,     /* arguments and environment may take 1/2 of the stack */
    FETCHED_REGISTERS = 256, /* bytes of the registers that a rank which runs soon will probably touch */
    NEWCOMERS = 4096,        /* ranks that come during a run and live at a time: their strides have room, too */
};
/* Address space of each rank: at most 64 GiB, and at least 64 MiB if the host has room for that. Between these bounds,
 * all ranks together get 16 TiB. The denser ranks lie, the more of them share a page of the host's page tables. */
#define LARGEST_STRIDE (UINT64_C(1) << 36)
#define LEAST_STRIDE   (UINT64_C(1) << 26)
#define ALL_STRIDES    (UINT64_C(1) << 44)
/* Half of what a 64-bit process can map. AddressSanitizer's shadow leaves less. */
#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SPACE (UINT64_C(1) << 43)
#else
#define ADDRESS_SPACE (UINT64_C(1) << 46)
#endif

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

void vm_world_limits_default(VmLimits *limits)
{
    *limits =
        (VmLimits){.stack_bytes = 8 << 20, .heap_bytes = 0, .call_depth = 1000000, .fs = VM_FS_CWD, .nest_ranks = 256};
}

/* -- the reservation --------------------------------------------------------------------------- */

static bool memory_error(GError **error, uint32_t ranks, const char *why)
{
    g_set_error(error, VM_ERROR, VM_ERROR_MEMORY, "cannot simulate %u ranks: %s", ranks, why);
    return false;
}

static bool check_count(uint32_t ranks, GError **error)
{
    if (ranks == 0)
        return memory_error(error, ranks, "a program needs at least one");
    uint64_t memory = vm_host_memory();
    uint64_t most = memory / LEAST_PER_RANK;
    if (ranks <= most)
        return true;
    g_autofree char *needed = g_format_size_full((uint64_t)ranks * LEAST_PER_RANK, G_FORMAT_SIZE_IEC_UNITS);
    g_autofree char *have = g_format_size_full(memory, G_FORMAT_SIZE_IEC_UNITS);
    g_autofree char *why =
        g_strdup_printf("they need at least %s of memory and this host has %s; use at most %" G_GUINT64_FORMAT " ranks",
                        needed, have, most);
    return memory_error(error, ranks, why);
}

static bool reserve(VmWorld *world, GError **error)
{
    uint64_t wanted = MAX(LEAST_STRIDE, world->limits.stack_bytes * 4);
    uint64_t sharers = world->count + (uint64_t)MIN(world->limits.newcomers, NEWCOMERS);
    wanted = CLAMP(ALL_STRIDES / sharers, wanted, MAX(wanted, LARGEST_STRIDE));
    world->stride = MIN(wanted, ADDRESS_SPACE / world->count) / ROUND * ROUND - VM_PAGE;
    uint64_t least = VCODE_RODATA_BASE + world->limits.stack_bytes + LEAST_HEAP + ROUND;
    if (world->stride < least) {
        g_autofree char *why = g_strdup_printf("that leaves %" G_GUINT64_FORMAT
                                               " KiB of address space to each, and a stack of %" G_GUINT64_FORMAT
                                               " KiB does not fit; use fewer ranks or a smaller stack",
                                               world->stride >> 10, world->limits.stack_bytes >> 10);
        return memory_error(error, world->count, why);
    }
    void *start = mmap(NULL, world->stride * world->count, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) {
        g_autofree char *size = g_format_size_full(world->stride * world->count, G_FORMAT_SIZE_IEC_UNITS);
        g_autofree char *why =
            g_strdup_printf("the host refuses to reserve %s of address space (not memory); see 'ulimit -v' and "
                            "/proc/sys/vm/overcommit_memory",
                            size);
        return memory_error(error, world->count, why);
    }
    world->reservation = start;
    if (world->count > HUGE_PAGE_RANKS)
        madvise(start, world->stride * world->count, MADV_NOHUGEPAGE);
    return true;
}

/* Reserves the memory for what --check knows of each byte beside its value. */
static bool reserve_shadows(VmWorld *world, GError **error)
{
    uint64_t bytes = world->stride * 2 * world->count;
    if (!world->limits.check)
        return true;
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        return memory_error(error, world->count,
                            "the host refuses the address space that --check needs for memory; use --check=no-memory, "
                            "or fewer ranks");
    world->shadows = start;
    madvise(start, bytes, MADV_NOHUGEPAGE);
    return true;
}

static const VmAbove above = {
    .close_library = vm_library_close,
    .describe = vm_describe_address,
    .object = vm_describe_object,
    .exited = vm_check_end,
    .access = vm_check_access,
    .use = vm_shadow_access,
    .plain_end = vm_check_plain_end,
    .sbrk = vm_check_sbrk,
    .entered = vm_shadow_entered,
    .returned = vm_shadow_returned,
    .selected = vm_shadow_selected,
    .ended = vm_predictor_close,
};

/* Ranks up to `total` are there from now on. */
static void name_ranks(VmWorld *world, uint32_t total)
{
    for (; world->total < total; world->total++) {
        world->ranks[world->total].world = world;
        world->ranks[world->total].index = world->total;
    }
}

VmWorld *vm_world_new(uint32_t ranks, const VmLimits *limits, const VmHost *host, GError **error)
{
    VmWorld *world = g_new0(VmWorld, 1);
    world->above = &above;
    world->count = ranks;
    if (limits)
        world->limits = *limits;
    else
        vm_world_limits_default(&world->limits);
    world->limits.stack_bytes = round_up(MAX(world->limits.stack_bytes, ROUND), ROUND);
    world->limits.call_depth = CLAMP(world->limits.call_depth, 16, UINT32_MAX / 2);
    if (host)
        world->host = *host;
    if (!check_count(ranks, error) || !reserve(world, error) || !reserve_shadows(world, error)) {
        if (world->reservation)
            munmap(world->reservation, world->stride * world->count);
        g_free(world);
        return NULL;
    }
    world->ranks = g_new0(VmRank, (size_t)ranks + world->limits.newcomers); /* ranks must not move */
    name_ranks(world, ranks);
    return world;
}

/* The mapping of a rank that came during the run. */
static uint64_t apart_bytes(const VmWorld *world)
{
    return world->limits.check ? world->stride * 3 : world->stride;
}

static void give_back(VmRank *rank)
{
    if (rank->apart) {
        munmap(rank->apart, apart_bytes(rank->world));
        rank->world->apart--;
    }
    rank->apart = NULL;
}

bool vm_world_add(VmWorld *world, uint32_t n, GError **error)
{
    g_assert(n <= world->count + world->limits.newcomers - world->total);
    if ((uint64_t)(world->apart + n) * apart_bytes(world) > ADDRESS_SPACE / 2) /* the simulator needs some, too */
        return memory_error(error, world->apart + n,
                            "there is not so much address space beside those of the beginning");
    for (uint32_t i = 0; i < n; i++) {
        void *start =
            mmap(NULL, apart_bytes(world), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (start != MAP_FAILED) {
            world->ranks[world->total + i].world = world;
            world->ranks[world->total + i].apart = start;
            world->apart++;
            continue;
        }
        while (i--)
            give_back(&world->ranks[world->total + i]);
        return memory_error(error, n, "the host has no more address space for ranks that come during the run");
    }
    name_ranks(world, world->total + n);
    return true;
}

static void rank_free(VmRank *rank)
{
    vm_world_release_rank(rank);
    give_back(rank);
    vm_memory_forget_hooks(rank);
    vm_image_unref(rank->image);
    vm_predictor_free(rank);
    vm_tally_free(rank);
    g_free(rank->fault.reason);
    g_free(rank->fault.around);
}

void vm_world_drop(VmWorld *world, uint32_t n)
{
    g_assert(n <= world->total - world->count);
    for (; n; n--) {
        VmRank *rank = &world->ranks[--world->total];
        rank_free(rank);
        *rank = (VmRank){0};
    }
}

void vm_world_free(VmWorld *world)
{
    if (!world)
        return;
    for (uint32_t i = 0; i < world->total; i++)
        rank_free(&world->ranks[i]);
    munmap(world->reservation, world->stride * world->count);
    if (world->shadows)
        munmap(world->shadows, world->stride * 2 * world->count);
    vm_nests_free(world);
    vm_content_clear(world);
    g_clear_pointer(&world->own_places, g_ptr_array_unref);
    g_free(world->ranks);
    g_free(world);
}

/* -- starting ---------------------------------------------------------------------------------- */

/* Sets the rank's address map. Returns false if data and stack leave no room for a heap. */
static bool lay_out(VmRank *rank, const VcodeModule *m, GError **error)
{
    const VmWorld *world = rank->world;
    uint64_t data_bytes = (uint64_t)m->data.count + m->bss_bytes, stack_bytes = world->limits.stack_bytes;
    uint64_t data_end = m->data_base + data_bytes;
    if (m->data_base >= VCODE_RODATA_BASE + m->rodata.count + stack_bytes + ROUND) {
        rank->stack_high = m->data_base / 16 * 16;
        rank->stack_low = rank->data_base = (rank->stack_high - stack_bytes) / VM_PAGE * VM_PAGE;
        rank->heap_start = round_up(data_end, 16);
    } else {
        rank->data_base = m->data_base;
        rank->stack_low = round_up(data_end, ROUND);
        rank->stack_high = rank->heap_start = rank->stack_low + stack_bytes;
    }
    uint64_t end = vm_rank_space_end(rank);
    if (data_bytes > world->stride || rank->heap_start > end - LEAST_HEAP) {
        g_set_error(error, VM_ERROR, VM_ERROR_MEMORY,
                    "the program's static data (%" G_GUINT64_FORMAT " MiB) and stack (%" G_GUINT64_FORMAT
                    " MiB) do not fit: with %u ranks each has %" G_GUINT64_FORMAT
                    " MiB of address space; use fewer ranks",
                    data_bytes >> 20, stack_bytes >> 20, world->count, world->stride >> 20);
        return false;
    }
    rank->memory = vm_rank_place(rank);
    rank->near_low = rank->data_base;
    vm_memory_set_end(rank, rank->heap_start);
    uint64_t room = end - rank->heap_start, heap = world->limits.heap_bytes;
    rank->populated = 0;
    rank->heap_limit = rank->heap_start + (heap && heap < room ? heap : room);
    return true;
}

/* Copies initialised data, but leaves pages of zeros untouched. */
static void copy_data(VmRank *rank, const VcodeModule *m)
{
    static const uint8_t zeros[VM_PAGE];
    uint8_t *to = rank->memory + m->data_base;
    size_t size;
    for (uint32_t i = 0; i < m->data.count; i += (uint32_t)size) {
        size = MIN(VM_PAGE - (m->data_base + i) % VM_PAGE, m->data.count - i);
        if (memcmp(m->data.items + i, zeros, size) != 0)
            memcpy(to + i, m->data.items + i, size);
    }
}

typedef struct Vector {
    const char *const *texts;
    size_t count;
    uint64_t bytes; /* bytes of all texts with their terminators */
} Vector;

static Vector measure(const char *const *texts)
{
    Vector v = {texts, 0, 0};
    for (; texts && texts[v.count]; v.count++)
        v.bytes += strlen(texts[v.count]) + 1;
    return v;
}

/* Writes the texts at `text`, and their addresses and then a null at `pointers`. */
static void store_vector(VmRank *rank, const Vector *v, uint64_t pointers, uint64_t text)
{
    for (size_t i = 0; i < v->count; i++) {
        size_t size = strlen(v->texts[i]) + 1;
        memcpy(rank->memory + text, v->texts[i], size);
        memcpy(rank->memory + pointers + i * 8, &text, 8);
        text += size;
    }
    memset(rank->memory + pointers + v->count * 8, 0, 8);
}

/* Fills the top of the stack. entry[] gets argc, argv and envp.
 *
 *   SP | argv[] | envp[] | texts | errno (16 bytes) | stack_high
 */
static bool store_arguments(VmRank *rank, const char *const *argv, const char *const *envp, uint64_t entry[3],
                            GError **error)
{
    Vector arguments = measure(argv), environment = measure(envp);
    uint64_t pointers = (arguments.count + environment.count + 2) * 8;
    uint64_t bytes = round_up(pointers + arguments.bytes + environment.bytes, 16) + 16;
    if (bytes > rank->world->limits.stack_bytes / ARGUMENTS_SHARE) {
        g_set_error(error, VM_ERROR, VM_ERROR_MEMORY,
                    "arguments and environment take %" G_GUINT64_FORMAT
                    " bytes and do not fit on a stack of %" G_GUINT64_FORMAT,
                    bytes, rank->world->limits.stack_bytes);
        return false;
    }
    uint64_t low = rank->stack_high - bytes;
    uint64_t envp_address = low + (arguments.count + 1) * 8;
    vm_nest_enter(rank, low);
    store_vector(rank, &arguments, low, low + pointers);
    store_vector(rank, &environment, envp_address, low + pointers + arguments.bytes);
    rank->sp = low;
    entry[0] = arguments.count;
    entry[1] = low;
    entry[2] = envp_address;
    return true;
}

bool vm_world_start(VmWorld *world, uint32_t index, VmImage *image, const char *const *argv, const char *const *envp,
                    uint64_t period_q32, GError **error)
{
    VmRank *rank = vm_world_rank(world, index);
    g_assert(rank->state == VM_STATE_EMPTY);
    const VcodeModule *m = image->module;
    uint64_t entry[3];
    if (!lay_out(rank, m, error) || !store_arguments(rank, argv, envp, entry, error))
        return false;
    rank->image = vm_image_ref(image);
    rank->hook_points = image->statement_starts;
    if (world->limits.check) {
        vm_check_start(rank);
        vm_shadow_start(rank, world->limits.check);
    }
    copy_data(rank, m);
    rank->clock = (VmClock){.period_q32 = period_q32};
    rank->granted_q8 = UINT64_MAX;
    rank->state = VM_STATE_READY;
    vm_frames_enter(rank, m->entry, 0, entry, G_N_ELEMENTS(entry)); /* a fault shows when the rank runs */
    return true;
}

void vm_world_release_rank(VmRank *rank)
{
    if (rank->state == VM_STATE_EMPTY)
        return;
    rank->closed = false; /* a function that went on behind a fault may have made the library anew */
    vm_rank_close(rank);
    if (rank->state == VM_STATE_READY || rank->state == VM_STATE_REQUEST)
        rank->state = VM_STATE_EXITED;
    vm_rank_settle(rank, UINT64_MAX); /* the predictors' counters are about to go */
    vm_threads_free(rank);
    vm_frames_free(rank);
    vm_circle_end(rank);
    vm_predictor_close(rank);
    vm_memory_forget_hooks(rank);
    g_clear_pointer(&rank->segments, g_ptr_array_unref);
    vm_shadow_free(rank);
    vm_check_free(rank);
    vm_absent_free(rank);
    uint64_t first = rank->data_base / VM_PAGE * VM_PAGE;
    if (!rank->nested && rank->heap_end > rank->data_base)
        madvise(rank->memory + first, rank->heap_end - first, MADV_DONTNEED);
    give_back(rank);
    rank->near_low = rank->data_base;
    vm_memory_set_end(rank, rank->data_base); /* from now on nothing can be accessed */
}

/* -- small questions --------------------------------------------------------------------------- */

VmRank *vm_world_rank(VmWorld *world, uint32_t index)
{
    g_assert(index < world->total);
    return &world->ranks[index];
}

void vm_world_fetch(VmWorld *world, uint32_t index, bool begun)
{
    const VmRank *rank = &world->ranks[index];
    if (!begun) {
        for (size_t line = 0; line < sizeof *rank; line += 64)
            __builtin_prefetch((const char *)rank + line);
        return;
    }
    if (!rank->depth)
        return;
    __builtin_prefetch(&rank->frames[rank->depth - 1]);
    for (size_t line = 0; line < FETCHED_REGISTERS; line += 64)
        __builtin_prefetch((const char *)rank->registers + line);
    __builtin_prefetch(rank->requests);
}

void vm_world_fetch_stack(VmWorld *world, uint32_t index)
{
    const VmRank *rank = &world->ranks[index];
    if (rank->depth)
        __builtin_prefetch(rank->memory + rank->sp);
}
