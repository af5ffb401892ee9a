/* partition.c - functions cut into parts, each a C function of its own.
 *
 * C compilers take more than twice the time for twice the function, so large functions are printed in parts; and where
 * compiling must be quick, what would otherwise be printed twice, to be called and to be entered at loops, is one part.
 *
 *     Outcome l12_p0(k, R, fuel, entry)    blocks of part 0, entered at block `entry`, with all that is live in R;
 *                                          the function's beginning has the number behind the last block's
 *     Outcome l12(k, R, fuel, entry)       runs part after part: a part that goes on in another one says so in k->next
 *     Outcome f12(k, R, fuel, p0, ...)     puts the arguments into R and begins
 *
 * Loops stay whole as far as they fit into a part: going from part to part costs about what a call does. What is hot in
 * a large function may be one of those loops: then it can be printed alone, as l12, and is there sooner.
 */
#include "vm/translate/print.h"

enum {
    MOST = 400, /* instructions of a part, unless a block has more */
    FEW = 24    /* for tests, so that small functions have several */
};

static uint32_t instructions_of(const VmFlow *flow, uint32_t block)
{
    return flow->blocks[block].end - flow->blocks[block].start;
}

/* By loop: its instructions, with those of the loops in it. Inner loops come behind outer ones. */
static uint32_t *find_sizes(const VmFlow *flow)
{
    uint32_t *sizes = g_new0(uint32_t, flow->loop_count + 1);
    for (uint32_t k = 0; k < flow->order_count; k++)
        if (flow->blocks[flow->order[k]].loop != VCODE_NONE)
            sizes[flow->blocks[flow->order[k]].loop] += instructions_of(flow, flow->order[k]);
    for (uint32_t l = flow->loop_count; l-- > 0;)
        if (flow->loops[l].outer != VCODE_NONE)
            sizes[flow->loops[l].outer] += sizes[l];
    return sizes;
}

/* By loop: the outermost loop around it, or itself, that fits into a part; VCODE_NONE: none does. */
static uint32_t *find_whole(const VmFlow *flow, uint32_t most)
{
    g_autofree uint32_t *sizes = find_sizes(flow);
    uint32_t *whole = g_new(uint32_t, flow->loop_count + 1);
    for (uint32_t l = 0; l < flow->loop_count; l++) {
        uint32_t outer = flow->loops[l].outer;
        uint32_t around = outer == VCODE_NONE ? VCODE_NONE : whole[outer];
        whole[l] = around != VCODE_NONE ? around : sizes[l] <= most ? l : VCODE_NONE;
    }
    return whole;
}

static void assign_parts(VmFlow *flow, const uint32_t *whole, uint32_t most)
{
    g_autofree uint32_t *sizes = find_sizes(flow), *part_of_loop = g_new(uint32_t, flow->loop_count + 1);
    for (uint32_t l = 0; l < flow->loop_count; l++)
        part_of_loop[l] = VCODE_NONE;
    uint32_t part = 0, filled = 0;
    for (uint32_t k = 0; k < flow->order_count; k++) {
        uint32_t b = flow->order[k], loop = flow->blocks[b].loop;
        uint32_t atom = loop == VCODE_NONE ? VCODE_NONE : whole[loop];
        if (atom != VCODE_NONE && part_of_loop[atom] != VCODE_NONE) {
            flow->parts[b] = part_of_loop[atom];
            continue;
        }
        uint32_t size = atom == VCODE_NONE ? instructions_of(flow, b) : sizes[atom];
        if (filled && filled + size > most) {
            part++;
            filled = 0;
        }
        filled += size;
        flow->parts[b] = part;
        if (atom != VCODE_NONE)
            part_of_loop[atom] = part;
    }
    flow->part_count = part + 1;
}

static bool has_entries(const VmFlow *flow)
{
    for (uint32_t b = 0; b < flow->block_count; b++)
        if (vm_flow_enters(&flow->blocks[b]))
            return true;
    return false;
}

