/* webs.c - which registers are live, and which of their values are one variable of the printed text.
 *
 * Liveness is the usual backward analysis over blocks. A register that holds a function's parameter, so the debug
 * information says, counts as read wherever it does: reports of faults show arguments, and those must be the same
 * whether the frame ran natively or not.
 *
 * A register that is used for two things at different times would be one variable with two types. So its values (nodes:
 * what instructions set, and what blocks begin with) are joined along the edges of the flow where the register is live,
 * with union-find; what is joined is a web and becomes a variable. Moves join the kinds of webs, not the webs; each
 * group of webs takes the kind that most of its instructions want.
 */
#include "vm/translate/flow.h"
#include "vm/value.h"

#include <string.h>

typedef struct Union {
    uint32_t *parent;
} Union;

static uint32_t find(Union *u, uint32_t x)
{
    while (u->parent[x] != x)
        x = u->parent[x] = u->parent[u->parent[x]];
    return x;
}

static void join(Union *u, uint32_t a, uint32_t b)
{
    a = find(u, a);
    b = find(u, b);
    if (a < b)
        u->parent[b] = a;
    else
        u->parent[a] = b;
}

static Union new_union(uint32_t count)
{
    Union u = {g_new(uint32_t, count + 1)};
    for (uint32_t i = 0; i < count; i++)
        u.parent[i] = i;
    return u;
}

/* -- liveness ---------------------------------------------------------------------------------- */

static void set(uint64_t *bits, uint32_t i)
{
    bits[i / 64] |= UINT64_C(1) << i % 64;
}
static void clear(uint64_t *bits, uint32_t i)
{
    bits[i / 64] &= ~(UINT64_C(1) << i % 64);
}
/* Clears all from `i` on. */
static void clear_from(uint64_t *bits, uint32_t words, uint32_t i)
{
    if (i / 64 >= words)
        return;
    bits[i / 64] &= (UINT64_C(1) << i % 64) - 1;
    for (uint32_t w = i / 64 + 1; w < words; w++)
        bits[w] = 0;
}

/* A register shows a parameter while [low, high) runs. */
typedef struct Shown {
    uint32_t low, high, reg;
} Shown;

static void add_shown(GArray *shown, const VmFlow *flow, uint32_t low, uint32_t high, uint32_t location, int64_t where)
{
    if ((location != VCODE_AT_REGISTER && location != VCODE_AT_REGISTER_ADDRESS) || where < 0 ||
        (uint64_t)where >= flow->function->registers)
        return;
    Shown s = {MAX(low, flow->function->code_start), MIN(high, flow->function->code_start + flow->function->code_count),
               (uint32_t)where};
    if (s.low < s.high)
        g_array_append_val(shown, s);
}

/* Where a report shows the parameter in registers, also after its last use (remains.c). */
static void add_registers(GArray *shown, const VmFlow *flow, const uint32_t *registers)
{
    uint32_t start = flow->function->code_start, count = flow->function->code_count;
    for (uint32_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && registers[to] == registers[from];)
            to++;
        if (registers[from] != VCODE_NONE)
            add_shown(shown, flow, start + from, start + to, VCODE_AT_REGISTER, registers[from]);
    }
}

static GArray *find_shown(const VmFlow *flow)
{
    const VcodeModule *m = flow->module;
    GArray *shown = g_array_new(FALSE, FALSE, sizeof(Shown));
    g_autofree uint32_t *registers = g_new(uint32_t, flow->function->code_count);
    for (uint32_t v = 0; v < m->variables.count; v++) {
        const VcodeVariable *variable = &m->variables.items[v];
        if (variable->function != flow->index || !(variable->flags & VCODE_VARIABLE_PARAMETER))
            continue;
        if (variable->location != VCODE_AT_PLACES) {
            add_shown(shown, flow, variable->pc_low, variable->pc_high, variable->location, variable->where);
            continue;
        }
        if (vm_remains_registers(m, variable, registers)) {
            add_registers(shown, flow, registers);
            continue;
        }
        for (uint32_t p = 0; p < variable->count; p++) {
            const VcodePlace *place = &m->places.items[variable->first + p];
            add_shown(shown, flow, place->pc_low, place->pc_high, place->location, place->where);
        }
    }
    return shown;
}

