/* exits.c - how printed code leaves: what is live goes back to the registers, the frame is noted.
 *
 * Where an instruction may do something unusual, printed code jumps to an exit that stores the live registers and says
 * at which instruction the interpreter goes on. Exits of one block mostly store the same, and those of other blocks
 * some of it, so what several have in common stands once, and each goes on to what stores the rest. They are printed
 * after everything else, where they disturb nothing.
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
    if (spill.web == VCODE_NONE || p->flow->huge || !vm_partition_has_changed(p, p->block, reg))
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
        if (entry[r] != VCODE_NONE && vm_partition_has_changed(p, block, r))
            print_spill(p, &(VmSpill){(uint16_t)r, entry[r]});
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

/* What the interpreter clears behind a call. */
static void print_lost(VmPrinter *p, uint32_t pc)
{
    for (uint32_t r = 0; !p->flow->huge && (r = vm_calls_next_lost(p->flow, pc, r)) != VCODE_NONE; r++)
        g_string_append_printf(p->out, " R[%u] = 0;", r);
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
    print_lost(p, e->pc);
    g_string_append_printf(p->out, " k->leave(k, R, %u, %s, fuel); %sreturn gone;\n", e->pc + 1, entry_sp(p), tails);
}

/* -- exits that share what they store ---------------------------------------------------------- */

/* Exits [from, to) of one block, and what they all store, by register; behind it, `t` and the first one's label. */
typedef struct Group {
    uint32_t from, to;
    GArray *common; /* VmSpill */
} Group;

static const VmSpill *spills_of(const VmPrinter *p, const VmExit *e)
{
    return &g_array_index(p->spills, VmSpill, e->first);
}

/* Whether all of `some` are among `all`; both ascend by register. */
static bool contains(const VmSpill *all, uint32_t all_count, const VmSpill *some, uint32_t count)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < count; i++, k++) {
        while (k < all_count && all[k].reg < some[i].reg)
            k++;
        if (k == all_count || all[k].reg != some[i].reg || all[k].web != some[i].web)
            return false;
    }
    return true;
}

static void keep_common(GArray *common, const VmSpill *spills, uint32_t count)
{
    guint kept = 0;
    for (guint i = 0; i < common->len; i++) {
        VmSpill spill = g_array_index(common, VmSpill, i);
        if (contains(spills, count, &spill, 1))
            g_array_index(common, VmSpill, kept++) = spill;
    }
    g_array_set_size(common, kept);
}

static void clear_group(void *group)
{
    g_array_unref(((Group *)group)->common);
}

static gint compare_groups(gconstpointer left, gconstpointer right)
{
    const Group *a = left, *b = right;
    if (a->common->len != b->common->len)
        return a->common->len < b->common->len ? -1 : 1;
    return a->from < b->from ? -1 : a->from > b->from;
}

/* Those that store least first. */
static GArray *find_groups(const VmPrinter *p)
{
    GArray *groups = g_array_new(FALSE, FALSE, sizeof(Group));
    g_array_set_clear_func(groups, clear_group);
    for (uint32_t i = 0, to; i < p->exits->len; i = to) {
        const VmExit *e = &g_array_index(p->exits, VmExit, i);
        Group group = {.from = i, .common = g_array_new(FALSE, FALSE, sizeof(VmSpill))};
        g_array_append_vals(group.common, spills_of(p, e), e->count);
        for (to = i + 1; to < p->exits->len && e->kind == VM_EXIT_BEFORE; to++) {
            const VmExit *next = &g_array_index(p->exits, VmExit, to);
            if (next->kind != VM_EXIT_BEFORE || next->block != e->block || next->strip != e->strip)
                break;
            keep_common(group.common, spills_of(p, next), next->count);
        }
        group.to = to;
        g_array_append_val(groups, group);
    }
    g_array_sort(groups, compare_groups);
    return groups;
}

/* Which of the groups before this one stores most of what it stores, and nothing else; NULL: none does. */
static const Group *find_rest(const GArray *groups, guint at)
{
    enum { LOOKED_AT = 48 };
    const Group *group = &g_array_index(groups, Group, at);
    for (guint k = at; k-- > 0 && at - k <= LOOKED_AT;) {
        const Group *rest = &g_array_index(groups, Group, k);
        if (rest->common->len && contains((const VmSpill *)group->common->data, group->common->len,
                                          (const VmSpill *)rest->common->data, rest->common->len))
            return rest;
    }
    return NULL;
}

