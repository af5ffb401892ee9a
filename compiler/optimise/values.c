/* values.c - computes every value once: constants, copies, common subexpressions, loads, known branches.
 *
 * Blocks are visited in preorder of the dominator tree. An instruction without effect is replaced by an earlier one
 * that computes the same in a dominating block. One hash table finds it: in preorder, an entry whose block does not
 * dominate the current one never will again (Briggs, Cooper, Simpson, "Value Numbering", Software: Practice and
 * Experience 27:6, 1997).
 *
 * Loads: during the walk over a block, facts ("these bytes hold this register") are collected from loads and stores,
 * and dropped where something may overwrite the bytes. A block starts with the facts at the end of its dominator,
 * without those that something on a path between may overwrite. The blocks on these paths are found by walking back, up
 * to a limit.
 *
 * Branches: a comparison of a register with a constant that was decided on the path to the block bounds that register.
 */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/optimise/ssa.h"

#include <string.h>

enum { MOST_FACTS = 24, MOST_BETWEEN = 64, MOST_CLOBBERS = 64, MOST_CONDITIONS = 12, MANY_BLOCKS = 4096 };

/* A fact about memory: the bytes hold the value of a register. */
typedef struct Fact {
    CcAccess where;
    CcReg value; /* its low bytes are what memory holds */
} Fact;

typedef struct Facts {
    Fact *items;
    uint32_t n;
} Facts;

typedef struct Values {
    CcSsa *s;
    CcNode **table;
    uint32_t mask, n; /* of table[]: its size - 1; number of entries */
    Facts *at_end;    /* by index of block: facts at its end */
    Fact now[MOST_FACTS];
    uint32_t n_now, oldest; /* oldest: the fact that a new one replaces */
    CcIrBlock *between[MOST_BETWEEN];
    bool ways_removed; /* an edge of the flow graph was removed */
    bool many_blocks;  /* the function is so long that constants stay near their use */
} Values;

/* -- the same computation ---------------------------------------------------------------------- */

static bool commutes(unsigned op)
{
    switch (op) {
    case VCODE_ADD_W:
    case VCODE_ADD_UW:
    case VCODE_ADD_L:
    case VCODE_MUL_W:
    case VCODE_MUL_UW:
    case VCODE_MUL_L:
    case VCODE_MULH_L:
    case VCODE_MULH_UL:
    case VCODE_AND:
    case VCODE_OR:
    case VCODE_XOR:
    case VCODE_SEQ:
    case VCODE_SNE: return true;
    default: return false;
    }
}

/* Returns whether the result depends on the operands only. Divisions count, too: a dominating division with the same
 * operands has faulted first. */
static bool is_computation(const CcIrInstr *i)
{
    if (i->op == VCODE_GETSP || i->op == CC_IR_PHI || i->op == CC_IR_LABEL)
        return false;
    return cc_ir_is_pure(i) || (cc_ir_form(i->op) == VCODE_FORM_RRR && i->op != VCODE_CMOV);
}

/* Returns the part of `extra` that matters for the value. For vCode's operations it only names an object of the
 * frame. */
static uint32_t extra_of(const CcIrInstr *i)
{
    return i->op < VCODE_OP_COUNT ? 0 : i->extra;
}

static uint64_t hash_of(const CcIrInstr *i)
{
    uint64_t h = i->op * UINT64_C(0x9e3779b97f4a7c15) + i->n;
    h = (h ^ i->b) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ i->c) * UINT64_C(0xc4ceb9fe1a85ec53);
    h = (h ^ (uint64_t)i->imm ^ (uint64_t)extra_of(i) << 32) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static bool is_same(const CcIrInstr *a, const CcIrInstr *b)
{
    return a->op == b->op && a->n == b->n && a->b == b->b && a->c == b->c && a->imm == b->imm &&
           extra_of(a) == extra_of(b);
}

static void grow_table(Values *v)
{
    CcNode **old = v->table;
    uint32_t size = v->mask + 1;
    v->mask = size * 2 - 1;
    v->table = cc_arena_alloc(v->s->arena, (size_t)size * 2 * sizeof(CcNode *));
    for (uint32_t k = 0; k < size; k++) {
        if (!old[k])
            continue;
        uint32_t at = (uint32_t)hash_of(&old[k]->i) & v->mask;
        while (v->table[at])
            at = (at + 1) & v->mask;
        v->table[at] = old[k];
    }
}