/* From what is live behind an instruction to what is live before it. */
static void step_back(const VmFlow *flow, uint32_t pc, uint64_t *live)
{
    VcodeInstr i = flow->code[pc];
    VmEffects e = vm_effects(i);
    if (vm_code_is_call(i))
        clear_from(live, flow->words, e.first_argument);
    else if (e.written >= 0)
        clear(live, (uint32_t)e.written);
    for (unsigned k = 0; k < e.read_count; k++)
        set(live, e.reads[k]);
    for (unsigned k = 0; k < e.arguments; k++)
        set(live, e.first_argument + k);
}

/* Before each instruction of [start, end) that is in a parameter's range, its register is live. */
static void show(const GArray *shown, uint32_t pc, uint64_t *live)
{
    for (guint k = 0; k < shown->len; k++) {
        const Shown *s = &g_array_index(shown, Shown, k);
        if (pc >= s->low && pc < s->high)
            set(live, s->reg);
    }
}

/* What any block begins with: where a computed jump goes that printed code does not make, too. */
static void add_all(const VmFlow *flow, uint64_t *live)
{
    for (uint32_t b = 0; b < flow->block_count; b++)
        for (uint32_t w = 0; w < flow->words; w++)
            live[w] |= flow->live_in[(size_t)b * flow->words + w];
}

static void live_at_end(const VmFlow *flow, uint32_t b, uint64_t *live)
{
    const VmFlowBlock *block = &flow->blocks[b];
    memset(live, 0, flow->words * sizeof *live);
    if (vcode_op(flow->code[block->end - 1]) == VCODE_JMPR) {
        add_all(flow, live);
        return;
    }
    for (uint32_t k = 0; k < block->successors; k++) {
        const uint64_t *in = flow->live_in + (size_t)flow->edges[block->successor + k] * flow->words;
        for (uint32_t w = 0; w < flow->words; w++)
            live[w] |= in[w];
    }
}

static void live_at_start(const VmFlow *flow, uint32_t b, uint64_t *live)
{
    const VmFlowBlock *block = &flow->blocks[b];
    live_at_end(flow, b, live);
    for (uint32_t pc = block->end; pc-- > block->start;) {
        step_back(flow, pc, live);
        show(flow->shown, pc, live);
    }
}

void vm_web_live_before(const VmFlow *flow, uint32_t b, uint64_t *live)
{
    const VmFlowBlock *block = &flow->blocks[b];
    uint64_t *behind = g_new(uint64_t, flow->words + 1);
    live_at_end(flow, b, behind);
    for (uint32_t pc = block->end; pc-- > block->start;) {
        step_back(flow, pc, behind);
        show(flow->shown, pc, behind);
        memcpy(live + (size_t)(pc - block->start) * flow->words, behind, flow->words * sizeof *behind);
    }
    g_free(behind);
}

static void find_liveness(VmFlow *flow)
{
    flow->shown = find_shown(flow);
    uint64_t *live = g_new(uint64_t, flow->words + 1);
    flow->live_in = g_new0(uint64_t, (size_t)flow->block_count * flow->words + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = flow->jumps ? flow->block_count : flow->order_count; k-- > 0;) {
            uint32_t b = flow->jumps ? k : flow->order[k];
            uint64_t *in = flow->live_in + (size_t)b * flow->words;
            live_at_start(flow, b, live);
            if (memcmp(in, live, flow->words * sizeof *live) != 0) {
                memcpy(in, live, flow->words * sizeof *live);
                changed = true;
            }
        }
    }
    g_free(live);
}

/* -- nodes and webs ---------------------------------------------------------------------------- */

/* While webs are found, entry_web and set_web hold nodes. */
static uint32_t number_nodes(VmFlow *flow)
{
    const VcodeFunction *f = flow->function;
    uint32_t nodes = 0;
    flow->entry_web = g_new(uint32_t, (size_t)flow->block_count * f->registers + 1);
    flow->set_web = g_new(uint32_t, f->code_count);
    for (uint32_t i = 0; i < f->code_count; i++) {
        VcodeInstr instruction = flow->code[f->code_start + i];
        flow->set_web[i] = vm_effects(instruction).written >= 0 ? nodes++ : VCODE_NONE;
    }
    for (uint32_t b = 0; b < flow->block_count; b++)
        for (uint32_t r = 0; r < f->registers; r++)
            flow->entry_web[(size_t)b * f->registers + r] =
                flow->blocks[b].reached && vm_flow_live(flow, b, r) ? nodes++ : VCODE_NONE;
    return nodes;
}

