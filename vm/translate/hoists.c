/* hoists.c - what a counted loop loads from the same place in every turn: once, ahead of its strip.
 *
 *     for (k = 0; k < n; k++)              r = rows[i], c = &sums[i][j]: loaded ahead, so their elements are known to
 *         sums[i][j] += rows[i][k];        be accessible ahead, too; *c stays in a variable from turn to turn
 *
 * Two kinds of loads gain by it: of addresses and bounds, which are not linear otherwise; and of what the loop itself
 * stores there, which is *carried*: the store goes to memory and to the variable. The strip begins only if none of the
 * loop's other stores goes there, in all of its turns. So every store's place must be known ahead.
 */
#include "vm/translate/linear.h"

#include <string.h>

enum { MOST_HOISTS = 6, MOST_STORES = 6 };

bool vm_hoists_stay(const VmLoopAnalysis *a, uint32_t at)
{
    for (guint k = 0; k < a->strip->hoists->len; k++) {
        const VmHoist *hoist = &g_array_index(a->strip->hoists, VmHoist, k);
        if (hoist->pc == at)
            return hoist->store == VCODE_NONE;
    }
    return false;
}

/* Whether an access of the loop, or a branch, reads the web itself. */
static bool leads_on(const VmLoopAnalysis *a, uint32_t web)
{
    for (guint k = 0; k < a->blocks->len; k++) {
        const VmFlowBlock *block = &a->flow->blocks[g_array_index(a->blocks, uint32_t, k)];
        for (uint32_t pc = block->start; pc < block->end; pc++) {
            const uint32_t *operand = a->operands[vm_loop_local(a, pc)];
            VcodeForm form = vcode_op_info[vcode_op(a->flow->code[pc])].form;
            bool branches = form == VCODE_FORM_BRR && (operand[0] == web || operand[1] == web);
            bool indexed = form == VCODE_FORM_LOADX || form == VCODE_FORM_STOREX;
            bool access = vm_access_size(vcode_op(a->flow->code[pc]));
            if (branches || (access && (operand[1] == web || (indexed && operand[2] == web))))
                return true;
        }
    }
    return false;
}

static bool is_store(VcodeInstr i)
{
    VcodeForm form = vcode_op_info[vcode_op(i)].form;
    return form == VCODE_FORM_STORE || form == VCODE_FORM_STOREX;
}

/* Whether a store goes to where a load comes from, their addresses being the same in every turn. */
static bool same_place(const VmLoopAnalysis *a, uint32_t load, uint32_t store)
{
    VcodeInstr from = a->flow->code[load], to = a->flow->code[store];
    const uint32_t *x = a->operands[vm_loop_local(a, load)], *y = a->operands[vm_loop_local(a, store)];
    bool indexed = vcode_op_info[vcode_op(to)].form == VCODE_FORM_STOREX;
    if (!is_store(to) || indexed != (vcode_op_info[vcode_op(from)].form == VCODE_FORM_LOADX) || x[1] != y[1] ||
        vm_access_size(vcode_op(from)) != vm_access_size(vcode_op(to)))
        return false;
    return indexed ? x[2] == y[2] && vcode_n(from) == vcode_n(to) : vcode_simm_c(from) == vcode_simm_c(to);
}

/* The store by which a turn hands on to the next what that one loads: the only one there, and nothing reads the old
 * value behind it. VCODE_NONE: there is none. */
static uint32_t find_carrier(const VmLoopAnalysis *a, uint32_t load, uint32_t web)
{
    uint32_t store = VCODE_NONE;
    for (guint k = 0; k < a->blocks->len; k++) {
        const VmFlowBlock *block = &a->flow->blocks[g_array_index(a->blocks, uint32_t, k)];
        for (uint32_t pc = block->start; pc < block->end; pc++)
            if (same_place(a, load, pc)) {
                if (store != VCODE_NONE)
                    return VCODE_NONE;
                store = pc;
            }
    }
    if (store == VCODE_NONE || !vm_loop_precedes(a, load, store))
        return VCODE_NONE;
    for (guint k = 0; k < a->blocks->len; k++) {
        uint32_t b = g_array_index(a->blocks, uint32_t, k);
        const VmFlowBlock *block = &a->flow->blocks[b];
        for (uint32_t pc = block->start; pc < block->end; pc++)
            for (unsigned o = 0; o < 3; o++)
                if (a->operands[vm_loop_local(a, pc)][o] == web && pc != store && !vm_loop_precedes(a, pc, store))
                    return VCODE_NONE;
    }
    return store;
}