/* Returns whether the earlier instruction may be used. In a very long function, where every register counts, constants
 * stay near their use. */
static bool is_near(const Values *v, const CcNode *known, const CcNode *node)
{
    bool cheap = node->i.op == CC_IR_CONSTANT || node->i.op == CC_IR_ADDRESS;
    return known->block == node->block || !v->many_blocks || !cheap;
}

/* Returns an earlier instruction that computes the same. If there is none, enters this one and returns NULL. */
static CcNode *find_same(Values *v, CcNode *node)
{
    if (v->n * 2 > v->mask)
        grow_table(v);
    uint32_t at = (uint32_t)hash_of(&node->i) & v->mask;
    for (; v->table[at]; at = (at + 1) & v->mask) {
        CcNode *known = v->table[at];
        if (!is_same(&known->i, &node->i))
            continue;
        if (known->block && cc_dominates(known->block, node->block) && is_near(v, known, node))
            return known;
        v->table[at] = node;
        return NULL;
    }
    v->table[at] = node;
    v->n++;
    return NULL;
}

/* -- memory ------------------------------------------------------------------------------------ */

static void forget_overlapping(Values *v, const CcAccess *where)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < v->n_now; k++)
        if (!cc_memory_may_overlap(v->s, &v->now[k].where, where))
            v->now[kept++] = v->now[k];
    v->n_now = kept;
}

static void forget_shared(Values *v)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < v->n_now; k++)
        if (!cc_memory_is_shared(v->s, &v->now[k].where))
            v->now[kept++] = v->now[k];
    v->n_now = kept;
}

static void forget_written(Values *v, const CcIrInstr *i)
{
    CcAccess where;
    bool known;
    if (!cc_memory_is_written(v->s, i, &where, &known))
        return;
    if (known)
        forget_overlapping(v, &where);
    else
        forget_shared(v);
}

static void note_fact(Values *v, const CcAccess *where, CcReg value)
{
    if (v->n_now < MOST_FACTS) {
        v->now[v->n_now++] = (Fact){*where, value};
        return;
    }
    v->now[v->oldest] = (Fact){*where, value};
    v->oldest = (v->oldest + 1) % MOST_FACTS;
}

static bool same_bytes(const CcAccess *a, const CcAccess *b)
{
    if (a->size != b->size)
        return false;
    if (a->base == b->base && a->index == b->index && a->shift == b->shift && a->offset == b->offset)
        return true;
    return a->exact && b->exact && a->root == b->root && a->symbol == b->symbol && a->at == b->at;
}

static const Fact *find_fact(const Values *v, const CcAccess *where)
{
    for (uint32_t k = 0; k < v->n_now; k++)
        if (same_bytes(&v->now[k].where, where))
            return &v->now[k];
    return NULL;
}

/* Returns the operation that turns the low bytes of a value into the result of the load. */
static unsigned conversion_of(unsigned load)
{
    switch (load) {
    case VCODE_LD8S:
    case VCODE_LDX8S: return VCODE_SEXT8;
    case VCODE_LD8U:
    case VCODE_LDX8U: return VCODE_ZEXT8;
    case VCODE_LD16S:
    case VCODE_LDX16S: return VCODE_SEXT16;
    case VCODE_LD16U:
    case VCODE_LDX16U: return VCODE_ZEXT16;
    case VCODE_LD32S:
    case VCODE_LDX32S: return VCODE_SEXT32;
    case VCODE_LD32U:
    case VCODE_LDX32U: return VCODE_ZEXT32;
    default: return VCODE_MOV;
    }
}

/* Visits a load. Returns true if it became a conversion of a known value. */
static bool visit_load(Values *v, CcNode *node)
{
    if (node->i.volatile_)
        return false;
    CcAccess where = cc_memory_access(v->s, &node->i, false);
    const Fact *fact = find_fact(v, &where);
    if (!fact) {
        note_fact(v, &where, node->i.a);
        return false;
    }
    node->i = (CcIrInstr){.op = (uint16_t)conversion_of(node->i.op),
                          .a = node->i.a,
                          .b = cc_ssa_value(v->s, fact->value),
                          .c = CC_NO_REG,
                          .loc = node->i.loc};
    return true;
}

