/* exits.c - how printed code leaves: what is live goes back to the registers, the frame is noted.
 *
 * Where an instruction may do something unusual, printed code jumps to an exit that stores the live registers and says
 * at which instruction the interpreter goes on. Exits of one block mostly store the same, so what they have in common
 * stands once, behind a label of the block. They are printed after everything else, where they disturb nothing.
 */
#include "vm/translate/loops.h"

#include <string.h>

static uint32_t new_exit(VmPrinter *p, VmExitKind kind, uint32_t pc)
{
    VmExit e = {.kind = kind,
                .pc = pc,
                .block = p->block,
                .result_web = VCODE_NONE,
                .first = p->spills->len,
                .strip = p->strip,
                .label = p->exits->len};
    g_array_append_val(p->exits, e);
    return e.label;
}

static void add_spill(VmPrinter *p, uint32_t reg)
{
    VmSpill spill = {(uint16_t)reg, p->now[reg]};
    if (spill.web == VCODE_NONE || p->flow->huge)
        return;
    g_array_append_val(p->spills, spill);
    g_array_index(p->exits, VmExit, p->exits->len - 1).count++;
}

static void spill_live(VmPrinter *p, const uint64_t *live, uint32_t except)
{
    for (uint32_t w = 0; w < p->flow->words; w++)
        for (uint64_t bits = live[w]; bits; bits &= bits - 1) {
            uint32_t reg = w * 64 + (uint32_t)__builtin_ctzll(bits);
            if (reg != except)
                add_spill(p, reg);
        }
}

uint32_t vm_exit_before(VmPrinter *p, uint32_t pc)
{
    if (p->exits->len) {
        const VmExit *last = &g_array_index(p->exits, VmExit, p->exits->len - 1);
        if (last->pc == pc && last->kind == VM_EXIT_BEFORE && last->block == p->block && last->strip == p->strip)
            return last->label;
    }
    uint32_t label = new_exit(p, VM_EXIT_BEFORE, pc);
    spill_live(p, p->live + (size_t)(pc - p->flow->blocks[p->block].start) * p->flow->words, VCODE_NONE);
    return label;
}

uint32_t vm_exit_again(VmPrinter *p)
{
    uint32_t label = new_exit(p, VM_EXIT_AGAIN, p->flow->blocks[p->block].start);
    spill_live(p, p->flow->live_in + (size_t)p->block * p->flow->words, VCODE_NONE);
    return label;
}

uint32_t vm_exit_after(VmPrinter *p, uint32_t pc, VmExitKind kind, int64_t held)
{
    const VmFlowBlock *block = &p->flow->blocks[p->block];
    uint32_t label = new_exit(p, kind, pc);
    uint32_t reg = vcode_a(p->flow->code[pc]);
    VmExit *e = &g_array_index(p->exits, VmExit, label);
    e->result_reg = reg;
    e->held = held;
    if (!block->successors)
        return label; /* the function's last instruction is a call that does not return */
    const uint64_t *live = p->flow->live_in + (size_t)p->flow->edges[block->successor] * p->flow->words;
    if (vm_bit(live, reg))
        e->result_web = p->now[reg];
    spill_live(p, live, reg);
    return label;
}

/* -- printing ---------------------------------------------------------------------------------- */

static void print_spill(VmPrinter *p, const VmSpill *spill)
{
    static const char *const from[] = {"", "", "from_double(", "from_float("};
    unsigned kind = p->flow->webs[spill->web].kind;
    g_string_append_printf(p->out, " R[%u] = %s", spill->reg, from[kind]);
    vm_print_web(p, spill->web);
    g_string_append(p->out, kind == VM_KIND_I ? ";" : ");");
}

void vm_exit_print_entry(VmPrinter *p, uint32_t block)
{
    const uint32_t *entry = p->flow->entry_web + (size_t)block * p->flow->function->registers;
    for (uint32_t r = 0; r < p->flow->function->registers; r++)
        if (entry[r] != VCODE_NONE)
            print_spill(p, &(VmSpill){(uint16_t)r, entry[r]});
}