void vm_flow_partition(VmFlow *flow, bool quick, bool finely)
{
    uint32_t most = finely ? FEW : MOST;
    if (flow->huge || flow->jumps ||
        (flow->function->code_count <= VM_FLOW_MOST_WHOLE && !(quick && (finely || has_entries(flow)))))
        return;
    g_autofree uint32_t *whole = find_whole(flow, most);
    flow->parts = g_new0(uint32_t, flow->block_count + 1);
    assign_parts(flow, whole, most);
}

/* -- loops alone ------------------------------------------------------------------------------- */

static bool is_in(const VmFlow *flow, uint32_t block, uint32_t loop)
{
    uint32_t around = flow->blocks[block].loop;
    while (around != VCODE_NONE && around != loop)
        around = flow->loops[around].outer;
    return around == loop;
}

bool vm_partition_next_loop(const VmFlow *flow, uint32_t from, uint32_t most, VmLoopPlace *place)
{
    g_autofree uint32_t *whole = find_whole(flow, most);
    uint32_t found = VCODE_NONE;
    for (uint32_t l = 0; !flow->huge && !flow->jumps && l < flow->loop_count; l++) {
        uint32_t header = flow->blocks[flow->loops[l].header].start;
        if (whole[l] == l && header >= from && (found == VCODE_NONE || header < place->header)) {
            found = l;
            place->header = header;
        }
    }
    if (found == VCODE_NONE)
        return false;
    place->function = flow->index;
    place->start = place->end = place->header;
    for (uint32_t b = 0; b < flow->block_count; b++)
        if (flow->blocks[b].reached && is_in(flow, b, found)) {
            place->start = MIN(place->start, flow->blocks[b].start);
            place->end = MAX(place->end, flow->blocks[b].end);
        }
    return true;
}

void vm_partition_take_loop(VmFlow *flow, uint32_t header)
{
    uint32_t loop = 0;
    while (loop < flow->loop_count && flow->blocks[flow->loops[loop].header].start != header)
        loop++;
    if (loop == flow->loop_count || flow->huge || flow->jumps) /* a note that is not of this program */
        return;
    flow->parts = g_new0(uint32_t, flow->block_count + 1);
    for (uint32_t b = 0; b < flow->block_count; b++)
        flow->parts[b] = !is_in(flow, b, loop);
    flow->part_count = 1;
    flow->partial = true;
}

/* -- printing ---------------------------------------------------------------------------------- */

/* The sides of a selection are with their condition. */
void vm_partition_begin(VmPrinter *p)
{
    const VmFlow *flow = p->flow;
    p->parts = g_memdup2(flow->parts, (flow->block_count + 1) * sizeof *flow->parts);
    p->crossed = g_new0(uint8_t, flow->block_count + 1);
    for (uint32_t b = 0; b < flow->block_count; b++)
        if (p->selects[b].found && p->selects[b].taken != VCODE_NONE)
            p->parts[p->selects[b].taken] = p->parts[b];
    for (uint32_t b = 0; b < flow->block_count; b++)
        if (p->selects[b].found && p->selects[b].next != VCODE_NONE)
            p->parts[p->selects[b].next] = p->parts[b];
    for (uint32_t k = 0; k < flow->order_count && !flow->partial; k++) {
        const VmFlowBlock *block = &flow->blocks[flow->order[k]];
        for (uint32_t s = 0; s < block->successors; s++) {
            uint32_t to = flow->edges[block->successor + s];
            p->crossed[to] |= p->parts[to] != p->parts[flow->order[k]];
        }
    }
}

/* Whether all of the loop is in one part. */
bool vm_partition_keeps(const VmPrinter *p, uint32_t loop)
{
    uint32_t part = p->parts[p->flow->loops[loop].header];
    for (uint32_t b = 0; b < p->flow->block_count; b++)
        if (p->flow->blocks[b].loop == loop && p->flow->blocks[b].reached && p->parts[b] != part)
            return false;
    return true;
}