static void visit_effect(Values *v, CcNode *node)
{
    forget_written(v, &node->i);
    if (!cc_is_store(&node->i) || node->i.volatile_)
        return;
    CcAccess where = cc_memory_access(v->s, &node->i, false);
    note_fact(v, &where, node->i.a);
}

/* Collects the blocks on paths from the dominator of `b` to it, with `b` itself if it is in a loop of them. Returns
 * false if there are too many. */
static bool find_between(Values *v, CcIrBlock *b, uint32_t *n)
{
    CcSsa *s = v->s;
    uint32_t done = 0;
    *n = 0;
    s->mark++;
    for (CcIrBlock *at = b;; at = v->between[done++]) {
        for (uint32_t p = 0; p < at->n_predecessors; p++) {
            CcIrBlock *from = at->predecessor[p];
            if (from == b->dominator || from->mark == s->mark)
                continue;
            if (*n == MOST_BETWEEN)
                return false;
            from->mark = s->mark;
            v->between[(*n)++] = from;
        }
        if (done == *n)
            return true;
    }
}

static void forget_between(Values *v, CcIrBlock *b)
{
    uint32_t n, clobbers = 0;
    if (!v->n_now)
        return;
    if (!find_between(v, b, &n)) {
        v->n_now = 0;
        return;
    }
    for (uint32_t k = 0; k < n && v->n_now; k++)
        for (CcNode *node = v->between[k]->head; node && v->n_now; node = node->next) {
            CcAccess where;
            bool known;
            if (!cc_memory_is_written(v->s, &node->i, &where, &known))
                continue;
            if (clobbers++ == MOST_CLOBBERS)
                v->n_now = 0;
            else if (known)
                forget_overlapping(v, &where);
            else
                forget_shared(v);
        }
}

static void start_facts(Values *v, CcIrBlock *b)
{
    v->n_now = v->oldest = 0;
    if (!b->dominator)
        return;
    const Facts *facts = &v->at_end[b->dominator->index];
    if (facts->n)
        memcpy(v->now, facts->items, facts->n * sizeof *facts->items);
    v->n_now = facts->n;
    if (b->n_predecessors != 1 || b->predecessor[0] != b->dominator) /* edges may have been removed since */
        forget_between(v, b);
}

static void keep_facts(Values *v, const CcIrBlock *b)
{
    if (!b->first_dominated || !v->n_now)
        return;
    Facts *facts = &v->at_end[b->index];
    facts->n = v->n_now;
    facts->items = cc_arena_alloc(v->s->arena, v->n_now * sizeof *facts->items);
    memcpy(facts->items, v->now, v->n_now * sizeof *facts->items);
}

/* -- branches ---------------------------------------------------------------------------------- */

/* The values that a register can have, signed. */
typedef struct Bounds {
    int64_t low, high;
} Bounds;

/* Narrows the bounds of a register by the outcome of `i`. Uses signed comparisons with constants only. */
static void bound_by(const CcIrInstr *i, bool taken, Bounds *bounds)
{
    CcIrInstr branch = *i;
    if (!taken)
        cc_ir_invert(&branch);
    switch (branch.op) {
    case VCODE_BEQI:
        bounds->low = MAX(bounds->low, branch.imm);
        bounds->high = MIN(bounds->high, branch.imm);
        break;
    case VCODE_BLTI:
        if (branch.imm > INT64_MIN)
            bounds->high = MIN(bounds->high, branch.imm - 1);
        break;
    case VCODE_BLEI: bounds->high = MIN(bounds->high, branch.imm); break;
    case VCODE_BGTI:
        if (branch.imm < INT64_MAX)
            bounds->low = MAX(bounds->low, branch.imm + 1);
        break;
    case VCODE_BGEI: bounds->low = MAX(bounds->low, branch.imm); break;
    default: break;
    }
}

