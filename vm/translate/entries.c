/* entries.c - how functions begin: when they are called, and where the interpreter enters them.
 *
 *     Outcome l12(k, R, fuel, entry)    entered at outermost loops
 *     Outcome m12(k, R, fuel, entry)    entered in loops; leaves where it would come to an outermost loop's header, and
 *                                       is at once entered again there by l12
 *
 * The l function of a large function is also what the f function calls: where most of the time goes by in loops, it
 * does not matter that arguments come from memory.
 *
 * C compilers do little for loops with more than one beginning. So whoever enters in loops goes to the header of the
 * outermost loop there is, and from there through the headers of all that are around the entry:
 *
 *     switch (entry) { case 7: r1 = R[1]; k->inward = 8; goto b2; }
 *     b2: if (INWARD) switch (k->inward) { case 8: r5 = R[5]; goto b4; }        the outer loop
 *     b4: if (INWARD) switch (k->inward) { case 8: r6 = R[6]; k->inward = 0; goto b7; }
 *
 * It is in memory so that C compilers do not find out that it is 0 when the loop comes round, and make of that a second
 * beginning after all. Variables are set as far out as they are live, for then they do not change in the loops that do
 * not change them.
 */
#include "vm/prelude/prelude.h"
#include "vm/translate/loops.h"

#include <string.h>

enum { MOST_TWICE = 150 /* instructions of a function that is printed once to be called, and once to be entered */ };

/* -- registers become variables ---------------------------------------------------------------- */

static void assign_from(VmPrinter *p, uint32_t block, uint32_t reg, const char *from)
{
    static const char *const open[] = {"", "", "as_double(", "as_float("};
    uint32_t web = p->flow->entry_web[(size_t)block * p->flow->function->registers + reg];
    if (web == VCODE_NONE)
        return;
    g_string_append(p->out, "    ");
    vm_print_web(p, web);
    VmKind kind = p->flow->webs[web].kind;
    const VmRoot *root = &p->roots[web];
    if (root->kind == VM_ROOT_CONSTANT) { /* says more than the register that holds it */
        g_string_append(p->out, " = ");
        vm_print_constant(p->out, root->value, kind);
        g_string_append(p->out, ";\n");
    } else if (root->kind == VM_ROOT_FRAME && kind == VM_KIND_I) {
        g_string_append_printf(p->out, " = entry_sp - %u + (uint64_t)%" G_GINT64_FORMAT ";\n",
                               p->flow->image->functions[p->flow->index].enter_bytes, (int64_t)root->value);
    } else if (kind == VM_KIND_I && p->flow->webs[web].bits <= 32) { /* as C compilers know it where it is computed */
        g_string_append_printf(p->out, " = sext32(U32(%s));\n", from);
    } else {
        g_string_append_printf(p->out, " = %s%s%s\n", open[kind], from, kind == VM_KIND_I ? ";" : ");");
    }
}

static void assign_parameters(VmPrinter *p)
{
    for (uint32_t r = 0; r < p->flow->function->parameters; r++) {
        char from[24];
        g_snprintf(from, sizeof from, r < VM_NATIVE_ARGUMENTS && p->whole ? "p%u" : "R[%u]", r);
        assign_from(p, 0, r, from);
    }
}

/* What a call clears, where registers are not variables that begin as 0. */
static void clear_window(VmPrinter *p)
{
    const VmFunction *function = &p->flow->image->functions[p->flow->index];
    if (p->flow->huge)
        g_string_append_printf(p->out, "    for (uint32_t r = %u; r < %u; r++) R[r] = 0;\n", function->clear_from,
                               function->clear_to);
}

/* -- called ----------------------------------------------------------------------------------- */

