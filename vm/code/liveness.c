/* liveness.c - which registers a call must clear, in the frame that it makes and in the one that it returns to.
 *
 * A new frame's registers beyond its arguments read as 0. Clearing all of them at every call would cost more than the
 * call. But only registers that some path reads before writing them can show a difference. This file finds them, once
 * per function, by the usual forward analysis. A register is *written* at an instruction if every path from the entry
 * to the instruction has written it.
 *
 *     in(entry) = parameters;  in(block) = intersection of out(predecessors);  out = in + what the block writes
 *
 * A read of a register that is not in the written set makes it one to clear.
 *
 * A call leaves nothing of its caller's registers from its window on, except the result. They are *lost*: they read as
 * 0 until they are written again, whatever the callee has left there, because that depends on the tier that ran it. Our
 * compiler makes no such reads, but programs need not come from it. A register is lost at an instruction if some path
 * to it has lost the register and not written it since:
 *
 *     lost in(block) = union of lost out(predecessors)
 *
 * The same walk finds reads of lost registers. If there are none, nothing is cleared behind a call. Functions with
 * computed goto, and those whose sets would take too much memory or time, clear everything, which is always right.
 */
#include "vcode/calling.h"
#include "vm/code/code.h"

#include <string.h>

enum { MOST_WORDS = 1 << 18, WORK_PER_INSTRUCTION = 1 << 8 };

/* The analysis of one function. */
typedef struct Liveness {
    const VcodeModule *module;
    const VcodeInstr *code; /* code of the function */
    uint32_t count;         /* number of instructions */
    uint32_t parameters, registers;
    VmFunction *function;
    uint32_t words;     /* words of each set */
    uint32_t *block_of; /* per instruction: index of its block */
    uint64_t *in;       /* per block: its written set; all ones until the block is reached */
    uint64_t *lost_in;  /* per block: registers that some path to it has lost */
    uint32_t *work;     /* stack of blocks to look at again */
    uint8_t *queued;
    uint32_t work_count;
    uint64_t *now, *lost; /* sets of written and of lost registers while a block is walked */
    uint64_t steps_left;  /* instructions that may still be walked before the analysis gives up */
} Liveness;

/* -- the analysis ------------------------------------------------------------------------------ */

static void note_read(Liveness *l, unsigned r)
{
    if (vm_bit(l->lost, r)) {
        l->function->lost_from = MIN(l->function->lost_from, r);
        l->function->lost_to = MAX(l->function->lost_to, r + 1);
    }
    if (vm_bit(l->now, r))
        return;
    l->function->clear_from = MIN(l->function->clear_from, r);
    l->function->clear_to = MAX(l->function->clear_to, r + 1);
}

static void lose_from(Liveness *l, uint32_t first)
{
    for (uint32_t r = first; r < l->registers; r++)
        l->lost[r / 64] |= UINT64_C(1) << r % 64;
}

static void apply(Liveness *l, VcodeInstr i)
{
    VmEffects e = vm_effects(i);
    for (unsigned k = 0; k < e.read_count; k++)
        note_read(l, e.reads[k]);
    for (unsigned k = 0; k < e.arguments; k++)
        note_read(l, e.first_argument + k);
    if (vm_code_is_call(i))
        lose_from(l, e.first_argument);
    if (e.written >= 0) {
        l->now[e.written / 64] |= UINT64_C(1) << e.written % 64;
        l->lost[e.written / 64] &= ~(UINT64_C(1) << e.written % 64);
    }
}

/* Merges the sets at the end of the walked block into the block at `target` (an index within the function). */
static void flow_to(void *user, uint32_t target)
{
    Liveness *l = user;
    uint32_t block = l->block_of[target];
    l->steps_left -= MIN(l->steps_left, l->words);
    uint64_t *in = l->in + (size_t)block * l->words, *lost_in = l->lost_in + (size_t)block * l->words;
    bool changed = false;
    for (uint32_t w = 0; w < l->words; w++) {
        uint64_t both = in[w] & l->now[w], either = lost_in[w] | l->lost[w];
        changed |= both != in[w] || either != lost_in[w];
        in[w] = both;
        lost_in[w] = either;
    }
    if (changed && !l->queued[target]) {
        l->queued[target] = 1;
        l->work[l->work_count++] = target;
    }
}

static void walk_block(Liveness *l, uint32_t pc)
{
    memcpy(l->now, l->in + (size_t)l->block_of[pc] * l->words, l->words * sizeof *l->now);
    memcpy(l->lost, l->lost_in + (size_t)l->block_of[pc] * l->words, l->words * sizeof *l->lost);
    for (;; pc++) {
        l->steps_left -= l->steps_left > 0;
        apply(l, l->code[pc]);
        if (vcode_op_ends_block(vcode_op(l->code[pc])))
            break;
    }
    vm_code_goes_to(l->module, pc, l->code[pc], flow_to, l);
}

/* Numbers the blocks. Returns false if the function must clear everything. */
static bool number_blocks(Liveness *l, uint32_t *blocks)
{
    *blocks = 0;
    bool starts = true;
    for (uint32_t pc = 0; pc < l->count; pc++) {
        *blocks += starts;
        l->block_of[pc] = *blocks - 1;
        starts = vcode_op_ends_block(vcode_op(l->code[pc]));
        if (vcode_op(l->code[pc]) == VCODE_JMPR)
            return false;
    }
    return (uint64_t)*blocks * l->words <= MOST_WORDS;
}

/* Runs the analysis. Returns false if it gave up. */
static bool analyse(Liveness *l, uint32_t blocks)
{
    VmFunction *f = l->function;
    l->in = g_malloc(((size_t)blocks * l->words + 1) * sizeof *l->in);
    memset(l->in, 0xff, (size_t)blocks * l->words * sizeof *l->in);
    l->lost_in = g_new0(uint64_t, (size_t)blocks * l->words + 1);
    l->now = g_new0(uint64_t, l->words + 1);
    l->lost = g_new0(uint64_t, l->words + 1);
    l->work = g_new(uint32_t, l->count);
    l->queued = g_new0(uint8_t, l->count);
    for (uint32_t r = 0; r < l->parameters; r++)
        l->now[r / 64] |= UINT64_C(1) << r % 64;
    f->clear_from = f->lost_from = UINT32_MAX;
    f->clear_to = f->lost_to = 0;
    flow_to(l, 0);
    if (!l->work_count) /* every register is an argument */
        l->work[l->work_count++] = 0;
    l->steps_left = (uint64_t)l->count * WORK_PER_INSTRUCTION;
    while (l->work_count && l->steps_left) {
        uint32_t pc = l->work[--l->work_count];
        l->queued[pc] = 0;
        walk_block(l, pc);
    }
    g_free(l->in);
    g_free(l->lost_in);
    g_free(l->now);
    g_free(l->lost);
    g_free(l->work);
    g_free(l->queued);
    return l->steps_left > 0;
}

void vm_liveness(const VcodeModule *module, uint32_t index, VmFunction *function)
{
    const VcodeFunction *f = &module->functions.items[index];
    Liveness l = {.module = module,
                  .code = module->code.items + f->code_start,
                  .count = f->code_count,
                  .parameters = f->parameters,
                  .registers = f->registers,
                  .function = function,
                  .words = (f->registers + 63) / 64};
    uint32_t blocks;
    l.block_of = g_new0(uint32_t, l.count);
    if (!number_blocks(&l, &blocks) || !analyse(&l, blocks)) {
        function->clear_from = f->parameters;
        function->clear_to = f->registers;
        function->lost_from = 0;
        function->lost_to = f->registers;
    }
    g_free(l.block_of);
}