static bool decided_by_bounds(const CcIrInstr *i, const Bounds *bounds, bool *taken)
{
    int64_t c = i->imm, low = bounds->low, high = bounds->high;
    if (low > high)
        return false; /* the branch cannot be reached */
    switch (i->op) {
    case VCODE_BEQI:
    case VCODE_BNEI:
        *taken = (i->op == VCODE_BEQI) == (low == high && low == c);
        return (low == high && low == c) || c < low || c > high;
    case VCODE_BLTI:
    case VCODE_BGEI: *taken = (i->op == VCODE_BLTI) == (high < c); return high < c || low >= c;
    case VCODE_BLEI:
    case VCODE_BGTI: *taken = (i->op == VCODE_BLEI) == (high <= c); return high <= c || low > c;
    default: return false;
    }
}

static bool same_operands(const CcIrInstr *a, const CcIrInstr *b)
{
    return a->op == b->op && a->a == b->a && a->b == b->b && a->imm == b->imm;
}

/* Finds the outcome of a branch from the branches that led here. Returns false if it is not known. */
static bool decided_before(const CcIrBlock *b, const CcIrInstr *i, bool *taken)
{
    Bounds bounds = {INT64_MIN, INT64_MAX};
    bool immediate = cc_ir_form(i->op) == VCODE_FORM_BRI;
    CcIrInstr inverse = *i;
    cc_ir_invert(&inverse);
    for (unsigned k = 0; k < MOST_CONDITIONS && b->dominator; k++, b = b->dominator) {
        const CcIrBlock *from = b->n_predecessors == 1 ? b->predecessor[0] : NULL;
        if (!from || !cc_ir_is_branch(from->tail->i.op) || from->target[0] == from->target[1])
            continue;
        const CcIrInstr *before = &from->tail->i;
        bool was_taken = from->target[0] == b;
        if (same_operands(before, i) || same_operands(before, &inverse)) {
            *taken = same_operands(before, i) == was_taken;
            return true;
        }
        if (immediate && cc_ir_form(before->op) == VCODE_FORM_BRI && before->a == i->a)
            bound_by(before, was_taken, &bounds);
    }
    return immediate && decided_by_bounds(i, &bounds, taken);
}

static void make_jump(Values *v, CcIrBlock *b, CcIrBlock *to)
{
    CcNode *end = b->tail;
    end->i = (CcIrInstr){.op = VCODE_JMP, .a = CC_NO_REG, .b = CC_NO_REG, .c = CC_NO_REG, .loc = end->i.loc};
    for (uint32_t k = b->n_successors; k-- > 0;)
        if (b->successor[k] != to)
            cc_ssa_remove_way(v->s, b, b->successor[k]);
    b->target[0] = to;
    b->target[1] = NULL;
    v->ways_removed = true;
}

/* Turns a branch on the truth value of a comparison into a branch that compares. */
static void fuse_comparison(CcSsa *s, CcIrInstr *i)
{
    static const struct {
        uint16_t set, branch, inverse;
        bool exchange; /* exchange the operands for the inverse */
    } table[] = {
        {VCODE_SEQ, VCODE_BEQ, VCODE_BNE, false},        {VCODE_SNE, VCODE_BNE, VCODE_BEQ, false},
        {VCODE_SLT, VCODE_BLT, VCODE_BLE, true},         {VCODE_SLE, VCODE_BLE, VCODE_BLT, true},
        {VCODE_SLTU, VCODE_BLTU, VCODE_BLEU, true},      {VCODE_SLEU, VCODE_BLEU, VCODE_BLTU, true},
        {VCODE_SEQI, VCODE_BEQI, VCODE_BNEI, false},     {VCODE_SNEI, VCODE_BNEI, VCODE_BEQI, false},
        {VCODE_SLTI, VCODE_BLTI, VCODE_BGEI, false},     {VCODE_SLEI, VCODE_BLEI, VCODE_BGTI, false},
        {VCODE_SGTI, VCODE_BGTI, VCODE_BLEI, false},     {VCODE_SGEI, VCODE_BGEI, VCODE_BLTI, false},
        {VCODE_SLTUI, VCODE_BLTUI, VCODE_BGEUI, false},  {VCODE_SGEUI, VCODE_BGEUI, VCODE_BLTUI, false},
        {VCODE_SEQ_D, VCODE_BEQ_D, VCODE_BNE_D, false},  {VCODE_SNE_D, VCODE_BNE_D, VCODE_BEQ_D, false},
        {VCODE_SLT_D, VCODE_BLT_D, VCODE_BNLT_D, false}, {VCODE_SLE_D, VCODE_BLE_D, VCODE_BNLE_D, false},
    };
    const CcIrInstr *set = cc_ssa_setter(s, i->a);
    if ((i->op != VCODE_BNEI && i->op != VCODE_BEQI) || i->imm != 0 || !set)
        return;
    for (unsigned k = 0; k < G_N_ELEMENTS(table); k++) {
        if (table[k].set != set->op)
            continue;
        bool inverse = i->op == VCODE_BEQI, exchange = inverse && table[k].exchange;
        i->op = inverse ? table[k].inverse : table[k].branch;
        i->a = exchange ? set->c : set->b;
        i->b = exchange ? set->b : set->c;
        i->imm = set->imm;
        return;
    }
}

