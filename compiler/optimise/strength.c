/* strength.c - computes addresses and products in loops by steps.
 *
 * The address of a load or store is written as a sum of registers with factors. If all but one register come from
 * outside the loop, their sum is computed in the preheader, and
 *   - if the remaining register has the factor 1, 2, 4 or 8, the access is  [sum + (register << n)],  one instruction;
 *   - if it is an induction variable (a phi that grows by the same step every turn), a new pointer grows by
 *     factor * step. All accesses that differ only by a constant share it:  [pointer + constant].
 * So a[i * n + j - 1] in a loop over j takes one instruction, and b[k][j] in a loop over k loses its multiplication.
 * Other products of an induction variable become induction variables themselves.
 *
 * Sums of type int are taken apart as if they had no limit. That is correct because overflow of signed sums is
 * undefined in C (C11 6.5p5). It is done for addresses only; unsigned sums wrap and stay whole.
 */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/optimise/ssa.h"

#include <string.h>

enum { MOST_TERMS = 6, DEEPEST = 8, MOST_POINTERS = 32 };

typedef struct Term {
    CcReg reg;
    int64_t factor;
} Term;

/* An address as constant + the sum of reg * factor. */
typedef struct Sum {
    Term terms[MOST_TERMS];
    uint32_t n;
    int64_t constant;
    uint32_t object; /* frame object whose address it is, as in CcIrInstr.extra */
} Sum;

/* An induction variable of the loop. */
typedef struct Induction {
    CcReg reg;     /* the phi of the variable */
    CcReg start;   /* its first value */
    bool constant; /* the step is a known constant */
    int64_t step;
    CcReg step_reg; /* the step if it is not constant */
    unsigned width; /* instruction of the step: VCODE_ADD_W, _UW or _L */
} Induction;

/* A pointer that grows in step with an induction variable. */
typedef struct Pointer {
    Sum outside;     /* the part of the address from outside the loop */
    CcReg induction; /* the induction variable, and its factor */
    int64_t factor;
    CcReg reg;
} Pointer;

typedef struct Strength {
    CcSsa *s;
    CcLoop *loop;
    CcIrBlock *latch; /* the only block that leads back to the header, or NULL */
    Pointer pointers[MOST_POINTERS];
    uint32_t n_pointers;
    uint32_t object; /* frame object of the sum being computed */
} Strength;

/* -- sums -------------------------------------------------------------------------------------- */

static bool add_term(Sum *sum, CcReg reg, int64_t factor)
{
    for (uint32_t k = 0; k < sum->n; k++)
        if (sum->terms[k].reg == reg) {
            sum->terms[k].factor = (int64_t)((uint64_t)sum->terms[k].factor + (uint64_t)factor);
            return true;
        }
    if (sum->n == MOST_TERMS)
        return false;
    sum->terms[sum->n++] = (Term){reg, factor};
    return true;
}

