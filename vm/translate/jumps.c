/* jumps.c - computed jumps (labels as values): where they may go.
 *
 * A computed jump may go to any block. What programs of C do is far less: they jump to labels whose addresses they have
 * taken, and these stand among their constants and data. Printed code jumps to those blocks only, its *labels*, and so
 * has few edges and registers as variables. For all other targets it leaves, and the interpreter jumps. That is a
 * guess about speed alone, since nothing relies on it:
 *
 *   - what any block reads is live where a computed jump is (webs.c), so whoever leaves there has stored it;
 *   - where the interpreter may enter, nothing is known of what is live, but for registers that one instruction of the
 *     first block sets, and no other.
 */
#include "vm/translate/flow.h"

#include <string.h>

enum {
    LEAST_LABELS = 2,    /* fewer: addresses are made otherwise, as by adding distances */
    MOST_VARIABLE = 3000 /* instructions of a function whose registers are variables: C compilers take long */
};

static bool note_label(VmFlow *flow, uint64_t value)
{
    uint64_t at = value - VCODE_LABEL_BASE;
    if (at >= flow->function->code_count)
        return false;
    uint32_t b = flow->block_of[at];
    if (flow->blocks[b].start != flow->function->code_start + at || flow->labels[b])
        return false;
    flow->labels[b] = true;
    return true;
}

static uint32_t note_labels_in(VmFlow *flow, const uint8_t *bytes, uint64_t count)
{
    uint32_t found = 0;
    for (uint64_t at = 0; at + 8 <= count; at += 8) {
        uint64_t value;
        memcpy(&value, bytes + at, sizeof value);
        found += note_label(flow, value);
    }
    return found;
}

bool vm_jumps_find_labels(VmFlow *flow)
{
    const VcodeModule *m = flow->module;
    flow->labels = g_new0(uint8_t, flow->block_count + 1);
    uint32_t found =
        note_labels_in(flow, m->rodata.items, m->rodata.count) + note_labels_in(flow, m->data.items, m->data.count);
    for (uint32_t k = 0; k < m->constants.count; k++)
        found += note_label(flow, m->constants.items[k]);
    if (found >= LEAST_LABELS && flow->function->code_count <= MOST_VARIABLE)
        return true;
    memset(flow->labels, 1, flow->block_count);
    return false;
}

/* Whether one instruction of the first block sets the register, and nothing else does, no call included. */
static void find_fixed(const VmFlow *flow, uint8_t *fixed)
{
    const VcodeFunction *f = flow->function;
    g_autofree uint32_t *sets = g_new0(uint32_t, f->registers + 1);
    uint32_t lost_from = f->registers;
    for (uint32_t pc = f->code_start; pc < f->code_start + f->code_count; pc++) {
        VmEffects e = vm_effects(flow->code[pc]);
        if (vm_code_is_call(flow->code[pc]))
            lost_from = MIN(lost_from, e.first_argument);
        if (e.written >= 0)
            sets[e.written] += pc < flow->blocks[0].end ? 1 : 2;
    }
    for (uint32_t r = f->parameters; r < f->registers; r++)
        fixed[r] = sets[r] == 1 && r < lost_from;
}

void vm_jumps_forget_at_entries(VmFlow *flow)
{
    uint32_t registers = flow->function->registers;
    g_autofree uint8_t *fixed = g_new0(uint8_t, registers + 1);
    find_fixed(flow, fixed);
    for (uint32_t b = 1; b < flow->block_count; b++) {
        const VmFlowBlock *block = &flow->blocks[b];
        bool behind_call = vm_code_is_call(flow->code[block->start - 1]);
        for (uint32_t r = 0; r < registers && (block->checkpoint || behind_call); r++) {
            uint32_t web = flow->entry_web[(size_t)b * registers + r];
            if (web != VCODE_NONE && !fixed[r])
                flow->webs[web].argument = true;
        }
    }
}