/* Copies and bounded functions rely on what their callers have tested. */
void vm_entries_print_beginning(VmPrinter *p)
{
    const VmCalls *calls = &p->unit->calls[p->flow->index];
    vm_print_stand_at(p, 0);
    clear_window(p);
    assign_parameters(p);
    if (calls->tests_depth && p->copy == 0)
        g_string_append_printf(p->out, "    if (UNLIKELY(TOO_DEEP())) goto x%u;\n",
                               vm_exit_before(p, p->flow->blocks[0].start));
    if (!calls->bounded && p->copy == 0)
        g_string_append_printf(p->out, "    if (UNLIKELY(fuel < %" G_GUINT64_FORMAT ")) goto x%u;\n",
                               vm_print_least_for_call(p->unit, p->flow), vm_exit_before(p, p->flow->blocks[0].start));
    if (p->uses_tails) {
        g_string_append(p->out, "    goto b0;\nagain:\n");
        assign_parameters(p);
    }
    g_string_append_printf(p->out, "    goto %c0;\n", p->strips[0] ? 'p' : 'b');
}

/* -- entered ----------------------------------------------------------------------------------- */

/* The header of the innermost loop that the block is in and is not itself the header of; VCODE_NONE: there is none. */
static uint32_t header_around(const VmFlow *flow, uint32_t block)
{
    uint32_t loop = flow->blocks[block].loop;
    if (loop != VCODE_NONE && flow->loops[loop].header == block)
        loop = flow->loops[loop].outer;
    return loop == VCODE_NONE || flow->huge || flow->jumps ? VCODE_NONE : flow->loops[loop].header;
}

bool vm_entries_in_loop(const VmFlow *flow, uint32_t block)
{
    return !flow->parts && header_around(flow, block) != VCODE_NONE;
}

static bool is_entry(const VmPrinter *p, uint32_t b)
{
    bool entered = vm_flow_enters(&p->flow->blocks[b]);
    if (p->parted)
        return p->parts[b] == p->part && (p->crossed[b] || entered);
    return entered && vm_entries_in_loop(p->flow, b) == p->inner;
}

/* ... as far as it is printed in this function, and where it matters. */
static uint32_t header_here(const VmPrinter *p, uint32_t block)
{
    uint32_t header = header_around(p->flow, block);
    return header == VCODE_NONE || !p->region[header] || p->unit->quick ? VCODE_NONE : header;
}

/* The way to an entry that comes behind `header`, or first (VCODE_NONE); VCODE_NONE: the header is not on the way. */
static uint32_t next_on_way(const VmPrinter *p, uint32_t entry, uint32_t header)
{
    uint32_t next = entry, around;
    while ((around = header_here(p, next)) != header && around != VCODE_NONE)
        next = around;
    return around == header ? next : VCODE_NONE;
}

static bool is_live(const VmPrinter *p, uint32_t block, uint32_t reg, uint32_t web)
{
    return p->flow->entry_web[(size_t)block * p->flow->function->registers + reg] == web;
}

/* Sets the variables that are live at the entry and at `next` on the way to it, but nowhere before. */
static void load_for(VmPrinter *p, uint32_t entry, uint32_t next)
{
    const VmFlow *flow = p->flow;
    for (uint32_t r = 0; !flow->huge && r < flow->function->registers; r++) {
        uint32_t web = flow->entry_web[(size_t)entry * flow->function->registers + r], around = next;
        if (web == VCODE_NONE || !is_live(p, next, r, web))
            continue;
        while ((around = header_here(p, around)) != VCODE_NONE && !is_live(p, around, r, web))
            ;
        char from[24];
        g_snprintf(from, sizeof from, "R[%u]", r);
        if (around == VCODE_NONE)
            assign_from(p, entry, r, from);
    }
}

static void go_to_entry(VmPrinter *p, uint32_t entry)
{
    const VmFlowBlock *block = &p->flow->blocks[entry];
    if (!block->checkpoint && vm_flow_enters(block)) {
        vm_print_stand_at(p, entry);
        g_string_append_printf(p->out, "    if (UNLIKELY(fuel < %" G_GUINT64_FORMAT ")) goto x%u;\n",
                               vm_print_least_fuel(p, block), vm_exit_before(p, block->start));
    }
    g_string_append_printf(p->out, "    goto %c%u;\n", p->strips[entry] ? 'p' : 'b', entry);
}

