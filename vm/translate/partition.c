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
 * Loops stay whole as far as they fit into a part, and one that does not shares none of its parts with what is around
 * it. Going from part to part costs about what a call does: a part reads what it needs of R, and puts back only what it
 * may have changed since it was entered. So what is set before a loop that is cut, and only read in it, as constants
 * are, is put into R once, when the loop is entered. What is hot in a large function may be a loop that fits: then it
 * can be printed alone, as l12, and is there sooner.
 */
#include "vm/translate/print.h"

#include <string.h>

enum {
    MOST = 400,     /* instructions of a part, unless a block has more */
    LARGEST = 3000, /* ... of a loop that is one although it has more: of its own, not of loops in it, so many: */
    LEAST_OWN = MOST / 2,
    FEW = 24 /* for tests, so that small functions have several */
};

static uint32_t instructions_of(const VmFlow *flow, uint32_t block)
{
    return flow->blocks[block].end - flow->blocks[block].start;
}

/* By loop: its own instructions, without those of the loops in it. */
static uint32_t *find_own_sizes(const VmFlow *flow)
{
    uint32_t *sizes = g_new0(uint32_t, flow->loop_count + 1);
    for (uint32_t k = 0; k < flow->order_count; k++)
        if (flow->blocks[flow->order[k]].loop != VCODE_NONE)
            sizes[flow->blocks[flow->order[k]].loop] += instructions_of(flow, flow->order[k]);
    return sizes;
}

/* ... and with them. Inner loops come behind outer ones. */
static uint32_t *find_sizes(const VmFlow *flow)
{
    uint32_t *sizes = find_own_sizes(flow);
    for (uint32_t l = flow->loop_count; l-- > 0;)
        if (flow->loops[l].outer != VCODE_NONE)
            sizes[flow->loops[l].outer] += sizes[l];
    return sizes;
}

/* By loop: the outermost loop around it, or itself, that is to be in one part; VCODE_NONE: there is none. That is one
 * that has at most `most` instructions; or up to `largest`, many of them its own, as the loop of an interpreter has:
 * all of its turns would go from part to part. */
static uint32_t *find_whole(const VmFlow *flow, uint32_t most, uint32_t largest)
{
    g_autofree uint32_t *sizes = find_sizes(flow), *own = find_own_sizes(flow);
    uint32_t *whole = g_new(uint32_t, flow->loop_count + 1);
    for (uint32_t l = 0; l < flow->loop_count; l++) {
        uint32_t outer = flow->loops[l].outer;
        uint32_t around = outer == VCODE_NONE ? VCODE_NONE : whole[outer];
        bool fits = sizes[l] <= most || (sizes[l] <= largest && own[l] >= LEAST_OWN);
        whole[l] = around != VCODE_NONE ? around : fits ? l : VCODE_NONE;
    }
    return whole;
}

/* Whose parts a block of the loop goes to: those of the innermost loop around that does not fit, counted from 1, or of
 * the function. */
static uint32_t find_cut(const VmFlow *flow, const uint32_t *whole, uint32_t loop)
{
    while (loop != VCODE_NONE && whole[loop] != VCODE_NONE)
        loop = flow->loops[loop].outer;
    return loop == VCODE_NONE ? 0 : loop + 1;
}

/* The parts of the blocks that find_cut() has in common. */
typedef struct Filling {
    uint32_t first, last; /* the one that is being filled; VCODE_NONE: none so far */
    uint32_t filled;
    uint32_t closing; /* instructions of the blocks that find_closing() found */
} Filling;

/* By block: whether it ends the turns of a loop that does not fit. It is with the loop's header, so that a turn need
 * not come to one more part; interpreters, whose loop is a switch, have many ways there. */
static uint8_t *find_closing(const VmFlow *flow, const uint32_t *whole, uint32_t most, Filling *fillings)
{
    enum { FEW_WAYS = 2 }; /* that lead to a block behind others that end turns */
    uint8_t *closing = g_malloc0(flow->block_count + 1);
    for (uint32_t k = flow->order_count; k-- > 0;) {
        const VmFlowBlock *block = &flow->blocks[flow->order[k]];
        if (block->loop == VCODE_NONE || whole[block->loop] != VCODE_NONE)
            continue;
        uint32_t header = flow->loops[block->loop].header, size = instructions_of(flow, flow->order[k]);
        Filling *filling = &fillings[block->loop + 1];
        bool closes = false;
        for (uint32_t s = 0; s < block->successors; s++) {
            uint32_t to = flow->edges[block->successor + s];
            closes |= to == header || (closing[to] && flow->blocks[to].loop == block->loop &&
                                       flow->blocks[to].predecessors <= FEW_WAYS);
        }
        closing[flow->order[k]] = closes && flow->order[k] != header && filling->closing + size <= most / 4;
        filling->closing += closing[flow->order[k]] ? size : 0;
    }
    return closing;
}

/* The part for so many more instructions. */
static uint32_t fill(VmFlow *flow, Filling *filling, uint32_t size, uint32_t most)
{
    if (filling->last == VCODE_NONE) {
        filling->first = filling->last = flow->part_count++;
        filling->filled = filling->closing;
    } else if (filling->filled && filling->filled + size > most) {
        filling->last = flow->part_count++;
        filling->filled = 0;
    }
    filling->filled += size;
    return filling->last;
}

