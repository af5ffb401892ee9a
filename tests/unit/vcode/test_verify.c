/* test_verify.c - the verifier accepts the sample and refuses each way to be unsafe, with the reason. */
#include "sample.h"

static VcodeInstr imm(VcodeOp op, unsigned n, unsigned a, int32_t value)
{
    return vcode_pack_imm32(op, n, a, value);
}

/* Puts one instruction into the sample. The reason for the refusal must contain `expected`. */
static void refuse(uint32_t pc, VcodeInstr word, const char *expected)
{
    g_autoptr(VcodeModule) m = sample();
    m->code.items[pc] = word;
    g_autoptr(GError) error = NULL;
    cr_expect_not(vcode_verify(m, &error), "accepted: %s", expected);
    if (error)
        cr_expect(strstr(error->message, expected), "'%s' does not say '%s'", error->message, expected);
}

Test(verify, accepts_the_sample)
{
    g_autoptr(VcodeModule) m = sample();
    g_autoptr(GError) error = NULL;
    cr_assert(vcode_verify(m, &error), "%s", error ? error->message : "");
}

Test(verify, instructions)
{
    refuse(1, 0xff, "unknown opcode 255");
    refuse(1, vcode_pack(VCODE_MOV, 0, 4, 0, 0), "register r4");
    refuse(1, vcode_pack(VCODE_MOV, 0, 0, 4, 0), "register r4");
    refuse(1, vcode_pack(VCODE_ADD_L, 0, 0, 0, 65535), "register r65535");
    refuse(1, vcode_pack(VCODE_LDX64, 4, 0, 0, 0), "shift by 4");
    refuse(1, vcode_pack(VCODE_LEAX, 32, 0, 0, 0), "shift by 32");
    refuse(1, imm(VCODE_MOVK, 0, 0, 2), "constant 2");
    refuse(1, imm(VCODE_ENTER, 0, 0, 32), "not the function's first");
    refuse(0, imm(VCODE_ENTER, 0, 0, 0), "multiple of 16");
    refuse(0, imm(VCODE_ENTER, 0, 0, -16), "multiple of 16");
    refuse(0, imm(VCODE_ENTER, 0, 0, 40), "multiple of 16");
    refuse(9, vcode_pack(VCODE_NOP, 0, 0, 0, 0), "runs out of the function");
    refuse(9, vcode_pack(VCODE_BEQ, 0xff, 0, 0, (unsigned)-2), "runs out of the function");
}

Test(verify, targets)
{
    refuse(7, imm(VCODE_JMP, 0, 0, 100), "leaves the function");
    refuse(7, imm(VCODE_JMP, 0, 0, 2), "leaves the function");
    refuse(7, imm(VCODE_JMP, 0, 0, INT32_MAX), "leaves the function");
    refuse(7, imm(VCODE_JMP, 0, 0, INT32_MIN), "leaves the function");
    refuse(7, imm(VCODE_JMP, 0, 0, 1), "inside a basic block");
    refuse(6, vcode_pack(VCODE_BLTI, 0xff, 1, 5, (unsigned)-2), "inside a basic block");
    refuse(1, imm(VCODE_SWITCH, 0, 1, 1), "switch table 1");
    refuse(11, imm(VCODE_SWITCH, 0, 0, 0), "another function");
    g_autoptr(VcodeModule) m = sample();
    m->targets.items[1] = 5;
    cr_expect_not(vcode_verify(m, NULL));
    m->targets.items[1] = 8;
    m->switches.items[0].default_target = 10;
    cr_expect_not(vcode_verify(m, NULL));
    m->switches.items[0].default_target = 8;
    cr_expect(vcode_verify(m, NULL));
    *vcode_push(m, switches) = (VcodeSwitch){0, 2, 0, 9, 0}; /* no instruction uses it */
    cr_expect_not(vcode_verify(m, NULL));
}

Test(verify, calls)
{
    refuse(2, imm(VCODE_CALL, 1, 1, 2), "function 2");
    refuse(2, imm(VCODE_CALL, 1, 1, -1), "function 4294967295");
    refuse(2, imm(VCODE_CALL, 0, 1, 1), "with 0 arguments, but it has 1");
    refuse(2, imm(VCODE_CALL, 4, 1, 1), "register r4");
    refuse(5, imm(VCODE_CALLX, 1, 2, 1), "extern function 1");
    refuse(5, imm(VCODE_CALLX, 255, 2, 0), "register r256");
    refuse(2, imm(VCODE_CALL, 0, 4, 0), "register r4"); /* the result needs a register too */
    refuse(5, vcode_pack(VCODE_CALLI, 0, 1, 9, 0), "register r9");
}

Test(verify, functions)
{
    g_autoptr(VcodeModule) m = sample();
    m->functions.items[1].code_start = 9;
    cr_expect_not(vcode_verify(m, NULL), "overlap");
    m->functions.items[1].code_start = 10;
    m->functions.items[1].code_count = 0;
    cr_expect_not(vcode_verify(m, NULL), "no code");
    m->functions.items[1].code_count = 3;
    cr_expect_not(vcode_verify(m, NULL), "beyond the code");
    m->functions.items[1].code_count = 2;
    m->functions.items[1].parameters = 2;
    cr_expect_not(vcode_verify(m, NULL), "more parameters than registers");
    m->functions.items[1].parameters = 1;
    cr_expect(vcode_verify(m, NULL));
    m->functions.items[0].flags = VCODE_FUNCTION_VARIADIC; /* its variable arguments would be nowhere */
    cr_expect_not(vcode_verify(m, NULL), "variadic without parameters");
    m->functions.items[0].flags = 0;
    m->entry = 2;
    cr_expect_not(vcode_verify(m, NULL), "entry");
    m->entry = 0;
    m->kind = VCODE_OBJECT;
    cr_expect_not(vcode_verify(m, NULL), "an object is no program");
}
