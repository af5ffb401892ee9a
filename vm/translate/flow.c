/* flow.c - blocks, edges, dominators, loops and checkpoints of one function.
 *
 * Blocks are those of the cost model, so they also end at calls. A checkpoint is a place where printed code tests its
 * fuel: the function's entry, every block that an edge of a depth-first walk leads back to, and the return of a call.
 * On the way from one checkpoint to the next there is no cycle, so the most that can be charged there is the longest
 * path of an acyclic graph: `ahead`. Printed code goes on only while it has more than that, hence never passes a place
 * where the interpreter would have stopped.
 */
#include "vm/translate/flow.h"
#include "vm/library/library.h"

#include <string.h>

enum {
    MOST_CELLS = 1 << 24, /* bytes for sets of registers, and four times as many for webs */
    MOST_PRINTED = 40000, /* instructions of a function: beyond, C compilers take too long */
    MOST_CASES = 5000,    /* of its switches together */
    MOST_JUMPS = 1 << 17  /* ways from its computed jumps to its blocks */
};
#define MOST_AHEAD (UINT64_C(1) << 32)

const VmSignature vm_flow_signatures[VCODE_OP_COUNT] = {
#define BINARY(name, A, B, C, expression)     [VCODE_##name] = {VM_KIND_##A, VM_KIND_##B, VM_KIND_##C},
#define UNARY(name, A, B, expression)         [VCODE_##name] = {VM_KIND_##A, VM_KIND_##B, VM_KIND_NONE},
#define IMMEDIATE(name, expression)           [VCODE_##name] = {VM_KIND_I, VM_KIND_I, VM_KIND_NONE},
#define DIVISION(name, z, o, expression)      [VCODE_##name] = {VM_KIND_I, VM_KIND_I, VM_KIND_I},
#define CONDITION(name, B, expression)        [VCODE_##name] = {VM_KIND_NONE, VM_KIND_##B, VM_KIND_NONE},
#define CONDITION_IMMEDIATE(name, expression) [VCODE_##name] = {VM_KIND_NONE, VM_KIND_I, VM_KIND_NONE},
#include "vcode/arithmetic.def"
};