static int64_t times(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static void add_constant(Sum *sum, int64_t factor, int64_t value)
{
    sum->constant = (int64_t)((uint64_t)sum->constant + (uint64_t)times(factor, value));
}

static bool take_apart(Strength *t, Sum *sum, CcReg reg, int64_t factor, unsigned depth);

static bool take_product(Strength *t, Sum *sum, const CcIrInstr *i, int64_t factor, unsigned depth)
{
    int64_t value;
    if (cc_ssa_constant(t->s, i->c, &value))
        return take_apart(t, sum, i->b, times(factor, value), depth - 1);
    if (cc_ssa_constant(t->s, i->b, &value))
        return take_apart(t, sum, i->c, times(factor, value), depth - 1);
    return add_term(sum, i->a, factor);
}

/* Adds reg * factor to the sum, in as many parts as possible. */
static bool take_apart(Strength *t, Sum *sum, CcReg reg, int64_t factor, unsigned depth)
{
    int64_t value;
    reg = cc_ssa_value(t->s, reg);
    const CcIrInstr *i = cc_ssa_setter(t->s, reg);
    if (cc_ssa_constant(t->s, reg, &value)) {
        add_constant(sum, factor, value);
        return true;
    }
    if (!i || !depth || cc_loop_is_invariant(t->s, t->loop, reg))
        return add_term(sum, reg, factor);
    if (i->op < VCODE_OP_COUNT && i->extra)
        sum->object = i->extra;
    switch (i->op) {
    case VCODE_ADDI_L:
    case VCODE_ADDI_W: add_constant(sum, factor, i->imm); return take_apart(t, sum, i->b, factor, depth - 1);
    case VCODE_ADD_L:
    case VCODE_ADD_W: return take_apart(t, sum, i->b, factor, depth - 1) && take_apart(t, sum, i->c, factor, depth - 1);
    case VCODE_SUB_L:
    case VCODE_SUB_W:
        return take_apart(t, sum, i->b, factor, depth - 1) && take_apart(t, sum, i->c, times(factor, -1), depth - 1);
    case VCODE_LEAX:
        return take_apart(t, sum, i->b, factor, depth - 1) &&
               take_apart(t, sum, i->c, times(factor, INT64_C(1) << i->n), depth - 1);
    case VCODE_MULI_L:
    case VCODE_MULI_W: return take_apart(t, sum, i->b, times(factor, i->imm), depth - 1);
    case VCODE_SHLI_L: return take_apart(t, sum, i->b, times(factor, INT64_C(1) << (i->imm & 63)), depth - 1);
    case VCODE_SHLI_W: return take_apart(t, sum, i->b, times(factor, INT64_C(1) << (i->imm & 31)), depth - 1);
    case VCODE_MUL_L:
    case VCODE_MUL_W: return take_product(t, sum, i, factor, depth);
    default: return add_term(sum, reg, factor);
    }
}

static bool address_of(Strength *t, const CcIrInstr *i, Sum *sum)
{
    VcodeForm form = cc_ir_form(i->op);
    *sum = (Sum){.n = 0};
    if (!take_apart(t, sum, i->b, 1, DEEPEST))
        return false;
    if (form == VCODE_FORM_LOADX || form == VCODE_FORM_STOREX)
        return take_apart(t, sum, i->c, INT64_C(1) << i->n, DEEPEST);
    add_constant(sum, 1, i->imm);
    return true;
}

/* -- making sums ------------------------------------------------------------------------------- */

static bool is_frame(const Strength *t, CcReg reg)
{
    const CcIrInstr *i = reg == CC_NO_REG ? NULL : cc_ssa_setter(t->s, reg);
    return i && i->op == VCODE_ENTER;
}

static CcReg emit(Strength *t, unsigned op, CcReg b, CcReg c, unsigned n, int64_t imm)
{
    CcNode *end = t->loop->preheader->tail;
    CcIrInstr i = {.op = (uint16_t)op, .b = b, .c = c, .n = (uint8_t)n, .imm = imm, .loc = end->i.loc, .moved = true};
    i.a = cc_ssa_reg(t->s);
    if (op < VCODE_OP_COUNT && (is_frame(t, b) || is_frame(t, c)))
        i.extra = t->object;
    (void)cc_ssa_insert_before(t->s, end, &i);
    return i.a;
}

static CcReg emit_constant(Strength *t, int64_t value)
{
    return emit(t, CC_IR_CONSTANT, CC_NO_REG, CC_NO_REG, 0, value);
}

static CcReg emit_times(Strength *t, unsigned immediate, unsigned registers, CcReg reg, int64_t factor)
{
    if (factor == 1)
        return reg;
    if (factor >= INT16_MIN && factor <= INT16_MAX)
        return emit(t, immediate, reg, CC_NO_REG, 0, factor);
    return emit(t, registers, reg, emit_constant(t, factor), 0, 0);
}

static CcReg emit_plus(Strength *t, CcReg sum, const Term *term)
{
    bool power = term->factor > 0 && (term->factor & (term->factor - 1)) == 0;
    if (sum == CC_NO_REG)
        return emit_times(t, VCODE_MULI_L, VCODE_MUL_L, term->reg, term->factor);
    if (term->factor == -1)
        return emit(t, VCODE_SUB_L, sum, term->reg, 0, 0);
    if (power && term->factor < INT64_C(1) << 31)
        return emit(t, VCODE_LEAX, sum, term->reg, (unsigned)__builtin_ctzll((uint64_t)term->factor), 0);
    return emit(t, VCODE_ADD_L, sum, emit_times(t, VCODE_MULI_L, VCODE_MUL_L, term->reg, term->factor), 0, 0);
}

static uint32_t depth_of(const Strength *t, CcReg reg)
{
    const CcNode *node = t->s->values[reg].node;
    return node && node->block->loop ? node->block->loop->depth : 0;
}

/* Sorts terms. Those from outermost loops come first, so that part of the sum can move further out. Within a loop,
 * those without factor come first. */
static void order_terms(const Strength *t, Sum *sum)
{
    for (uint32_t k = 1; k < sum->n; k++)
        for (uint32_t m = k; m > 0; m--) {
            Term *a = &sum->terms[m - 1], *b = &sum->terms[m];
            uint32_t x = depth_of(t, a->reg), y = depth_of(t, b->reg);
            bool before = x != y ? x < y : (a->factor == 1) != (b->factor == 1) ? a->factor == 1 : a->reg < b->reg;
            if (before)
                break;
            Term swap = *a;
            *a = *b;
            *b = swap;
        }
}

static CcReg make_sum(Strength *t, Sum *sum)
{
    CcReg reg = CC_NO_REG;
    t->object = sum->object;
    order_terms(t, sum);
    for (uint32_t k = 0; k < sum->n; k++)
        reg = emit_plus(t, reg, &sum->terms[k]);
    if (reg == CC_NO_REG)
        return emit_constant(t, sum->constant);
    if (sum->constant == 0)
        return reg;
    if (sum->constant >= INT16_MIN && sum->constant <= INT16_MAX)
        return emit(t, VCODE_ADDI_L, reg, CC_NO_REG, 0, sum->constant);
    return emit(t, VCODE_ADD_L, reg, emit_constant(t, sum->constant), 0, 0);
}

/* -- induction variables ----------------------------------------------------------------------- */

static CcReg argument_from(const CcSsa *s, const CcNode *phi, const CcIrBlock *from)
{
    for (uint32_t p = 0; p < phi->block->n_predecessors; p++)
        if (phi->block->predecessor[p] == from)
            return cc_ssa_value(s, s->f->phis[phi->i.extra].arguments[p]);
    g_assert_not_reached();
}

static bool find_induction(Strength *t, CcReg reg, Induction *found)
{
    CcSsa *s = t->s;
    const CcNode *phi = s->values[reg].node;
    if (!t->latch || !phi || phi->i.op != CC_IR_PHI || phi->block != t->loop->header)
        return false;
    const CcIrInstr *next = cc_ssa_setter(s, argument_from(s, phi, t->latch));
    *found = (Induction){.reg = reg, .start = argument_from(s, phi, t->loop->preheader), .step_reg = CC_NO_REG};
    if (!next)
        return false;
    switch (next->op) {
    case VCODE_ADDI_W: found->width = VCODE_ADD_W; break;
    case VCODE_ADDI_UW: found->width = VCODE_ADD_UW; break;
    case VCODE_ADDI_L: found->width = VCODE_ADD_L; break;
    case VCODE_ADD_W:
    case VCODE_ADD_UW:
    case VCODE_ADD_L:
        found->width = next->op;
        found->step_reg = cc_ssa_value(s, next->b == reg ? next->c : next->b);
        return (next->b == reg || next->c == reg) && found->step_reg != reg &&
               cc_loop_is_invariant(s, t->loop, found->step_reg);
    default: return false;
    }
    found->constant = true;
    found->step = next->imm;
    return next->b == reg;
}

/* Makes a new induction variable of the loop. Returns its register. */
static CcReg make_induction(Strength *t, CcReg start, unsigned width, bool constant, int64_t step, CcReg step_reg)
{
    CcSsa *s = t->s;
    CcIrBlock *header = t->loop->header;
    static const uint16_t forms[][2] = {
        {VCODE_ADD_W, VCODE_ADDI_W}, {VCODE_ADD_UW, VCODE_ADDI_UW}, {VCODE_ADD_L, VCODE_ADDI_L}};
    unsigned row = width == VCODE_ADD_W ? 0 : width == VCODE_ADD_UW ? 1 : 2;
    if (constant && (step < INT16_MIN || step > INT16_MAX)) {
        step_reg = emit_constant(t, step);
        constant = false;
    }
    CcReg *arguments = cc_arena_alloc(s->arena, (header->n_predecessors + 1) * sizeof *arguments);
    CcIrPhi *phi = CC_IR_PUSH(s->f, phis);
    *phi = (CcIrPhi){header->n_predecessors, arguments};
    CcIrInstr choose = {.op = CC_IR_PHI, .b = CC_NO_REG, .c = CC_NO_REG, .extra = s->f->n_phis - 1};
    choose.a = cc_ssa_reg(s);
    (void)cc_ssa_insert_before(s, header->head, &choose);
    CcNode *end = t->latch->tail;
    CcIrInstr next = {.op = forms[row][constant], .b = choose.a, .c = step_reg, .loc = end->i.loc, .moved = true};
    next.a = cc_ssa_reg(s);
    if (constant) {
        next.c = CC_NO_REG;
        next.imm = step;
    }
    (void)cc_ssa_insert_before(s, end, &next);
    for (uint32_t p = 0; p < header->n_predecessors; p++)
        arguments[p] = header->predecessor[p] == t->latch ? next.a : start;
    return choose.a;
}

/* -- pointers ---------------------------------------------------------------------------------- */

static bool same_terms(const Sum *a, const Sum *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t k = 0; k < a->n; k++)
        if (a->terms[k].reg != b->terms[k].reg || a->terms[k].factor != b->terms[k].factor)
            return false;
    return true;
}