static void assign_parts(VmFlow *flow, const uint32_t *whole, uint32_t most)
{
    g_autofree uint32_t *sizes = find_sizes(flow), *part_of_loop = g_new(uint32_t, flow->loop_count + 1);
    g_autofree Filling *fillings = g_new(Filling, flow->loop_count + 1);
    for (uint32_t l = 0; l <= flow->loop_count; l++) {
        part_of_loop[l] = VCODE_NONE;
        fillings[l] = (Filling){VCODE_NONE, VCODE_NONE, 0, 0};
    }
    g_autofree uint8_t *closing = find_closing(flow, whole, most, fillings);
    for (uint32_t k = 0; k < flow->order_count; k++) {
        uint32_t b = flow->order[k], loop = flow->blocks[b].loop;
        uint32_t atom = loop == VCODE_NONE ? VCODE_NONE : whole[loop];
        Filling *filling = &fillings[find_cut(flow, whole, loop)];
        if (closing[b]) {
            flow->parts[b] = filling->first;
        } else if (atom != VCODE_NONE && part_of_loop[atom] != VCODE_NONE) {
            flow->parts[b] = part_of_loop[atom];
        } else {
            flow->parts[b] = fill(flow, filling, atom == VCODE_NONE ? instructions_of(flow, b) : sizes[atom], most);
            if (atom != VCODE_NONE)
                part_of_loop[atom] = flow->parts[b];
        }
    }
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
    g_autofree uint32_t *whole = find_whole(flow, most, finely ? FEW : LARGEST);
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
    g_autofree uint32_t *whole = find_whole(flow, most, most);
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

/* The sides of a selection are with their condition. */
void vm_partition_begin(VmPrinter *p)
{
    const VmFlow *flow = p->flow;
    p->parts = g_memdup2(flow->parts, (flow->block_count + 1) * sizeof *flow->parts);
    p->crossed = g_new0(uint8_t, flow->block_count + 1);
    p->changed = g_new0(uint64_t, (size_t)flow->words * (flow->block_count + 1));
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

/* -- what R has not -------------------------------------------------------------------------- */

static void add_set(uint64_t *bits, uint32_t from, uint32_t to)
{
    for (uint32_t r = from; r < to; r++)
        bits[r / 64] |= UINT64_C(1) << r % 64;
}

/* The registers that the block sets, those that its call loses among them. */
static void find_set(const VmFlow *flow, const VmFlowBlock *block, uint64_t *set)
{
    memset(set, 0, flow->words * sizeof *set);
    for (uint32_t pc = block->start; pc < block->end; pc++) {
        VmEffects e = vm_effects(flow->code[pc]);
        if (e.written >= 0)
            add_set(set, (uint32_t)e.written, (uint32_t)e.written + 1);
        if (vm_code_is_call(flow->code[pc]))
            add_set(set, e.first_argument, flow->function->registers);
    }
}

static bool add_all(uint64_t *to, const uint64_t *from, uint32_t words)
{
    uint64_t more = 0;
    for (uint32_t w = 0; w < words; w++) {
        more |= from[w] & ~to[w];
        to[w] |= from[w];
    }
    return more;
}

/* To the blocks behind, those of other parts included. */
static bool hand_on(VmPrinter *p, uint32_t b, const uint64_t *set)
{
    const VmFlow *flow = p->flow;
    const VmFlowBlock *block = &flow->blocks[b];
    bool more = false;
    for (uint32_t s = 0; s < block->successors; s++) {
        uint64_t *to = p->changed + (size_t)flow->edges[block->successor + s] * flow->words;
        more |= add_all(to, p->changed + (size_t)b * flow->words, flow->words);
        more |= add_all(to, set + (size_t)b * flow->words, flow->words);
    }
    return more;
}

/* Control comes in with all that is live in R, but at the function's beginning, where only parameters are. */
void vm_partition_find_changed(VmPrinter *p)
{
    const VmFlow *flow = p->flow;
    size_t words = flow->words, bytes = words * sizeof *p->changed;
    g_autofree uint64_t *set = g_malloc0((flow->block_count + 1) * bytes);
    memset(p->changed, 0xff, flow->block_count * bytes);
    for (uint32_t b = 0; b < flow->block_count; b++) {
        const VmFlowBlock *block = &flow->blocks[b];
        if (!p->region[b])
            continue;
        find_set(flow, block, set + b * words);
        memset(p->changed + b * words, 0, bytes);
        for (uint32_t s = 0; s < block->successors; s++)
            memset(p->changed + flow->edges[block->successor + s] * words, 0, bytes);
    }
    if (p->region[0])
        add_set(p->changed, flow->function->parameters, flow->function->registers);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t k = 0; k < flow->order_count; k++)
            if (p->region[flow->order[k]])
                more |= hand_on(p, flow->order[k], set);
    }
    for (uint32_t b = 0; b < flow->block_count; b++)
        add_all(p->changed + b * words, set + b * words, flow->words);
}

bool vm_partition_has_changed(const VmPrinter *p, uint32_t block, uint32_t reg)
{
    return !p->parted || vm_bit(p->changed + (size_t)block * p->flow->words, reg);
}

/* -- printing ---------------------------------------------------------------------------------- */

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

/* What is live is in the window then, where the other part, or the interpreter, looks for it. */
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
