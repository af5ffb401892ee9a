/* test_core_instructions.c - every computing instruction compared with its row in instructions.def, in both loops. */
#include "assembler.h"

#include <math.h>

typedef struct Case {
    VcodeOp op;
    uint64_t b, c;
    uint64_t expected;
} Case;

#define W(x)  ((uint64_t)(int64_t)(int32_t)(x))
#define L(x)  ((uint64_t)(int64_t)(x))
#define MIN_L (UINT64_C(1) << 63)
#define MIN_W W(INT32_MIN)

static uint64_t D(double d)
{
    uint64_t x;
    memcpy(&x, &d, 8);
    return x;
}
static uint64_t F(float f)
{
    uint32_t x;
    memcpy(&x, &f, 4);
    return x;
}

/* One program computes all cases; rank 0 runs it in the threaded loop, rank 1 in the other. */
static void check_cases(const Case *cases, size_t n)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 6);
    for (size_t i = 0; i < n; i++) {
        bool immediate = vcode_op_info[cases[i].op].form == VCODE_FORM_RRI;
        asm_rk(&a, 1, cases[i].b);
        asm_rk(&a, 2, cases[i].c);
        asm_rk(&a, 3, UINT64_C(0xdeadbeefdeadbeef));
        asm_rrr(&a, cases[i].op, 3, 1, immediate ? (int)(int16_t)cases[i].c : 2);
        asm_rrr(&a, VCODE_MOV, 4, 3, 0);
        asm_callx(&a, "put", 4, 1);
    }
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
    Run run;
    run_open(&run, asm_close(&a), 2);
    vm_rank_set_hook(vm_world_rank(run.world, 1), hook_go_on, NULL);
    for (int rank = 0; rank < 2; rank++) {
        run.rank = vm_world_rank(run.world, (uint32_t)rank);
        cr_assert_eq(run_on(&run, 1000000), VM_STOP_EXITED);
        for (size_t i = 0; i < n; i++)
            cr_expect_eq(run_put(&run, (unsigned)(rank * n + i))->value, cases[i].expected,
                         "%s 0x%lx, 0x%lx = 0x%lx, not 0x%lx (rank %d)", vcode_op_info[cases[i].op].mnemonic,
                         cases[i].b, cases[i].c, run_put(&run, (unsigned)(rank * n + i))->value, cases[i].expected,
                         rank);
    }
    run_close(&run);
}