static bool is_near(int64_t a, int64_t b)
{
    int64_t distance = (int64_t)((uint64_t)a - (uint64_t)b);
    return distance >= INT16_MIN && distance <= INT16_MAX;
}

static CcReg new_pointer(Strength *t, Sum outside, const Induction *induction, int64_t factor)
{
    CcReg step = CC_NO_REG;
    int64_t start;
    if (!induction->constant)
        step = emit_times(t, VCODE_MULI_L, VCODE_MUL_L, induction->step_reg, factor);
    if (cc_ssa_constant(t->s, induction->start, &start))
        add_constant(&outside, factor, start);
    else if (!add_term(&outside, induction->start, factor))
        return CC_NO_REG;
    CcReg first = make_sum(t, &outside);
    return make_induction(t, first, VCODE_ADD_L, induction->constant, times(induction->step, factor), step);
}

static bool use_pointer(Strength *t, CcNode *node, Sum *outside, const Term *inside)
{
    Induction induction;
    if (!find_induction(t, inside->reg, &induction) || induction.width == VCODE_ADD_UW ||
        !cc_dominates(node->block, t->latch))
        return false;
    order_terms(t, outside);
    Pointer *found = NULL;
    for (uint32_t k = 0; k < t->n_pointers && !found; k++) {
        Pointer *p = &t->pointers[k];
        if (p->induction == inside->reg && p->factor == inside->factor && same_terms(&p->outside, outside) &&
            is_near(outside->constant, p->outside.constant))
            found = p;
    }
    if (!found) {
        if (t->n_pointers == MOST_POINTERS)
            return false;
        CcReg reg = new_pointer(t, *outside, &induction, inside->factor);
        if (reg == CC_NO_REG)
            return false;
        found = &t->pointers[t->n_pointers++];
        *found = (Pointer){*outside, inside->reg, inside->factor, reg};
    }
    node->i.op = (uint16_t)cc_legal_plain_access(node->i.op);
    node->i.b = found->reg;
    node->i.c = CC_NO_REG;
    node->i.n = 0;
    node->i.extra = 0;
    node->i.imm = (int64_t)((uint64_t)outside->constant - (uint64_t)found->outside.constant);
    return true;
}