static bool contains(const VmPrinter *p, const VmExit *e, const VmSpill *wanted)
{
    for (uint32_t k = 0; k < e->count; k++) {
        const VmSpill *spill = &g_array_index(p->spills, VmSpill, e->first + k);
        if (spill->reg == wanted->reg)
            return spill->web == wanted->web;
    }
    return false;
}

static bool all_contain(const VmPrinter *p, uint32_t from, uint32_t to, const VmSpill *wanted)
{
    for (uint32_t k = from; k < to; k++)
        if (!contains(p, &g_array_index(p->exits, VmExit, k), wanted))
            return false;
    return true;
}

static const char *entry_sp(const VmPrinter *p)
{
    return p->uses_frame ? "entry_sp" : "k->sp";
}

/* Behind the frame itself: those that it has jumped away from. */
static const char *print_tails(const VmPrinter *p)
{
    return p->uses_tails ? "k->note_tails(k, R, t0, t); " : "";
}

/* What an exit behind a call does: nothing but its frame is noted where the callee has left. */
static void print_after(VmPrinter *p, const VmExit *e)
{
    const char *tails = print_tails(p);
    for (uint32_t k = 0; k < e->count; k++)
        print_spill(p, &g_array_index(p->spills, VmSpill, e->first + k));
    if (e->held >= 0) {
        g_string_append_printf(p->out, " k->unwind(k, R, %u, %s, %" G_GINT64_FORMAT "); %sreturn gone;\n", e->pc,
                               entry_sp(p), e->held, tails);
        return;
    }
    g_string_append_printf(p->out, "\n    if (fuel == GONE) { k->unwind(k, R, %u, %s, 0); %sreturn gone; }\n   ", e->pc,
                           entry_sp(p), tails);
    if (e->kind == VM_EXIT_AFTER_CALL && e->result_web != VCODE_NONE)
        print_spill(p, &(VmSpill){(uint16_t)e->result_reg, e->result_web});
    g_string_append_printf(p->out, " k->leave(k, R, %u, %s, fuel); %sreturn gone;\n", e->pc + 1, entry_sp(p), tails);
}

static void print_again(VmPrinter *p, const VmExit *e)
{
    g_string_append_printf(p->out, "x%u:", e->label);
    for (uint32_t k = 0; k < e->count; k++)
        print_spill(p, &g_array_index(p->spills, VmSpill, e->first + k));
    g_string_append_printf(p->out, " k->again = 1; k->leave(k, R, %u, %s, fuel); return gone;\n", e->pc, entry_sp(p));
}

/* Exits [from, to) of one block, all VM_EXIT_BEFORE. */
static void print_before(VmPrinter *p, uint32_t from, uint32_t to)
{
    const VmExit *first = &g_array_index(p->exits, VmExit, from);
    g_autoptr(GArray) common = g_array_new(FALSE, FALSE, sizeof(VmSpill));
    for (uint32_t k = 0; k < first->count; k++) {
        VmSpill spill = g_array_index(p->spills, VmSpill, first->first + k);
        if (all_contain(p, from, to, &spill))
            g_array_append_val(common, spill);
    }
    for (uint32_t i = from; i < to; i++) {
        const VmExit *e = &g_array_index(p->exits, VmExit, i);
        g_string_append_printf(p->out, "x%u:", e->label);
        vm_strip_settle_exit(p, e);
        guint next = 0; /* spills and common ones both ascend by register */
        for (uint32_t k = 0; k < e->count; k++) {
            const VmSpill *spill = &g_array_index(p->spills, VmSpill, e->first + k);
            while (next < common->len && g_array_index(common, VmSpill, next).reg < spill->reg)
                next++;
            if (next == common->len || g_array_index(common, VmSpill, next).reg != spill->reg)
                print_spill(p, spill);
        }
        g_string_append_printf(p->out, " at = %u;\n", e->pc);
        if (i + 1 < to)
            g_string_append_printf(p->out, "    goto t%u;\n", first->label);
    }
    if (to - from > 1)
        g_string_append_printf(p->out, "t%u:", first->label);
    for (guint k = 0; k < common->len; k++)
        print_spill(p, &g_array_index(common, VmSpill, k));
    g_string_append_printf(p->out, " k->leave(k, R, at, %s, fuel); %sreturn gone;\n", entry_sp(p), print_tails(p));
}

