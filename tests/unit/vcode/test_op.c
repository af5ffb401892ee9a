/* test_op.c - the kinds in instructions.def agree with arithmetic.def and the forms. */
#include "vcode/vcode.h"

#include <criterion/criterion.h>

/* The kind according to arithmetic.def; OTHER if there is no row. */
static const VcodeKind computed[VCODE_OP_COUNT] = {
#define BINARY(name, A, B, C, expression)     [VCODE_##name] = 1 + VCODE_KIND_COMPUTE,
#define UNARY(name, A, B, expression)         [VCODE_##name] = 1 + VCODE_KIND_COMPUTE,
#define IMMEDIATE(name, expression)           [VCODE_##name] = 1 + VCODE_KIND_COMPUTE,
#define DIVISION(name, z, o, expression)      [VCODE_##name] = 1 + VCODE_KIND_DIVIDE,
#define BRANCH_I                              VCODE_KIND_BRANCH
#define BRANCH_D                              VCODE_KIND_BRANCH_REAL
#define CONDITION(name, B, expression)        [VCODE_##name] = 1 + BRANCH_##B,
#define CONDITION_IMMEDIATE(name, expression) [VCODE_##name] = 1 + VCODE_KIND_BRANCH,
#include "vcode/arithmetic.def"
};

/* Whether the operation reads real numbers. */
static const bool reads_real[VCODE_OP_COUNT] = {
#define REAL_I                            false
#define REAL_D                            true
#define REAL_F                            true
#define BINARY(name, A, B, C, expression) [VCODE_##name] = REAL_##B,
#include "vcode/arithmetic.def"
};

Test(ops, kinds_are_those_of_arithmetic_and_forms)
{
    for (VcodeOp op = 0; op < VCODE_OP_COUNT; op++) {
        const VcodeOpInfo *info = &vcode_op_info[op];
        VcodeKind kind = info->kind;
        bool compares = kind == VCODE_KIND_COMPARE || kind == VCODE_KIND_COMPARE_REAL;
        cr_expect_eq(vcode_op_folds(op), computed[op] && computed[op] - 1 <= VCODE_KIND_DIVIDE, "%s", info->mnemonic);
        if (computed[op])
            cr_expect_eq(compares ? VCODE_KIND_COMPUTE : kind, computed[op] - 1, "%s", info->mnemonic);
        if (compares)
            cr_expect_eq(kind == VCODE_KIND_COMPARE_REAL, reads_real[op], "%s", info->mnemonic);
        cr_expect_eq(compares, info->result_bits == 1, "%s", info->mnemonic);
        cr_expect_eq(kind == VCODE_KIND_LOAD,
                     op != VCODE_LEAX && (info->form == VCODE_FORM_LOAD || info->form == VCODE_FORM_LOADX), "%s",
                     info->mnemonic);
        cr_expect_eq(kind == VCODE_KIND_STORE, info->form == VCODE_FORM_STORE || info->form == VCODE_FORM_STOREX, "%s",
                     info->mnemonic);
        cr_expect_eq(kind == VCODE_KIND_BRANCH || kind == VCODE_KIND_BRANCH_REAL,
                     info->form == VCODE_FORM_BRR || info->form == VCODE_FORM_BRI, "%s", info->mnemonic);
    }
}