#define ARGUMENTS_1 "x"
#define ARGUMENTS_2 "x, y"
#define ARGUMENTS_3 "x, y, z"
static const VmIntrinsic intrinsics[] = {
    {"sqrt", VM_KIND_D, 1, "x < 0", "__builtin_sqrt(x)"}, {"sqrtf", VM_KIND_F, 1, "x < 0", "__builtin_sqrtf(x)"},
    {"fabs", VM_KIND_D, 1, "0", "__builtin_fabs(x)"},     {"fabsf", VM_KIND_F, 1, "0", "__builtin_fabsf(x)"},
    {"floor", VM_KIND_D, 1, "0", "__builtin_floor(x)"},   {"ceil", VM_KIND_D, 1, "0", "__builtin_ceil(x)"},
#define PLAIN(name, kind, arity, refused)                                                                              \
    {#name, VM_KIND_##kind, arity, refused, "MATHS_" #name "(" ARGUMENTS_##arity ")"},
#include "vm/library/maths.def"
};

const VmIntrinsic *vm_flow_intrinsic(const VmImage *image, VcodeInstr i)
{
    if (vcode_op(i) != VCODE_CALLX)
        return NULL;
    const VmExtern *function = image->bindings[vcode_imm32(i)].function;
    if (!vm_library_owns(function))
        return NULL;
    for (size_t k = 0; k < G_N_ELEMENTS(intrinsics); k++)
        if (strcmp(intrinsics[k].name, function->name) == 0)
            return vcode_n(i) == intrinsics[k].arity ? &intrinsics[k] : NULL;
    return NULL;
}

/* -- blocks and edges -------------------------------------------------------------------------- */

static void number_blocks(VmFlow *flow)
{
    const VcodeFunction *f = flow->function;
    flow->block_of = g_new(uint32_t, f->code_count);
    bool starts = true;
    for (uint32_t i = 0; i < f->code_count; i++) {
        flow->block_count += starts;
        flow->block_of[i] = flow->block_count - 1;
        starts = vcode_op_ends_block(vcode_op(flow->code[f->code_start + i]));
    }
    flow->blocks = g_new0(VmFlowBlock, flow->block_count);
    for (uint32_t i = 0; i < f->code_count; i++) {
        VmFlowBlock *block = &flow->blocks[flow->block_of[i]];
        uint32_t pc = f->code_start + i;
        if (block->end == 0)
            block->start = pc;
        block->end = pc + 1;
        if (vcode_op_ends_block(vcode_op(flow->code[pc]))) {
            block->cost = vm_image_block_cost(flow->image, pc);
            if (vm_flow_intrinsic(flow->image, flow->code[pc]))
                block->cost += flow->image->bindings[vcode_imm32(flow->code[pc])].base_q8;
        }
        block->loop = VCODE_NONE;
    }
}

typedef struct Edges {
    VmFlow *flow;
    GArray *all;
    VmFlowBlock *from;
} Edges;

static void add_edge(void *user, uint32_t target)
{
    Edges *edges = user;
    uint32_t block = edges->flow->block_of[target];
    for (uint32_t k = 0; k < edges->from->successors; k++) /* a switch names the same target often */
        if (g_array_index(edges->all, uint32_t, edges->from->successor + k) == block)
            return;
    g_array_append_val(edges->all, block);
    edges->from->successors++;
}

static void add_edges(VmFlow *flow, GArray *all, VmFlowBlock *block)
{
    Edges edges = {flow, all, block};
    uint32_t last = block->end - 1;
    block->successor = all->len;
    if (vcode_op(flow->code[last]) == VCODE_JMPR) {
        for (uint32_t b = 0; b < flow->block_count; b++)
            if (flow->labels[b]) {
                g_array_append_val(all, b);
                block->successors++;
            }
        return;
    }
    vm_code_goes_to(flow->module, last - flow->function->code_start, flow->code[last], add_edge, &edges);
}

/* Depth-first without recursion: `order` gets reverse postorder, back edges make checkpoints. */
static void order_blocks(VmFlow *flow)
{
    enum { NEW, OPEN, DONE };
    uint8_t *state = g_new0(uint8_t, flow->block_count);
    uint32_t *stack = g_new(uint32_t, flow->block_count), *next = g_new0(uint32_t, flow->block_count);
    uint32_t depth = 0, end = flow->block_count;
    flow->order = g_new(uint32_t, flow->block_count);
    stack[depth++] = 0;
    state[0] = OPEN;
    while (depth) {
        uint32_t b = stack[depth - 1];
        VmFlowBlock *block = &flow->blocks[b];
        block->reached = true;
        if (next[b] == block->successors) {
            state[b] = DONE;
            flow->order[--end] = b;
            depth--;
            continue;
        }
        uint32_t s = flow->edges[block->successor + next[b]++];
        flow->blocks[s].predecessors++;
        flow->blocks[s].only_from = b;
        if (state[s] == OPEN)
            flow->blocks[s].checkpoint = true;
        if (state[s] == NEW) {
            state[s] = OPEN;
            stack[depth++] = s;
        }
    }
    flow->order_count = flow->block_count - end;
    memmove(flow->order, flow->order + end, flow->order_count * sizeof *flow->order);
    g_free(state);
    g_free(stack);
    g_free(next);
}

/* -- what is ahead ----------------------------------------------------------------------------- */

static bool ends_in_call(const VmFlow *flow, const VmFlowBlock *block)
{
    VcodeOp op = vcode_op(flow->code[block->end - 1]);
    return op == VCODE_CALL || op == VCODE_CALLI ||
           (op == VCODE_CALLX && !vm_flow_intrinsic(flow->image, flow->code[block->end - 1]));
}

static bool has_loops(const VmFlow *flow)
{
    for (uint32_t k = 0; k < flow->order_count; k++)
        if (flow->blocks[flow->order[k]].checkpoint)
            return true;
    return false;
}

bool vm_flow_look_ahead(VmFlow *flow)
{
    bool sane = true;
    for (uint32_t k = flow->order_count; k-- > 0;) {
        VmFlowBlock *block = &flow->blocks[flow->order[k]];
        uint64_t most = 0;
        if (!ends_in_call(flow, block) || block->passes)
            for (uint32_t s = 0; s < block->successors; s++) {
                const VmFlowBlock *to = vm_flow_successor(flow, block, s);
                most = MAX(most, to->checkpoint ? 0 : to->ahead);
            }
        block->ahead = block->cost + block->called + most;
        sane = sane && block->ahead < MOST_AHEAD;
    }
    return sane;
}

/* -- dominators and loops (Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm, 2001) -- */

static uint32_t meet(const uint32_t *dominator, const uint32_t *place, uint32_t a, uint32_t b)
{
    while (a != b)
        if (place[a] > place[b])
            a = dominator[a];
        else
            b = dominator[b];
    return a;
}

static void find_dominators(VmFlow *flow)
{
    uint32_t *place = g_new0(uint32_t, flow->block_count);
    flow->dominator = g_new(uint32_t, flow->block_count);
    for (uint32_t b = 0; b < flow->block_count; b++)
        flow->dominator[b] = VCODE_NONE;
    for (uint32_t k = 0; k < flow->order_count; k++)
        place[flow->order[k]] = k;
    flow->dominator[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < flow->order_count; k++) { /* pushes to successors instead of asking predecessors */
            uint32_t b = flow->order[k];
            const VmFlowBlock *block = &flow->blocks[b];
            for (uint32_t e = 0; e < block->successors; e++) {
                uint32_t s = flow->edges[block->successor + e];
                if (s == 0)
                    continue;
                uint32_t d = flow->dominator[s] == VCODE_NONE ? b : meet(flow->dominator, place, flow->dominator[s], b);
                changed |= d != flow->dominator[s];
                flow->dominator[s] = d;
            }
        }
    }
    g_free(place);
}