/* Uses the immediate form if one of two registers is a known constant. */
static void use_immediate(CcSsa *s, CcIrInstr *i)
{
    static const struct {
        uint16_t registers, second, first; /* forms for a constant second register, and for a constant first one */
    } table[] = {
        {VCODE_BEQ, VCODE_BEQI, VCODE_BEQI}, {VCODE_BNE, VCODE_BNEI, VCODE_BNEI}, {VCODE_BLT, VCODE_BLTI, VCODE_BGTI},
        {VCODE_BLE, VCODE_BLEI, VCODE_BGEI}, {VCODE_BLTU, VCODE_BLTUI, 0},        {VCODE_BLEU, 0, VCODE_BGEUI},
    };
    int64_t value;
    for (unsigned k = 0; k < G_N_ELEMENTS(table); k++) {
        if (table[k].registers != i->op)
            continue;
        bool second = table[k].second && cc_ssa_constant(s, i->b, &value);
        bool first = !second && table[k].first && cc_ssa_constant(s, i->a, &value);
        if (!second && !first)
            return;
        i->op = second ? table[k].second : table[k].first;
        i->a = second ? i->a : i->b;
        i->b = CC_NO_REG;
        i->imm = value;
        return;
    }
}

static void visit_end(Values *v, CcIrBlock *b)
{
    CcSsa *s = v->s;
    CcIrInstr *i = &b->tail->i;
    bool taken;
    int64_t value;
    if (i->op == VCODE_SWITCH && cc_ssa_constant(s, i->a, &value)) {
        const CcIrSwitch *table = &s->f->switches[i->extra];
        uint64_t at = (uint64_t)value - (uint64_t)table->low;
        make_jump(v, b, at < table->n ? table->targets[at] : table->otherwise);
    }
    if (!cc_ir_is_branch(i->op))
        return;
    fuse_comparison(s, i);
    CcIrInstr before = *i;
    use_immediate(s, i);
    if (s->legal && !cc_legal_is(i))
        *i = before;
    if (b->target[0] == b->target[1])
        make_jump(v, b, b->target[0]);
    else if (cc_fold_branch(s, i, &taken) || decided_before(b, i, &taken))
        make_jump(v, b, b->target[!taken]);
}

/* -- the walk ---------------------------------------------------------------------------------- */

static bool same_phi(CcSsa *s, const CcNode *a, const CcNode *b)
{
    const CcIrPhi *x = &s->f->phis[a->i.extra], *y = &s->f->phis[b->i.extra];
    for (uint32_t k = 0; k < x->n; k++)
        if (x->arguments[k] != y->arguments[k])
            return false;
    return true;
}

/* Returns the value of a phi whose arguments are all one value or one constant, or that equals the phi before it. */
static CcReg simplify_phi(CcSsa *s, CcNode *node)
{
    const CcIrPhi *phi = &s->f->phis[node->i.extra];
    CcReg only = CC_NO_REG;
    bool constants = true;
    for (uint32_t k = 0; k < phi->n; k++) {
        int64_t a, b;
        CcReg argument = phi->arguments[k];
        if (argument == node->i.a || argument == only)
            continue;
        if (only == CC_NO_REG) {
            only = argument;
            constants = cc_ssa_constant(s, argument, &a);
        } else if (!constants || !cc_ssa_constant(s, argument, &b) || !cc_ssa_constant(s, only, &a) || a != b) {
            return node->previous && same_phi(s, node->previous, node) ? node->previous->i.a : CC_NO_REG;
        }
    }
    return only;
}