static void mark_entry(const VmFlow *flow, uint32_t block, uint8_t *webs)
{
    const uint32_t *entry = flow->entry_web + (size_t)block * flow->function->registers;
    for (uint32_t r = 0; r < flow->function->registers; r++)
        if (entry[r] != VCODE_NONE)
            webs[entry[r]] = 1;
}

void vm_partition_find_webs(const VmPrinter *p, uint8_t *webs)
{
    const VmFlow *flow = p->flow;
    for (uint32_t k = 0; k < flow->order_count; k++) {
        const VmFlowBlock *block = &flow->blocks[flow->order[k]];
        if (!p->region[flow->order[k]])
            continue;
        mark_entry(flow, flow->order[k], webs);
        for (uint32_t s = 0; s < block->successors; s++)
            mark_entry(flow, flow->edges[block->successor + s], webs);
        for (uint32_t pc = block->start; pc < block->end; pc++)
            if (flow->set_web[pc - flow->function->code_start] != VCODE_NONE)
                webs[flow->set_web[pc - flow->function->code_start]] = 1;
    }
}

void vm_partition_print_goto(VmPrinter *p, uint32_t to)
{
    g_string_append_printf(p->out, "goto g%u;", to);
    for (guint k = 0; k < p->goes_to->len; k++)
        if (g_array_index(p->goes_to, uint32_t, k) == to)
            return;
    g_array_append_val(p->goes_to, to);
}

/* What is live goes to the window, where the other part, or the interpreter, looks for it. */
void vm_partition_print_ways_on(VmPrinter *p)
{
    for (guint k = 0; k < p->goes_to->len; k++) {
        uint32_t to = g_array_index(p->goes_to, uint32_t, k);
        g_string_append_printf(p->out, "g%u:", to);
        vm_exit_print_entry(p, to);
        if (p->inner || p->flow->partial) {
            if (vm_flow_enters(&p->flow->blocks[to]) && p->inner)
                g_string_append(p->out, " k->again = 1;");
            g_string_append_printf(p->out, " k->leave(k, R, %u, %s, fuel); return gone;\n", p->flow->blocks[to].start,
                                   p->uses_frame ? "entry_sp" : "k->sp");
            continue;
        }
        g_string_append_printf(p->out, "%s k->next = %u; return (Outcome){0, fuel};\n",
                               p->uses_frame ? " k->entry_sp = entry_sp;" : "", to + 1);
    }
    g_array_set_size(p->goes_to, 0);
}

/* What runs part after part. */
static void print_driver(const VmPrinter *p, GString *out)
{
    const VmFlow *flow = p->flow;
    g_string_append_printf(out,
                           "static Outcome l%u(State *k, uint64_t *R, int64_t fuel, uint32_t entry)\n{\n"
                           "    static const uint16_t part[] = {",
                           flow->index);
    for (uint32_t b = 0; b < flow->block_count; b++)
        g_string_append_printf(out, "%u,%s", p->parts[b], b % 32 == 31 ? "\n" : "");
    g_string_append_printf(out, "%u};\n    static const Entry parts[] = {", p->parts[0]);
    for (uint32_t part = 0; part < flow->part_count; part++)
        g_string_append_printf(out, "l%u_p%u, ", flow->index, part);
    g_string_append(out, "};\n    for (;;) {\n        Outcome o = parts[part[entry]](k, R, fuel, entry);\n"
                         "        if (LIKELY(!k->next)) return o;\n"
                         "        entry = k->next - 1; k->next = 0; fuel = o.fuel;\n    }\n}\n");
}

void vm_partition_print_function(const VmPrinter *p, GString *out)
{
    const VmFlow *flow = p->flow;
    if (flow->partial)
        return;
    if (flow->part_count > 1)
        print_driver(p, out);
    vm_entries_print_call(p, out);
}