bool vm_entries_join(const VmUnit *unit, const VmFlow *flow)
{
    const VmCalls *calls = &unit->calls[flow->index];
    return flow->loops_back && !flow->parts && !flow->jumps && !flow->huge && flow->function->code_count > MOST_TWICE &&
           !calls->copies && !vm_calls_use_tails(unit, flow);
}

bool vm_entries_begin_here(const VmPrinter *p)
{
    return p->parted ? p->parts[0] == p->part && !p->flow->partial : p->joined && !p->inner;
}

void vm_entries_print_call(const VmPrinter *p, GString *out)
{
    const VmFlow *flow = p->flow;
    vm_print_head(p->unit, flow, 0, out);
    g_string_append(out, "\n{\n   ");
    for (uint32_t a = 0; a < MIN(flow->function->parameters, VM_NATIVE_ARGUMENTS); a++)
        g_string_append_printf(out, " R[%u] = p%u;", a, a);
    g_string_append_printf(out, " return l%u(k, R, fuel, %u);\n}\n", flow->index, flow->block_count);
}

void vm_entries_print_switch(VmPrinter *p)
{
    g_string_append(p->out, "    switch (entry) {\n");
    if (vm_entries_begin_here(p)) {
        g_string_append_printf(p->out, "    case %u:\n", p->flow->block_count);
        vm_entries_print_beginning(p);
    }
    for (uint32_t b = 0; b < p->flow->block_count; b++) {
        if (!is_entry(p, b))
            continue;
        uint32_t first = next_on_way(p, b, VCODE_NONE);
        g_string_append_printf(p->out, "    case %u:\n", b);
        load_for(p, b, first);
        if (first == b)
            go_to_entry(p, b);
        else
            g_string_append_printf(p->out, "    k->inward = %u; goto b%u;\n", b + 1, first);
    }
    g_string_append(p->out, "    }\n    return gone;\n");
}

void vm_entries_print_header(VmPrinter *p, uint32_t header)
{
    bool any = false;
    for (uint32_t b = 0; b < p->flow->block_count && !p->whole; b++) {
        uint32_t next = is_entry(p, b) ? next_on_way(p, b, header) : VCODE_NONE;
        if (next == VCODE_NONE)
            continue;
        g_string_append_printf(p->out, "%s    case %u:\n", any ? "" : " if (INWARD) switch (k->inward) {\n", b + 1);
        any = true;
        load_for(p, b, next);
        if (next != b) {
            g_string_append_printf(p->out, "    goto b%u;\n", next);
            continue;
        }
        g_string_append(p->out, "    k->inward = 0;\n");
        go_to_entry(p, b);
    }
    if (any)
        g_string_append(p->out, "    }\n");
}

/* Where the function that is printed leaves: outside of all loops, and at the headers of outermost ones. */
static bool is_outside(const VmPrinter *p, uint32_t block)
{
    return p->inner && header_around(p->flow, block) == VCODE_NONE;
}

bool vm_entries_find_region(VmPrinter *p)
{
    const VmFlow *flow = p->flow;
    g_autoptr(GArray) work = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    memset(p->region, 0, flow->block_count);
    for (uint32_t b = 0; b < flow->block_count; b++)
        if (is_entry(p, b)) {
            p->region[b] = true;
            g_array_append_val(work, b);
        }
    bool any = work->len > 0 || vm_entries_begin_here(p);
    if (vm_entries_begin_here(p))
        memset(p->region, 1, flow->block_count);
    while (work->len) {
        const VmFlowBlock *block = &flow->blocks[g_array_index(work, uint32_t, work->len - 1)];
        g_array_set_size(work, work->len - 1);
        for (uint32_t k = 0; k < block->successors; k++) {
            uint32_t to = flow->edges[block->successor + k];
            if (p->region[to] || is_outside(p, to))
                continue;
            p->region[to] = true;
            g_array_append_val(work, to);
        }
    }
    return any;
}