/* -- accesses ---------------------------------------------------------------------------------- */

static bool split(Strength *t, const Sum *sum, Sum *outside, Term *inside)
{
    uint32_t n = 0;
    *outside = (Sum){.n = 0, .constant = sum->constant, .object = sum->object};
    for (uint32_t k = 0; k < sum->n; k++) {
        const Term *term = &sum->terms[k];
        if (term->factor == 0)
            continue;
        if (cc_loop_is_invariant(t->s, t->loop, term->reg))
            outside->terms[outside->n++] = *term;
        else if (n++)
            return false;
        else
            *inside = *term;
    }
    return n == 1;
}

static void reduce_access(Strength *t, CcNode *node)
{
    Sum sum, outside;
    Term inside = {CC_NO_REG, 0};
    CcIrInstr *i = &node->i;
    if (!address_of(t, i, &sum) || !split(t, &sum, &outside, &inside))
        return;
    bool indexed = cc_ir_form(i->op) == VCODE_FORM_LOADX || cc_ir_form(i->op) == VCODE_FORM_STOREX;
    bool scales = inside.factor == 1 || inside.factor == 2 || inside.factor == 4 || inside.factor == 8;
    if (!scales) {
        (void)use_pointer(t, node, &outside, &inside);
        return;
    }
    if (indexed && i->c == inside.reg && cc_loop_is_invariant(t->s, t->loop, i->b))
        return;
    if (!indexed && (i->b == inside.reg || cc_fold_is_step(t->s, cc_ssa_setter(t->s, i->b))))
        return;
    if (outside.n == 0 && inside.factor == 1 && outside.constant >= INT16_MIN && outside.constant <= INT16_MAX) {
        i->op = (uint16_t)cc_legal_plain_access(i->op);
        i->b = inside.reg;
        i->c = CC_NO_REG;
        i->n = 0;
        i->extra = 0;
        i->imm = outside.constant;
        return;
    }
    i->b = make_sum(t, &outside);
    i->op = (uint16_t)cc_legal_indexed_access(i->op);
    i->c = inside.reg;
    i->n = (uint8_t)__builtin_ctzll((uint64_t)inside.factor);
    i->imm = 0;
    i->extra = is_frame(t, i->b) ? outside.object : 0;
}