/* -- exits as functions ------------------------------------------------------------------------ */

static void print_list(VmPrinter *p, const VmExit *e, const char *const *prefixes)
{
    if (p->uses_frame)
        g_string_append_printf(p->out, ", %sentry_sp", prefixes[VM_KIND_I]);
    if (p->uses_tails)
        g_string_append(p->out, *prefixes[VM_KIND_I] ? ", uint32_t *t0, uint32_t *t" : ", t0, t");
    for (uint32_t k = 0; k <= e->count; k++) {
        uint32_t web = k < e->count  ? g_array_index(p->spills, VmSpill, e->first + k).web
                       : e->held < 0 ? e->result_web
                                     : VCODE_NONE;
        if (web == VCODE_NONE)
            continue;
        g_string_append_printf(p->out, ", %s", prefixes[p->flow->webs[web].kind]);
        vm_print_web(p, web);
    }
}

/* The exit's function, and the jump to it. */
static void print_cold(VmPrinter *p, const VmExit *e)
{
    static const char *const types[] = {"", "uint64_t ", "double ", "float "}, *const nothing[] = {"", "", "", ""};
    GString *out = p->out;
    p->out = p->cold;
    g_string_append_printf(p->out, "COLD Outcome x%u_%u_%u(State *k, uint64_t *R, int64_t fuel", p->flow->index,
                           p->copy, e->label);
    print_list(p, e, types);
    g_string_append(p->out, ")\n{");
    if (e->kind == VM_EXIT_BEFORE) {
        for (uint32_t k = 0; k < e->count; k++)
            print_spill(p, &g_array_index(p->spills, VmSpill, e->first + k));
        g_string_append_printf(p->out, " k->leave(k, R, %u, %s, fuel); %sreturn gone;\n", e->pc, entry_sp(p),
                               print_tails(p));
    } else {
        print_after(p, e);
    }
    g_string_append(p->out, "}\n");
    p->out = out;
    g_string_append_printf(p->out, "%c%u: ", e->kind == VM_EXIT_BEFORE ? 'x' : 'a', e->label);
    vm_strip_settle_exit(p, e);
    g_string_append_printf(p->out, "x%u_%u_%u(k, R%s, fuel", p->flow->index, p->copy, e->label, p->copy ? " + w" : "");
    print_list(p, e, nothing);
    g_string_append(p->out, "); return gone;\n");
}

void vm_print_exits(VmPrinter *p)
{
    uint32_t i = 0;
    while (i < p->exits->len) {
        const VmExit *e = &g_array_index(p->exits, VmExit, i);
        if (p->cold) {
            print_cold(p, e);
            i++;
            continue;
        }
        if (e->kind == VM_EXIT_AGAIN) {
            print_again(p, e);
            i++;
            continue;
        }
        if (e->kind != VM_EXIT_BEFORE) {
            g_string_append_printf(p->out, "a%u:", e->label);
            print_after(p, e);
            i++;
            continue;
        }
        uint32_t to = i + 1;
        while (to < p->exits->len && g_array_index(p->exits, VmExit, to).block == e->block &&
               g_array_index(p->exits, VmExit, to).strip == e->strip &&
               g_array_index(p->exits, VmExit, to).kind == VM_EXIT_BEFORE)
            to++;
        print_before(p, i, to);
        i = to;
    }
}