void vm_web_begin(const VmFlow *flow, uint32_t block, uint32_t *now)
{
    memcpy(now, flow->entry_web + (size_t)block * flow->function->registers, flow->function->registers * sizeof *now);
}

void vm_web_step(const VmFlow *flow, uint32_t pc, uint32_t *now)
{
    VcodeInstr i = flow->code[pc];
    VmEffects e = vm_effects(i);
    if (vm_code_is_call(i))
        for (uint32_t r = e.first_argument; r < flow->function->registers; r++)
            now[r] = VCODE_NONE; /* lost in the call */
    if (e.written >= 0)
        now[e.written] = flow->set_web[pc - flow->function->code_start];
}

/* Joins what a block ends with to what its successors begin with. `undefined` marks nodes that may be read unwritten.
 */
static void join_edges(VmFlow *flow, uint32_t b, const uint32_t *now, Union *u, uint8_t *undefined)
{
    const VmFlowBlock *block = &flow->blocks[b];
    for (uint32_t k = 0; k < block->successors; k++) {
        const uint32_t *in = flow->entry_web + (size_t)flow->edges[block->successor + k] * flow->function->registers;
        for (uint32_t r = 0; r < flow->function->registers; r++)
            if (in[r] != VCODE_NONE) {
                if (now[r] == VCODE_NONE)
                    undefined[in[r]] = 1;
                else
                    join(u, now[r], in[r]);
            }
    }
}

static void join_nodes(VmFlow *flow, Union *u, uint8_t *undefined)
{
    uint32_t *now = g_new(uint32_t, flow->function->registers + 1);
    for (uint32_t k = 0; k < flow->order_count; k++) {
        uint32_t b = flow->order[k];
        vm_web_begin(flow, b, now);
        if (b == 0)
            for (uint32_t r = flow->function->parameters; r < flow->function->registers; r++)
                if (now[r] != VCODE_NONE)
                    undefined[now[r]] = 1;
        for (uint32_t pc = flow->blocks[b].start; pc < flow->blocks[b].end; pc++)
            vm_web_step(flow, pc, now);
        join_edges(flow, b, now, u, undefined);
    }
    g_free(now);
}

static uint32_t web_of(VmFlow *flow, Union *u, uint32_t *web, uint32_t node, uint32_t reg, uint32_t *per_register)
{
    uint32_t root = find(u, node);
    if (web[root] == VCODE_NONE) {
        web[root] = flow->web_count++;
        flow->webs[web[root]] = (VmWeb){.reg = (uint16_t)reg, .number = per_register[reg]++};
    }
    return web[root];
}

/* Replaces nodes by webs. */
static void make_webs(VmFlow *flow, Union *u, const uint8_t *undefined, uint32_t nodes)
{
    const VcodeFunction *f = flow->function;
    uint32_t *web = g_new(uint32_t, nodes + 1), *per_register = g_new0(uint32_t, f->registers + 1);
    memset(web, 0xff, (nodes + 1) * sizeof *web);
    flow->webs = g_new0(VmWeb, nodes + 1);
    for (uint32_t b = 0; b < flow->block_count; b++)
        for (uint32_t r = 0; r < f->registers; r++) {
            uint32_t *cell = &flow->entry_web[(size_t)b * f->registers + r];
            if (*cell == VCODE_NONE)
                continue;
            uint32_t w = web_of(flow, u, web, *cell, r, per_register);
            flow->webs[w].undefined |= undefined[*cell];
            flow->webs[w].argument |= b == 0;
            *cell = w;
        }
    for (uint32_t i = 0; i < f->code_count; i++) {
        if (flow->set_web[i] == VCODE_NONE)
            continue;
        uint32_t reg = (uint32_t)vm_effects(flow->code[f->code_start + i]).written;
        uint32_t w = web_of(flow, u, web, flow->set_web[i], reg, per_register);
        flow->set_web[i] = w;
        flow->webs[w].sets++;
    }
    g_free(web);
    g_free(per_register);
}

/* -- kinds ------------------------------------------------------------------------------------- */

typedef struct Votes {
    Union groups;     /* of webs that moves connect */
    uint32_t *counts; /* 4 per web, by VmKind */
} Votes;

static void vote(Votes *votes, uint32_t web, unsigned kind)
{
    if (web != VCODE_NONE)
        votes->counts[4 * (size_t)web + kind]++;
}