/* -- products ---------------------------------------------------------------------------------- */

static bool product_width(unsigned op, unsigned *sum, unsigned *immediate, unsigned *registers)
{
    switch (op) {
    case VCODE_MULI_W:
    case VCODE_MUL_W:
        *sum = VCODE_ADD_W;
        *immediate = VCODE_MULI_W;
        *registers = VCODE_MUL_W;
        return true;
    case VCODE_MULI_UW:
    case VCODE_MUL_UW:
        *sum = VCODE_ADD_UW;
        *immediate = VCODE_MULI_UW;
        *registers = VCODE_MUL_UW;
        return true;
    case VCODE_MULI_L:
    case VCODE_MUL_L:
        *sum = VCODE_ADD_L;
        *immediate = VCODE_MULI_L;
        *registers = VCODE_MUL_L;
        return true;
    default: return false;
    }
}

/* Replaces a product by an induction variable. It is exact even if values wrap: (v + step) * c = v * c + step * c in
 * the same width. */
static bool reduce_product(Strength *t, CcNode *node)
{
    CcIrInstr *i = &node->i;
    Induction induction;
    unsigned sum, immediate, registers;
    if (!product_width(i->op, &sum, &immediate, &registers) || !t->latch || !cc_dominates(node->block, t->latch))
        return false;
    bool by_register = i->op == registers;
    CcReg variable = i->b, factor = by_register ? i->c : CC_NO_REG;
    if (by_register && cc_loop_is_invariant(t->s, t->loop, variable)) {
        variable = i->c;
        factor = i->b;
    }
    if ((by_register && !cc_loop_is_invariant(t->s, t->loop, factor)) || !find_induction(t, variable, &induction) ||
        induction.width != sum)
        return false;
    CcReg start, step = CC_NO_REG;
    int64_t by = by_register ? 0 : i->imm;
    bool constant = induction.constant && !by_register;
    if (by_register)
        start = emit(t, registers, induction.start, factor, 0, 0);
    else
        start = emit_times(t, immediate, registers, induction.start, by);
    if (!constant && by_register)
        step = induction.constant ? emit_times(t, immediate, registers, factor, induction.step)
                                  : emit(t, registers, induction.step_reg, factor, 0, 0);
    else if (!constant)
        step = emit_times(t, immediate, registers, induction.step_reg, by);
    CcReg reg = make_induction(t, start, sum, constant, times(induction.step, by), step);
    cc_ssa_replace(t->s, node, reg);
    return true;
}

/* -- the walk ---------------------------------------------------------------------------------- */

static CcIrBlock *find_latch(const CcLoop *loop)
{
    const CcIrBlock *header = loop->header;
    if (header->n_predecessors != 2)
        return NULL;
    return header->predecessor[header->predecessor[0] == loop->preheader];
}

static void reduce_loop(Strength *t)
{
    for (uint32_t k = 0; k < t->loop->n_blocks; k++)
        for (CcNode *node = t->loop->blocks[k]->head; node; node = node->next) {
            cc_ssa_resolve(t->s, &node->i);
            if (cc_is_load(&node->i) || cc_is_store(&node->i))
                reduce_access(t, node);
        }
    for (uint32_t k = 0; k < t->loop->n_blocks; k++)
        for (CcNode *node = t->loop->blocks[k]->head, *next; node; node = next) {
            next = node->next;
            cc_ssa_resolve(t->s, &node->i);
            (void)reduce_product(t, node);
        }
}

void cc_optimise_strength(CcSsa *s)
{
    Strength *t = CC_NEW(s->arena, Strength);
    t->s = s;
    for (uint32_t k = 0; k < s->n_loops; k++) {
        t->loop = s->loops[k];
        if (!t->loop->preheader)
            continue;
        t->latch = find_latch(t->loop);
        t->n_pointers = 0;
        reduce_loop(t);
    }
    cc_ssa_resolve_all(s);
}