/* Whether the loop may be left with what the web holds. */
static bool is_live_behind(const VmLoopAnalysis *a, uint32_t web)
{
    const VmFlow *flow = a->flow;
    for (guint k = 0; k < a->blocks->len; k++) {
        const VmFlowBlock *block = &flow->blocks[g_array_index(a->blocks, uint32_t, k)];
        for (uint32_t s = 0; s < block->successors; s++) {
            uint32_t to = flow->edges[block->successor + s];
            if (!vm_loop_has(a, to) &&
                flow->entry_web[(size_t)to * flow->function->registers + flow->webs[web].reg] == web)
                return true;
        }
    }
    return false;
}

/* Loads of addresses, and of what is compared with, from where no turn goes on from. What they load cannot change, for
 * the strip begins only if all stores go elsewhere. */
static void find_hoist(VmLoopAnalysis *a, uint32_t pc)
{
    VcodeInstr i = a->flow->code[pc];
    VcodeForm form = vcode_op_info[vcode_op(i)].form;
    unsigned size = vm_access_size(vcode_op(i));
    uint32_t set = a->flow->set_web[vm_loop_local(a, pc)];
    const uint32_t *operand = a->operands[vm_loop_local(a, pc)];
    bool indexed = form == VCODE_FORM_LOADX;
    VmLinear base, index = {.first = "0", .known = true}, scaled, address;
    if ((form != VCODE_FORM_LOAD && !indexed) || size < 4 || a->sets[set] != 1 || vm_loop_enters_with(a, set) ||
        is_live_behind(a, set) || a->strip->hoists->len == MOST_HOISTS)
        return;
    uint32_t store = find_carrier(a, pc, set);
    if ((store == VCODE_NONE && (a->flow->webs[set].kind != VM_KIND_I || !leads_on(a, set))) ||
        !vm_loop_linear(a, operand[1], pc, VM_LOOP_DEEPEST, &base) || base.step ||
        (indexed && !vm_loop_linear(a, operand[2], pc, VM_LOOP_DEEPEST, &index)) || index.step)
        return;
    if (indexed && (!vm_loop_multiply(a, &index, INT64_C(1) << vcode_n(i), &scaled) ||
                    !vm_loop_add(a, &base, &scaled, '+', &address)))
        return;
    VmHoist hoist = {.pc = pc, .size = size, .store = store};
    hoist.address =
        indexed ? g_strdup(address.first)
                : g_strdup_printf("(%s + (uint64_t)%" G_GINT64_FORMAT ")", base.first, (int64_t)vcode_simm_c(i));
    g_array_append_val(a->strip->hoists, hoist);
    a->strip->hoisted[vm_loop_local(a, pc) / 64] |= UINT64_C(1) << vm_loop_local(a, pc) % 64;
}

/* Whether a store certainly goes to where something is loaded ahead. */
static bool stores_there(const VmLoopAnalysis *a)
{
    for (guint k = 0; k < a->strip->stores->len; k++) {
        const VmRange *store = &g_array_index(a->strip->stores, VmRange, k);
        g_autofree char *address = g_strdup_printf("(%s + (uint64_t)%" G_GINT64_FORMAT ")", store->first, store->low);
        for (guint l = 0; l < a->strip->hoists->len; l++) {
            const char *there = g_array_index(a->strip->hoists, VmHoist, l).address;
            if (g_array_index(a->strip->hoists, VmHoist, l).store == store->base)
                continue;
            if (strcmp(there, address) == 0 || (store->low == 0 && strcmp(there, store->first) == 0))
                return true;
        }
    }
    return false;
}

void vm_hoists_find(VmLoopAnalysis *a)
{
    for (guint k = 0; k < a->blocks->len; k++) {
        const VmFlowBlock *block = &a->flow->blocks[g_array_index(a->blocks, uint32_t, k)];
        for (uint32_t pc = block->start; pc < block->end; pc++)
            find_hoist(a, pc);
    }
}

bool vm_hoists_collide(const VmLoopAnalysis *a)
{
    return a->strip->hoists->len && (a->loose || a->strip->stores->len > MOST_STORES || stores_there(a));
}