bool vm_flow_dominates(const VmFlow *flow, uint32_t above, uint32_t block)
{
    while (block != above && block != 0)
        block = flow->dominator[block];
    return block == above;
}

/* Marks the blocks that reach `latch` without passing `header`; outer loops are marked before inner ones. */
static void mark_loop(VmFlow *flow, uint32_t loop, uint32_t latch, uint32_t *const *from, const uint32_t *from_count)
{
    uint32_t header = flow->loops[loop].header;
    g_autoptr(GArray) work = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    flow->blocks[header].loop = loop;
    g_array_append_val(work, latch);
    while (work->len) {
        uint32_t b = g_array_index(work, uint32_t, work->len - 1);
        g_array_set_size(work, work->len - 1);
        if (flow->blocks[b].loop == loop)
            continue;
        flow->blocks[b].loop = loop;
        for (uint32_t k = 0; k < from_count[b]; k++)
            g_array_append_val(work, from[b][k]);
    }
}

static void find_loops(VmFlow *flow)
{
    uint32_t *from_count = g_new0(uint32_t, flow->block_count), *cells = g_new(uint32_t, flow->edge_count + 1);
    uint32_t **from = g_new(uint32_t *, flow->block_count), *cell = cells;
    for (uint32_t b = 0; b < flow->block_count; b++) {
        from[b] = cell;
        cell += flow->blocks[b].predecessors;
    }
    for (uint32_t k = 0; k < flow->order_count; k++) {
        uint32_t b = flow->order[k];
        for (uint32_t e = 0; e < flow->blocks[b].successors; e++) {
            uint32_t s = flow->edges[flow->blocks[b].successor + e];
            from[s][from_count[s]++] = b;
        }
    }
    flow->loops = g_new0(VmFlowLoop, flow->order_count + 1);
    for (uint32_t k = 0; k < flow->order_count; k++) { /* outer headers come first */
        uint32_t header = flow->order[k], latches = 0, latch = VCODE_NONE;
        for (uint32_t p = 0; p < from_count[header]; p++)
            if (vm_flow_dominates(flow, header, from[header][p])) {
                latch = from[header][p];
                latches++;
            }
        if (!latches)
            continue;
        uint32_t loop = flow->loop_count++;
        flow->loops[loop] = (VmFlowLoop){header, latches == 1 ? latch : VCODE_NONE, flow->blocks[header].loop, true};
        if (flow->blocks[header].loop != VCODE_NONE)
            flow->loops[flow->blocks[header].loop].innermost = false;
        for (uint32_t p = 0; p < from_count[header]; p++)
            if (vm_flow_dominates(flow, header, from[header][p]))
                mark_loop(flow, loop, from[header][p], from, from_count);
    }
    g_free(from_count);
    g_free(cells);
    g_free(from);
}

