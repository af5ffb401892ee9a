/* switch.c - lowers switch: chooses comparisons or tables.
 *
 * The cases are sorted as values of the controlling type. A run of cases that is dense enough becomes a table. A few
 * cases become successive comparisons. Anything else is halved. So n scattered cases take log n comparisons, and
 * clusters among them become tables of their own.
 */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/lower/lowering.h"
#include "compiler/tree/tree.h"

#include <stdlib.h>

enum { FEW_CASES = 3, LARGEST_RANGE_IN_TABLE = 1024 };

/* The values low to high, which lead to one block. They are canonical for the controlling type. */
typedef struct Case {
    int64_t low, high;
    CcIrBlock *block;
} Case;

typedef struct Switch {
    CcLower *lower;
    CcType *type;
    CcReg value; /* value of the controlling expression */
    Case *cases;
    CcIrBlock *otherwise; /* target of values without a case */
} Switch;

static int compare_signed(const void *a, const void *b)
{
    int64_t x = ((const Case *)a)->low, y = ((const Case *)b)->low;
    return (x > y) - (x < y);
}

static int compare_unsigned(const void *a, const void *b)
{
    uint64_t x = (uint64_t)((const Case *)a)->low, y = (uint64_t)((const Case *)b)->low;
    return (x > y) - (x < y);
}

/* Returns the number of entries that a table would have, or 0 if it does not pay. A table needs at least 4 tests, and
 * at most 3 in 5 entries may be empty. */
static uint64_t table_size(const Case *first, const Case *last)
{
    uint64_t span = (uint64_t)last->high - (uint64_t)first->low;
    uint64_t covered = 0, tests = 0;
    for (const Case *c = first; c <= last; c++) {
        uint64_t width = (uint64_t)c->high - (uint64_t)c->low + 1;
        if (width == 0 || width > LARGEST_RANGE_IN_TABLE)
            return 0;
        covered += width;
        tests += width > 1 ? 2 : 1;
    }
    return tests >= 4 && span < covered * 5 / 2 ? span + 1 : 0;
}

static void emit_table(Switch *s, const Case *first, const Case *last, uint64_t size)
{
    CcIrFunction *f = s->lower->f;
    CcIrSwitch *record = CC_IR_PUSH(f, switches);
    *record =
        (CcIrSwitch){first->low, (uint32_t)size, cc_arena_alloc(f->arena, size * sizeof(CcIrBlock *)), s->otherwise};
    for (uint64_t i = 0; i < size; i++)
        record->targets[i] = s->otherwise;
    for (const Case *c = first; c <= last; c++)
        for (uint64_t v = (uint64_t)c->low; v <= (uint64_t)c->high && v - (uint64_t)first->low < size; v++) {
            record->targets[v - (uint64_t)first->low] = c->block;
            if (v == (uint64_t)c->high)
                break;
        }
    CcIrInstr *i = cc_lower_emit(s->lower, VCODE_SWITCH);
    i->a = s->value;
    i->extra = f->n_switches - 1;
}

static void emit_case(Switch *s, const Case *c)
{
    CcLower *l = s->lower;
    CcValue value = cc_value_reg(s->value);
    CcIrBlock *next = cc_ir_block_new(l->f);
    if (c->low == c->high) {
        cc_lower_branch_compare(l, CC_EQUAL, s->type, value, cc_value_constant(c->low), c->block, next);
    } else {
        CcIrBlock *above = cc_ir_block_new(l->f);
        cc_lower_branch_compare(l, CC_GREATER_EQUAL, s->type, value, cc_value_constant(c->low), above, next);
        cc_lower_start_block(l, above);
        cc_lower_branch_compare(l, CC_LESS_EQUAL, s->type, value, cc_value_constant(c->high), c->block, next);
    }
    cc_lower_start_block(l, next);
}

static void emit_cases(Switch *s, const Case *first, const Case *last)
{
    CcLower *l = s->lower;
    uint64_t size = table_size(first, last);
    if (size) {
        emit_table(s, first, last, size);
    } else if (last - first < FEW_CASES) {
        for (; first <= last; first++)
            emit_case(s, first);
        cc_lower_emit_jump(l, s->otherwise);
    } else {
        const Case *middle = first + (last - first + 1) / 2;
        CcIrBlock *below = cc_ir_block_new(l->f), *above = cc_ir_block_new(l->f);
        cc_lower_branch_compare(l, CC_LESS, s->type, cc_value_reg(s->value), cc_value_constant(middle->low), below,
                                above);
        cc_lower_start_block(l, below);
        emit_cases(s, first, middle - 1);
        cc_lower_start_block(l, above);
        emit_cases(s, middle, last);
    }
}

static int64_t canonical(const CcType *type, int64_t value)
{
    if (type->size >= 8)
        return value;
    return cc_type_is_signed(type) ? (int32_t)value : (int64_t)(uint32_t)value;
}

/* Merges adjacent cases with the same target ("case 1: case 2: case 3:"). Returns how many are left. */
static size_t merge(Case *cases, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (kept && cases[kept - 1].block == cases[i].block &&
            (uint64_t)cases[kept - 1].high + 1 == (uint64_t)cases[i].low)
            cases[kept - 1].high = cases[i].high;
        else
            cases[kept++] = cases[i];
    return kept;
}

static CcIrBlock *case_block(CcLower *l, CcStmt *s)
{
    if (!s->back)
        s->back = cc_ir_block_new(l->f);
    return s->back;
}

void cc_lower_switch(CcLower *l, CcStmt *s)
{
    size_t n = 0;
    for (CcStmt *c = s->cases; c; c = c->next_case)
        n++;
    CcIrBlock *end = cc_ir_block_new(l->f);
    CcIrBlock *otherwise = s->default_case ? case_block(l, s->default_case) : end;
    g_autofree Case *cases = g_new0(Case, n + 1);
    n = 0;
    for (CcStmt *c = s->cases; c; c = c->next_case) {
        CcIrBlock *block = case_block(l, c);
        if (c->kind == CC_DEFAULT)
            continue;
        cases[n++] = (Case){canonical(s->expr->type, c->low), canonical(s->expr->type, c->high), block};
    }
    Switch state = {l, s->expr->type, cc_lower_reg(l, s->expr), cases, otherwise};
    qsort(cases, n, sizeof *cases, cc_type_is_signed(s->expr->type) ? compare_signed : compare_unsigned);
    n = merge(cases, n);
    if (n)
        emit_cases(&state, cases, cases + n - 1);
    else
        cc_lower_emit_jump(l, otherwise);
    CcTarget target = {l->target, end, NULL, l->vla};
    l->target = &target;
    cc_lower_statement(l, s->body);
    l->target = target.outer;
    cc_lower_start_block(l, end);
}