static void vote_instruction(const VmFlow *flow, uint32_t pc, const uint32_t *now, Votes *votes)
{
    VcodeInstr i = flow->code[pc];
    VcodeOp op = vcode_op(i);
    uint32_t target = flow->set_web[pc - flow->function->code_start];
    VmSignature s = vm_flow_signatures[op];
    if (op == VCODE_MOV || op == VCODE_CMOV) {
        join(&votes->groups, target, now[vcode_b(i)]);
        if (op == VCODE_CMOV) {
            join(&votes->groups, target, now[vcode_a(i)]);
            vote(votes, now[vcode_c(i)], VM_KIND_I);
        }
        return;
    }
    const VmIntrinsic *intrinsic = vm_flow_intrinsic(flow->image, i);
    if (intrinsic) {
        vote(votes, target, intrinsic->kind);
        for (unsigned k = 0; k < intrinsic->arity; k++)
            vote(votes, now[vcode_a(i) + k], intrinsic->kind);
        return;
    }
    switch (vcode_op_info[op].form) {
    case VCODE_FORM_BRR: vote(votes, now[vcode_a(i)], s.b), vote(votes, now[vcode_b(i)], s.b); return;
    case VCODE_FORM_BRI: vote(votes, now[vcode_a(i)], VM_KIND_I); return;
    case VCODE_FORM_LOADX:
    case VCODE_FORM_STOREX: vote(votes, now[vcode_c(i)], VM_KIND_I); /* fall through */
    case VCODE_FORM_LOAD:
    case VCODE_FORM_STORE: vote(votes, now[vcode_b(i)], VM_KIND_I); return;
    default: break;
    }
    if (s.b == VM_KIND_NONE)
        return;
    vote(votes, target, s.result);
    vote(votes, now[vcode_b(i)], s.b);
    if (s.c != VM_KIND_NONE)
        vote(votes, now[vcode_c(i)], s.c);
}

static void choose_kinds(VmFlow *flow)
{
    Votes votes = {new_union(flow->web_count), g_new0(uint32_t, 4 * (size_t)flow->web_count + 4)};
    uint32_t *now = g_new(uint32_t, flow->function->registers + 1);
    for (uint32_t k = 0; k < flow->order_count; k++) {
        const VmFlowBlock *block = &flow->blocks[flow->order[k]];
        vm_web_begin(flow, flow->order[k], now);
        for (uint32_t pc = block->start; pc < block->end; pc++) {
            vote_instruction(flow, pc, now, &votes);
            vm_web_step(flow, pc, now);
        }
    }
    for (uint32_t w = 0; w < flow->web_count; w++) {
        uint32_t group = find(&votes.groups, w);
        if (group != w)
            for (unsigned kind = 0; kind < 4; kind++)
                votes.counts[4 * (size_t)group + kind] += votes.counts[4 * (size_t)w + kind];
    }
    for (uint32_t w = 0; w < flow->web_count; w++) {
        const uint32_t *count = votes.counts + 4 * (size_t)find(&votes.groups, w);
        unsigned real = count[VM_KIND_D] >= count[VM_KIND_F] ? VM_KIND_D : VM_KIND_F;
        flow->webs[w].kind = count[real] > count[VM_KIND_I] ? (uint8_t)real : VM_KIND_I;
    }
    g_free(votes.groups.parent);
    g_free(votes.counts);
    g_free(now);
}

void vm_flow_find_webs(VmFlow *flow)
{
    find_liveness(flow);
    uint32_t nodes = number_nodes(flow);
    Union u = new_union(nodes);
    uint8_t *undefined = g_new0(uint8_t, nodes + 1);
    join_nodes(flow, &u, undefined);
    make_webs(flow, &u, undefined, nodes);
    choose_kinds(flow);
    g_free(u.parent);
    g_free(undefined);
}

void vm_web_live_at(const VmFlow *flow, uint32_t pc, uint64_t *live)
{
    uint32_t b = flow->block_of[pc - flow->function->code_start];
    const VmFlowBlock *block = &flow->blocks[b];
    g_autofree uint64_t *all = g_new0(uint64_t, (size_t)(block->end - block->start) * flow->words + 1);
    vm_web_live_before(flow, b, all);
    memcpy(live, all + (size_t)(pc - block->start) * flow->words, flow->words * sizeof *live);
}