static void print_spills_but(VmPrinter *p, const VmSpill *spills, uint32_t count, const GArray *but)
{
    guint next = 0;
    for (uint32_t k = 0; k < count; k++) {
        while (but && next < but->len && g_array_index(but, VmSpill, next).reg < spills[k].reg)
            next++;
        if (!but || next == but->len || g_array_index(but, VmSpill, next).reg != spills[k].reg)
            print_spill(p, &spills[k]);
    }
}

/* What an exit does besides storing what others store, too. */
static void print_own(VmPrinter *p, const VmExit *e, const Group *group)
{
    g_string_append_printf(p->out, "%c%u:", e->kind == VM_EXIT_BEFORE ? 'x' : 'a', e->label);
    vm_strip_settle_exit(p, e);
    print_spills_but(p, spills_of(p, e), e->count, group->common);
    switch (e->kind) {
    case VM_EXIT_BEFORE: g_string_append_printf(p->out, " at = %u;", e->pc); return;
    case VM_EXIT_AFTER_CALL:
    case VM_EXIT_AFTER_EXTERNAL: break;
    }
    if (e->held >= 0) {
        g_string_append_printf(p->out, " at = %u; held = %" G_GINT64_FORMAT "; fuel = GONE;", e->pc, e->held);
        return;
    }
    g_string_append_printf(p->out, " at = %u; if (fuel != GONE) { at = %u;", e->pc, e->pc + 1);
    if (e->kind == VM_EXIT_AFTER_CALL && e->result_web != VCODE_NONE)
        print_spill(p, &(VmSpill){(uint16_t)e->result_reg, e->result_web});
    print_lost(p, e->pc);
    g_string_append(p->out, " }");
}

static void print_group(VmPrinter *p, const GArray *groups, guint at)
{
    const Group *group = &g_array_index(groups, Group, at), *rest = find_rest(groups, at);
    uint32_t label = g_array_index(p->exits, VmExit, group->from).label;
    for (uint32_t i = group->from; i < group->to; i++) {
        print_own(p, &g_array_index(p->exits, VmExit, i), group);
        if (i + 1 < group->to)
            g_string_append_printf(p->out, " goto t%u;\n", label);
    }
    g_string_append_printf(p->out, "\nt%u:", label);
    print_spills_but(p, (const VmSpill *)group->common->data, group->common->len, rest ? rest->common : NULL);
    if (rest)
        g_string_append_printf(p->out, " goto t%u;\n", g_array_index(p->exits, VmExit, rest->from).label);
    else
        g_string_append(p->out, " goto out;\n");
}

static bool any_calls(const VmPrinter *p)
{
    for (uint32_t i = 0; i < p->exits->len; i++)
        if (g_array_index(p->exits, VmExit, i).kind == VM_EXIT_AFTER_CALL ||
            g_array_index(p->exits, VmExit, i).kind == VM_EXIT_AFTER_EXTERNAL)
            return true;
    return false;
}

/* Exits that store little come first, so that those that store that and more can go on there. */
static void print_sharing(VmPrinter *p)
{
    g_autoptr(GArray) groups = find_groups(p);
    for (guint i = 0; i < groups->len; i++)
        print_group(p, groups, i);
    g_string_append(p->out, "out: ");
    if (any_calls(p))
        g_string_append_printf(p->out, "if (fuel == GONE) k->unwind(k, R, at, %s, held); else ", entry_sp(p));
    g_string_append_printf(p->out, "k->leave(k, R, at, %s, fuel); %sreturn gone;\n", entry_sp(p), print_tails(p));
}

/* -- exits as functions ------------------------------------------------------------------------ */

/* C compilers make copies of small functions where they are called: their exits are functions of their own, since all
 * that an exit stores would count. That takes time, for each is one more function; so it is not done where code must be
 * there quickly, but for our own copies, whose exits know by that where their window is. */
bool vm_exits_are_cold(const VmPrinter *p)
{
    bool wanted = !p->unit->quick || p->unit->calls[p->flow->index].copies;
    return wanted && p->whole && !p->flow->huge && p->flow->function->code_count <= VM_NATIVE_SMALL;
}

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
    if (!p->cold && p->exits->len)
        print_sharing(p);
    for (uint32_t i = 0; p->cold && i < p->exits->len; i++)
        print_cold(p, &g_array_index(p->exits, VmExit, i));
}