Test(instructions, integers)
{
    const Case cases[] = {
        {VCODE_MOV, 7, 0, 7},
        {VCODE_ADD_W, W(INT32_MAX), 1, MIN_W},
        {VCODE_ADD_UW, UINT32_MAX, 1, 0},
        {VCODE_ADD_L, L(INT64_MAX), 1, MIN_L},
        {VCODE_SUB_W, MIN_W, 1, W(INT32_MAX)},
        {VCODE_SUB_UW, 0, 1, UINT32_MAX},
        {VCODE_SUB_L, 0, 1, L(-1)},
        {VCODE_MUL_W, 0x10001, 0x10001, 0x20001},
        {VCODE_MUL_W, W(-3), 5, W(-15)},
        {VCODE_MUL_UW, UINT32_MAX, UINT32_MAX, 1},
        {VCODE_MUL_L, L(-3), L(1) << 62, UINT64_C(1) << 62},
        {VCODE_DIV_W, W(-7), 2, W(-3)},
        {VCODE_DIV_UW, UINT32_MAX, 2, INT32_MAX},
        {VCODE_DIV_L, L(-7), L(-2), 3},
        {VCODE_DIV_UL, L(-1), 2, INT64_MAX},
        {VCODE_MOD_W, W(-7), 2, W(-1)},
        {VCODE_MOD_UW, UINT32_MAX, 10, 5},
        {VCODE_MOD_L, L(-7), L(3), L(-1)},
        {VCODE_MOD_UL, L(-1), 10, 5},
        {VCODE_NEG_W, MIN_W, 0, MIN_W},
        {VCODE_NEG_UW, 1, 0, UINT32_MAX},
        {VCODE_NEG_L, 1, 0, L(-1)},
        {VCODE_NOT_UW, 0, 0, UINT32_MAX},
        {VCODE_NOT_L, 0, 0, L(-1)},
        {VCODE_AND, 0xff0f, 0x0ff0, 0x0f00},
        {VCODE_OR, 0xf0, 0x0f, 0xff},
        {VCODE_XOR, 0xff, 0x0f, 0xf0},
        {VCODE_MULH_L, L(-1), L(-1), 0},
        {VCODE_MULH_L, MIN_L, 2, L(-1)},
        {VCODE_MULH_UL, L(-1), L(-1), L(-2)},
        {VCODE_CLZ_W, 1, 0, 31},
        {VCODE_CLZ_W, 0, 0, 32},
        {VCODE_CLZ_W, W(-1), 0, 0},
        {VCODE_CLZ_L, 0, 0, 64},
        {VCODE_CTZ_L, 0, 0, 64},
        {VCODE_CTZ_L, 8, 0, 3},
        {VCODE_POPCNT, L(-1), 0, 64},
        {VCODE_BSWAP16, 0xff1234, 0, 0x3412},
        {VCODE_BSWAP32, 0xff12345678, 0, 0x78563412},
        {VCODE_BSWAP64, 0x0102030405060708, 0, 0x0807060504030201},
        {VCODE_SEXT8, 0x180, 0, L(-128)},
        {VCODE_SEXT16, 0x18000, 0, L(-32768)},
        {VCODE_SEXT32, 0x180000000, 0, MIN_W},
        {VCODE_ZEXT8, L(-1), 0, 0xff},
        {VCODE_ZEXT16, L(-1), 0, 0xffff},
        {VCODE_ZEXT32, L(-1), 0, UINT32_MAX},
        {VCODE_LEAX, 100, 3, 103},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

/* C leaves shifts by the width or more undefined (C11 6.5.7p3); vCode masks the count. */
Test(instructions, shifts)
{
    const Case cases[] = {
        {VCODE_SHL_W, 1, 31, MIN_W},         {VCODE_SHL_W, 1, 33, 2},
        {VCODE_SHL_UW, 1, 31, 0x80000000},   {VCODE_SHL_UW, 3, 31, 0x80000000},
        {VCODE_SHL_L, 1, 63, MIN_L},         {VCODE_SHL_L, 1, 64, 1},
        {VCODE_SAR_W, MIN_W, 31, L(-1)},     {VCODE_SAR_W, W(-8), 33, L(-4)},
        {VCODE_SAR_L, MIN_L, 63, L(-1)},     {VCODE_SHR_UW, UINT32_MAX, 28, 15},
        {VCODE_SHR_UL, L(-1), 60, 15},       {VCODE_SHLI_W, 1, 31, MIN_W},
        {VCODE_SHLI_UW, 1, 31, 0x80000000},  {VCODE_SHLI_L, 1, 63, MIN_L},
        {VCODE_SARI_W, MIN_W, 31, L(-1)},    {VCODE_SARI_L, MIN_L, 62, L(-2)},
        {VCODE_SHRI_UW, UINT32_MAX, 28, 15}, {VCODE_SHRI_UL, L(-1), 60, 15},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

Test(instructions, immediates_are_sign_extended)
{
    const Case cases[] = {
        {VCODE_ADDI_W, MIN_W, L(-1), W(INT32_MAX)},
        {VCODE_ADDI_UW, 0, L(-1), UINT32_MAX},
        {VCODE_ADDI_L, 0, L(-32768), L(-32768)},
        {VCODE_MULI_W, W(1 << 30), 4, 0},
        {VCODE_MULI_UW, UINT32_MAX, L(-1), 1},
        {VCODE_MULI_L, 5, L(-3), L(-15)},
        {VCODE_ANDI, L(-1), L(-16), L(-16)},
        {VCODE_ORI, 1, L(-2), L(-1)},
        {VCODE_XORI, 0, L(-1), L(-1)},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

Test(instructions, comparisons)
{
    const Case cases[] = {
        {VCODE_SEQ, 1, 1, 1},          {VCODE_SEQ, 1, 2, 0},           {VCODE_SNE, 1, 2, 1},
        {VCODE_SLT, L(-1), 0, 1},      {VCODE_SLT, 0, 0, 0},           {VCODE_SLE, 0, 0, 1},
        {VCODE_SLTU, L(-1), 0, 0},     {VCODE_SLTU, 0, L(-1), 1},      {VCODE_SLEU, 5, 5, 1},
        {VCODE_SEQI, L(-1), L(-1), 1}, {VCODE_SNEI, 1, L(-1), 1},      {VCODE_SLTI, L(-2), L(-1), 1},
        {VCODE_SLEI, L(-1), L(-1), 1}, {VCODE_SGTI, 0, L(-1), 1},      {VCODE_SGEI, L(-1), L(-1), 1},
        {VCODE_SLTUI, 0, L(-1), 1},    {VCODE_SGEUI, L(-1), L(-1), 1}, {VCODE_SGEUI, 5, 6, 0},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

Test(instructions, floating_point)
{
    const double nan = NAN, inf = INFINITY;
    const Case cases[] = {
        {VCODE_ADD_D, D(0.1), D(0.2), D(0.1 + 0.2)},
        {VCODE_SUB_D, D(1), D(0.9), D(1 - 0.9)},
        {VCODE_MUL_D, D(1e200), D(1e200), D(inf)},
        {VCODE_DIV_D, D(1), D(0), D(inf)},
        {VCODE_NEG_D, D(0), 0, D(-0.0)},
        {VCODE_ABS_D, D(-0.0), 0, D(0)},
        {VCODE_SQRT_D, D(2), 0, UINT64_C(0x3ff6a09e667f3bcd)},
        {VCODE_ADD_F, F(0.1f), F(0.2f), F(0.1f + 0.2f)},
        {VCODE_SUB_F, F(1), F(0.9f), F(1 - 0.9f)},
        {VCODE_MUL_F, F(1e30f), F(1e30f), F(INFINITY)},
        {VCODE_DIV_F, F(1), F(3), F(1.0f / 3.0f)},
        {VCODE_NEG_F, F(0), 0, F(-0.0f)},
        {VCODE_SEQ_D, D(nan), D(nan), 0},
        {VCODE_SNE_D, D(nan), D(nan), 1},
        {VCODE_SEQ_D, D(0), D(-0.0), 1},
        {VCODE_SLT_D, D(nan), D(1), 0},
        {VCODE_SLE_D, D(1), D(1), 1},
        {VCODE_SEQ_F, F(1), F(1), 1},
        {VCODE_SNE_F, F(NAN), F(1), 1},
        {VCODE_SLT_F, F(-1), F(1), 1},
        {VCODE_SLE_F, F(2), F(1), 0},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

/* The results of x86-64's cvttsd2si, where C11 6.3.1.4p1 leaves the result undefined. */
Test(instructions, conversions)
{
    const double nan = NAN;
    const Case cases[] = {
        {VCODE_CVT_D_L, L(-3), 0, D(-3)},
        {VCODE_CVT_D_L, (UINT64_C(1) << 53) + 1, 0, D(9007199254740992.0)},
        {VCODE_CVT_D_UL, L(-1), 0, D(18446744073709551616.0)},
        {VCODE_CVT_F_L, 16777217, 0, F(16777216.0f)},
        {VCODE_CVT_F_UL, L(-1), 0, F(18446744073709551616.0f)},
        {VCODE_CVT_W_D, D(-2147483648.9), 0, MIN_W},
        {VCODE_CVT_W_D, D(2147483647.9), 0, INT32_MAX},
        {VCODE_CVT_W_D, D(2147483648.0), 0, MIN_W},
        {VCODE_CVT_W_D, D(nan), 0, MIN_W},
        {VCODE_CVT_L_D, D(-1.9), 0, L(-1)},
        {VCODE_CVT_L_D, D(0x1p63), 0, MIN_L},
        {VCODE_CVT_L_D, D(-0x1p63), 0, MIN_L},
        {VCODE_CVT_L_D, D(nan), 0, MIN_L},
        {VCODE_CVT_UL_D, D(0x1p63), 0, MIN_L},
        {VCODE_CVT_UL_D, D(0x1.8p63), 0, UINT64_C(3) << 62},
        {VCODE_CVT_UL_D, D(0x1p64), 0, 0},
        {VCODE_CVT_UL_D, D(-1), 0, L(-1)},
        {VCODE_CVT_UL_D, D(nan), 0, MIN_L},
        {VCODE_CVT_D_F, F(0.1f), 0, D((double)0.1f)},
        {VCODE_CVT_F_D, D(0.1), 0, F(0.1f)},
        {VCODE_CVT_F_D, D(1e300), 0, F(INFINITY)},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

/* Every branch is taken and not taken: the program puts 1 if it branches, 0 if not. */
Test(instructions, branches)
{
    static const struct {
        VcodeOp op;
        uint64_t a, b; /* b: value or immediate */
        int taken;
    } cases[] = {
        {VCODE_BEQ, 1, 1, 1},          {VCODE_BEQ, 1, 2, 0},          {VCODE_BNE, 1, 2, 1},
        {VCODE_BNE, 2, 2, 0},          {VCODE_BLT, L(-1), 0, 1},      {VCODE_BLT, 0, L(-1), 0},
        {VCODE_BLE, 3, 3, 1},          {VCODE_BLE, 4, 3, 0},          {VCODE_BLTU, 0, L(-1), 1},
        {VCODE_BLTU, L(-1), 0, 0},     {VCODE_BLEU, 3, 3, 1},         {VCODE_BLEU, L(-1), 3, 0},
        {VCODE_BEQI, L(-5), L(-5), 1}, {VCODE_BEQI, 5, L(-5), 0},     {VCODE_BNEI, 1, 2, 1},
        {VCODE_BNEI, L(-2), L(-2), 0}, {VCODE_BLTI, L(-2), L(-1), 1}, {VCODE_BLTI, 0, 0, 0},
        {VCODE_BLEI, 0, 0, 1},         {VCODE_BLEI, 1, 0, 0},         {VCODE_BGTI, 1, 0, 1},
        {VCODE_BGTI, 0, 0, 0},         {VCODE_BGEI, 0, 0, 1},         {VCODE_BGEI, L(-1), 0, 0},
        {VCODE_BLTUI, 5, L(-1), 1},    {VCODE_BLTUI, 6, 5, 0},        {VCODE_BGEUI, L(-1), 5, 1},
        {VCODE_BGEUI, 4, 5, 0},
    };
    static const struct {
        VcodeOp op;
        double a, b;
        int taken;
    } floats[] = {
        {VCODE_BEQ_D, 1, 1, 1},    {VCODE_BEQ_D, NAN, NAN, 0}, {VCODE_BNE_D, NAN, 1, 1},  {VCODE_BNE_D, 1, 1, 0},
        {VCODE_BLT_D, 1, 2, 1},    {VCODE_BLT_D, NAN, 2, 0},   {VCODE_BLE_D, 2, 2, 1},    {VCODE_BLE_D, 2, NAN, 0},
        {VCODE_BNLT_D, NAN, 1, 1}, {VCODE_BNLT_D, 1, 2, 0},    {VCODE_BNLE_D, NAN, 1, 1}, {VCODE_BNLE_D, 1, 1, 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases) + G_N_ELEMENTS(floats); i++) {
        bool integer = i < G_N_ELEMENTS(cases);
        size_t k = integer ? i : i - G_N_ELEMENTS(cases);
        VcodeOp op = integer ? cases[k].op : floats[k].op;
        Asm a;
        asm_open(&a);
        asm_function(&a, "main", 0, 4);
        asm_rk(&a, 1, integer ? cases[k].a : D(floats[k].a));
        asm_rk(&a, 2, integer ? cases[k].b : D(floats[k].b));
        unsigned there = asm_label(&a);
        bool immediate = vcode_op_info[op].form == VCODE_FORM_BRI;
        asm_branch(&a, op, 1, immediate ? (int)(int16_t)cases[k].b : 2, there);
        asm_imm(&a, VCODE_MOVI, 0, 3, 0);
        asm_r(&a, VCODE_RET, 3);
        asm_place(&a, there);
        asm_imm(&a, VCODE_MOVI, 0, 3, 1);
        asm_r(&a, VCODE_RET, 3);
        Run run;
        run_open(&run, asm_close(&a), 2);
        vm_rank_set_hook(vm_world_rank(run.world, 1), hook_go_on, NULL);
        for (uint32_t r = 0; r < 2; r++) {
            run.rank = vm_world_rank(run.world, r);
            cr_assert_eq(run_on(&run, 1000), VM_STOP_EXITED);
            cr_expect_eq(vm_rank_exit_status(run.rank), integer ? cases[k].taken : floats[k].taken, "%s case %zu",
                         vcode_op_info[op].mnemonic, k);
        }
        run_close(&run);
    }
}

Test(instructions, cmov_and_switch)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 6);
    unsigned loop = asm_label(&a), next = asm_label(&a);
    asm_imm(&a, VCODE_MOVI, 0, 1, -7); /* values -7..-2 through a table for -5..-3 */
    asm_branch(&a, VCODE_JMP, 0, 0, loop);
    asm_place(&a, loop);
    asm_imm(&a, VCODE_SWITCH, 0, 1, 0);
    uint32_t targets[4];
    for (int i = 0; i < 4; i++) {
        targets[i] = asm_pc(&a);
        asm_imm(&a, VCODE_MOVI, 0, 2, 100 + i);
        asm_branch(&a, VCODE_JMP, 0, 0, next);
    }
    asm_place(&a, next);
    asm_imm(&a, VCODE_MOVI, 0, 3, 0);
    asm_rrr(&a, VCODE_SEQI, 4, 2, 101);
    asm_rrr(&a, VCODE_CMOV, 2, 3, 4); /* 101 becomes 0 */
    asm_rrr(&a, VCODE_MOV, 5, 2, 0);
    asm_callx(&a, "put", 5, 1);
    asm_rrr(&a, VCODE_ADDI_L, 1, 1, 1);
    asm_branch(&a, VCODE_BLTI, 1, -1, loop);
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
    VcodeModule *m = asm_close(&a);
    memcpy(vcode_push_many(m, targets, 3), targets, 3 * sizeof *targets);
    *vcode_push(m, switches) =
        (VcodeSwitch){.low = -5, .first = 0, .count = 3, .default_target = targets[3], .function = 0};
    Run run;
    run_open(&run, m, 1);
    cr_assert_eq(run_on(&run, 10), VM_STOP_EXITED);
    const uint64_t expected[] = {103, 103, 100, 0, 102, 103};
    cr_assert_eq(run.trace->len, G_N_ELEMENTS(expected));
    for (unsigned i = 0; i < G_N_ELEMENTS(expected); i++)
        cr_expect_eq(run_put(&run, i)->value, expected[i]);
    run_close(&run);
}

/* -- the columns of instructions.def ----------------------------------------------------------- */

static const uint64_t operands[] = {0,
                                    1,
                                    2,
                                    31,
                                    127,
                                    128,
                                    255,
                                    256,
                                    32767,
                                    65535,
                                    INT32_MAX,
                                    L(INT32_MIN),
                                    UINT32_MAX,
                                    L(-1),
                                    L(-2),
                                    INT64_MAX,
                                    MIN_L,
                                    UINT64_C(0x123456789abcdef0),
                                    UINT64_C(0xfedcba9876543210),
                                    UINT64_C(0x3ff8000000000000),
                                    UINT64_C(0x41f0000000000001),
                                    UINT64_C(0xc3e0000000000000),
                                    UINT64_C(0x7ff0000000000000),
                                    UINT64_C(0x7ff8000000000001)};
enum { OPERANDS = G_N_ELEMENTS(operands) };

static bool fits(const VcodeOpInfo *info, uint64_t value)
{
    unsigned bits = info->result_bits;
    if (bits == 64)
        return true;
    int64_t high = (int64_t)value >> (bits - 1);
    return info->result_signed ? high == 0 || high == -1 : value >> bits == 0;
}

/* Returns whether the host may compute it: divisions that fault are left out. */
static bool may_compute(VcodeOp op, uint64_t c)
{
    return vcode_op_info[op].kind != VCODE_KIND_DIVIDE || ((uint32_t)c != 0 && (uint32_t)c != UINT32_MAX);
}

Test(core_instructions, results_fit_their_columns)
{
    for (VcodeOp op = 0; op < VCODE_OP_COUNT; op++) {
        const VcodeOpInfo *info = &vcode_op_info[op];
        if (!vcode_op_folds(op))
            continue;
        Asm a;
        asm_open(&a);
        asm_function(&a, "main", 0, 6);
        unsigned n = 0;
        for (unsigned k = 0; k < OPERANDS * OPERANDS; k++) {
            uint64_t b = operands[k / OPERANDS], c = operands[k % OPERANDS];
            if (!may_compute(op, c))
                continue;
            asm_rk(&a, 1, b);
            asm_rk(&a, 2, c);
            asm_rrr(&a, op, 4, 1, info->form == VCODE_FORM_RRI ? (int)(int16_t)c : info->form == VCODE_FORM_RR ? 0 : 2);
            asm_callx(&a, "put", 4, 1);
            n++;
        }
        asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
        Run run;
        run_open(&run, asm_close(&a), 1);
        cr_assert_eq(run_on(&run, 1000000), VM_STOP_EXITED, "%s", info->mnemonic);
        for (unsigned k = 0; k < n; k++)
            cr_expect(fits(info, run_put(&run, k)->value), "%s makes 0x%lx, which has not %u bits", info->mnemonic,
                      run_put(&run, k)->value, info->result_bits);
        run_close(&run);
    }
}

Test(core_instructions, loads_fit_their_columns)
{
    static const uint64_t patterns[] = {0, UINT64_MAX, UINT64_C(0x7f7f7f7f7f7f7f7f), UINT64_C(0x8080808080808080)};
    for (VcodeOp op = 0; op < VCODE_OP_COUNT; op++) {
        const VcodeOpInfo *info = &vcode_op_info[op];
        if (info->kind != VCODE_KIND_LOAD)
            continue;
        Asm a;
        asm_open(&a);
        asm_function(&a, "main", 0, 6);
        asm_imm(&a, VCODE_ENTER, 0, 1, 16);
        asm_imm(&a, VCODE_MOVI, 0, 3, 0);
        for (size_t k = 0; k < G_N_ELEMENTS(patterns); k++) {
            asm_rk(&a, 2, patterns[k]);
            asm_rrr(&a, VCODE_ST64, 2, 1, 0);
            asm_rrr(&a, op, 4, 1, info->form == VCODE_FORM_LOADX ? 3 : 0);
            asm_callx(&a, "put", 4, 1);
        }
        asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
        Run run;
        run_open(&run, asm_close(&a), 1);
        cr_assert_eq(run_on(&run, 1000), VM_STOP_EXITED, "%s", info->mnemonic);
        for (unsigned k = 0; k < G_N_ELEMENTS(patterns); k++)
            cr_expect(fits(info, run_put(&run, k)->value), "%s makes 0x%lx, which has not %u bits", info->mnemonic,
                      run_put(&run, k)->value, info->result_bits);
        run_close(&run);
    }
}