/* Replaces a phi by a value if there is one. A constant is set again, in the phi's block. */
static bool replace_phi(CcSsa *s, CcNode *node)
{
    CcReg by = simplify_phi(s, node);
    int64_t value;
    if (by == CC_NO_REG)
        return false;
    if (cc_ssa_constant(s, by, &value)) {
        CcNode *at = node;
        while (at->i.op == CC_IR_PHI)
            at = at->next;
        CcIrInstr i = {.op = CC_IR_CONSTANT, .b = CC_NO_REG, .c = CC_NO_REG, .imm = value, .loc = at->i.loc};
        i.a = cc_ssa_reg(s);
        (void)cc_ssa_insert_before(s, at, &i);
        by = i.a;
    }
    cc_ssa_replace(s, node, by);
    return true;
}

static void order_operands(CcIrInstr *i)
{
    if (!commutes(i->op) || i->b <= i->c)
        return;
    CcReg b = i->b;
    i->b = i->c;
    i->c = b;
}

/* Folds an instruction. Once immediates fit vCode's fields, they must continue to fit. */
static CcReg fold(CcSsa *s, CcNode *node)
{
    CcIrInstr before = node->i;
    CcReg same = cc_fold_instruction(s, node);
    if (same != CC_NO_REG || !s->legal || cc_legal_is(&node->i))
        return same;
    node->i = before;
    return CC_NO_REG;
}

static void visit(Values *v, CcNode *node)
{
    CcSsa *s = v->s;
    CcIrInstr *i = &node->i;
    cc_ssa_resolve(s, i);
    if (i->op == CC_IR_PHI) {
        (void)replace_phi(s, node);
        return;
    }
    CcReg same = fold(s, node);
    if (same == CC_NO_REG && cc_is_load(i) && visit_load(v, node))
        same = fold(s, node);
    if (same != CC_NO_REG) {
        cc_ssa_replace(s, node, same);
        return;
    }
    if (is_computation(i)) {
        order_operands(i);
        CcNode *known = find_same(v, node);
        if (!known)
            return;
        if (extra_of(i) == 0 && known->i.extra != i->extra && known->i.op < VCODE_OP_COUNT)
            known->i.extra = 0; /* the end of one object is the start of the other */
        cc_ssa_replace(s, node, known->i.a);
        return;
    }
    visit_effect(v, node);
}

/* Returns whether a block is still reachable, as edges may have been removed. It is if a visited block leads to it,
 * since forward edges come from visited blocks. */
static bool is_reached(const CcSsa *s, const CcIrBlock *b)
{
    bool reached = b == s->f->first;
    for (uint32_t p = 0; p < b->n_predecessors && !reached; p++)
        reached = b->predecessor[p]->reached;
    return reached;
}

void cc_optimise_values(CcSsa *s)
{
    Values v = {.s = s, .mask = 255, .many_blocks = s->n_order > MANY_BLOCKS};
    v.table = cc_arena_alloc(s->arena, (v.mask + 1) * sizeof(CcNode *));
    v.at_end = cc_arena_alloc(s->arena, (s->f->n_blocks + 1) * sizeof *v.at_end);
    cc_memory_find_escapes(s);
    for (uint32_t k = 0; k < s->n_order; k++)
        s->preorder[k]->reached = false;
    for (uint32_t k = 0; k < s->n_order; k++) {
        CcIrBlock *b = s->preorder[k];
        b->reached = is_reached(s, b);
        if (!b->reached)
            continue;
        start_facts(&v, b);
        for (CcNode *node = b->head, *next; node; node = next) {
            next = node->next;
            visit(&v, node);
        }
        visit_end(&v, b);
        keep_facts(&v, b);
    }
    cc_ssa_prune(s);
    cc_ssa_remove_dead(s);
}
