/* watch.c - samples of running ranks. */
#include "vm/native/watch.h"
#include "vm/native/native.h"

#include <stdatomic.h>

enum {
    FRAMES = 4
}; /* that a sample looks at: who calls what is hot, from a loop perhaps, is worth compiling with it */

struct VmWatch {
    uint32_t instructions;
    atomic_uint turns;
    atomic_uint counts[]; /* by instruction */
};

/* Cycles of pieces, in turn: short ones, since ranks may compute only shortly between two calls, and long ones, since
 * loops have rhythms. */
static const uint32_t pieces[] = {1 << 12, 1 << 14, 1 << 10, 1 << 16};

VmWatch *vm_watch_new(const VmImage *image)
{
    uint32_t instructions = image->module->code.count;
    VmWatch *watch = g_malloc0(sizeof *watch + instructions * sizeof watch->counts[0]);
    watch->instructions = instructions;
    return watch;
}

void vm_watch_free(VmWatch *watch)
{
    g_free(watch);
}

void vm_watch_open(VmWatch *watch, VmImage *image)
{
    __atomic_store_n(&image->watch, watch, __ATOMIC_RELEASE);
}

void vm_watch_close(VmImage *image)
{
    __atomic_store_n(&image->watch, NULL, __ATOMIC_RELEASE);
}

void vm_watch_counts(const VmWatch *watch, uint32_t *counts)
{
    for (uint32_t pc = 0; pc < watch->instructions; pc++)
        counts[pc] = atomic_load_explicit(&watch->counts[pc], memory_order_relaxed);
}

static void take_sample(VmWatch *watch, const VmRank *rank)
{
    for (uint32_t level = 0; level < MIN(rank->depth, FRAMES); level++)
        atomic_fetch_add_explicit(&watch->counts[vm_rank_pc(rank, level)], 1, memory_order_relaxed);
}

VmStop vm_watch_run(VmWatch *watch, VmRank *rank, uint64_t quantum, VmLoop *loop)
{
    unsigned turn = atomic_fetch_add_explicit(&watch->turns, 1, memory_order_relaxed);
    VmStop stop = loop(rank, MIN(quantum, pieces[turn % G_N_ELEMENTS(pieces)]));
    if (stop == VM_STOP_QUANTUM || stop == VM_STOP_REQUEST)
        take_sample(watch, rank);
    return stop;
}