/* -- the whole --------------------------------------------------------------------------------- */

bool vm_flow_fits(const VmImage *image, uint32_t function)
{
    const VcodeFunction *f = &image->module->functions.items[function];
    const VcodeInstr *code = image->module->code.items + f->code_start;
    if (f->code_count > MOST_PRINTED)
        return false;
    uint64_t cases = 0;
    for (uint32_t i = 0; i < f->code_count; i++) {
        if (vcode_op(code[i]) == VCODE_SWITCH)
            cases += image->module->switches.items[vcode_imm32(code[i])].count;
        if (cases > MOST_CASES)
            return false;
        if (vcode_op(code[i]) == VCODE_CALLX &&
            image->bindings[vcode_imm32(code[i])].function->function == vm_jump_setjmp)
            return false; /* longjmp comes back to a frame of the interpreter */
    }
    return true;
}

static uint32_t computed_jumps(const VmFlow *flow)
{
    uint32_t jumps = 0;
    for (uint32_t pc = flow->function->code_start; pc < flow->function->code_start + flow->function->code_count; pc++)
        jumps += vcode_op(flow->code[pc]) == VCODE_JMPR;
    return jumps;
}

static bool reads_lost(const VmFunction *function)
{
    return function->lost_from < function->lost_to;
}

VmFlow *vm_flow_new(const VmImage *image, uint32_t function)
{
    const VcodeFunction *f = &image->module->functions.items[function];
    if (!vm_flow_fits(image, function))
        return NULL;
    VmFlow *flow = g_new0(VmFlow, 1);
    *flow = (VmFlow){.image = image,
                     .module = image->module,
                     .function = f,
                     .code = image->module->code.items,
                     .index = function,
                     .words = (f->registers + 63) / 64,
                     .huge = reads_lost(&image->functions[function])};
    number_blocks(flow);
    uint64_t jumps = computed_jumps(flow);
    flow->jumps = jumps > 0;
    if (flow->jumps)
        flow->huge = !vm_jumps_find_labels(flow);
    if ((uint64_t)flow->block_count * f->registers > MOST_CELLS || jumps * flow->block_count > MOST_JUMPS) {
        vm_flow_free(flow);
        return NULL;
    }
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t b = 0; b < flow->block_count; b++)
        add_edges(flow, edges, &flow->blocks[b]);
    flow->edge_count = edges->len;
    flow->edges = g_new(uint32_t, edges->len + 1);
    if (edges->len)
        memcpy(flow->edges, edges->data, edges->len * sizeof *flow->edges);
    order_blocks(flow);
    flow->loops_back = has_loops(flow);
    if (!vm_flow_look_ahead(flow)) {
        vm_flow_free(flow);
        return NULL;
    }
    find_dominators(flow);
    find_loops(flow);
    vm_flow_find_webs(flow);
    if (flow->jumps && !flow->huge)
        vm_jumps_forget_at_entries(flow);
    for (uint32_t w = 0; flow->huge && w < flow->web_count; w++)
        flow->webs[w].kind = VM_KIND_I; /* as the window is */
    vm_flow_find_ranges(flow);
    return flow;
}

void vm_flow_free(VmFlow *flow)
{
    g_free(flow->blocks);
    g_free(flow->block_of);
    g_free(flow->labels);
    g_free(flow->edges);
    g_free(flow->order);
    g_free(flow->dominator);
    g_free(flow->loops);
    if (flow->shown)
        g_array_free(flow->shown, TRUE);
    g_free(flow->live_in);
    g_free(flow->entry_web);
    g_free(flow->set_web);
    g_free(flow->webs);
    g_free(flow->parts);
    g_free(flow);
}

uint32_t vm_flow_words(const VmFlow *flow)
{
    return flow->words;
}
