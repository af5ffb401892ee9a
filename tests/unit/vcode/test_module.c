/* test_module.c - tables that grow, names and constants that are stored once, look-up of functions and lines. */
#include "sample.h"

Test(module, strings_constants_and_files_are_unique)
{
    g_autoptr(VcodeModule) m = vcode_module_new(VCODE_OBJECT);
    uint32_t offsets[2000];
    for (unsigned turn = 0; turn < 2; turn++)
        for (unsigned i = 0; i < 2000; i++) {
            g_autofree char *text = g_strdup_printf("name%u", i);
            uint32_t offset = vcode_string(m, text);
            cr_assert_str_eq(vcode_text(m, offset), text);
            if (turn)
                cr_assert_eq(offset, offsets[i]);
            offsets[i] = offset;
        }
    cr_assert_str_eq(vcode_text(m, VCODE_NONE), "");
    for (unsigned turn = 0; turn < 2; turn++)
        for (unsigned i = 0; i < 2000; i++)
            cr_assert_eq(vcode_constant(m, (uint64_t)i << 52 | i, false), i);
    cr_assert_eq(vcode_constant(m, 0, true), 2000, "a fresh constant is never shared");
    cr_assert_eq(vcode_constant(m, 0, false), 0);
    cr_assert_eq(vcode_source_file(m, "a.c"), 0);
    cr_assert_eq(vcode_source_file(m, "b.c"), 1);
    cr_assert_eq(vcode_source_file(m, "a.c"), 0);
    cr_assert_str_eq(vcode_source_name(m, 1), "b.c");
    cr_assert_str_eq(vcode_source_name(m, VCODE_NONE), "?");
}

Test(module, pushed_records_are_zero)
{
    g_autoptr(VcodeModule) m = vcode_module_new(VCODE_OBJECT);
    for (unsigned i = 0; i < 1000; i++) {
        VcodeSymbol *s = vcode_push(m, symbols), zero = {0};
        cr_assert_arr_eq(s, &zero, sizeof zero);
        memset(s, 0xff, sizeof *s);
        uint8_t *bytes = vcode_push_many(m, data, 37);
        for (unsigned k = 0; k < 37; k++)
            cr_assert_eq(bytes[k], 0);
        memset(bytes, 0xff, 37);
    }
    cr_assert_eq(m->data.count, 37000);
}

Test(module, fields_of_instructions)
{
    for (int32_t distance = -8388608; distance < 8388608; distance += 65521) {
        VcodeInstr i = vcode_pack(VCODE_BEQ, (unsigned)(distance >> 16), 1, 2, (unsigned)distance);
        cr_assert_eq(vcode_off24(i), distance);
    }
    VcodeInstr i = vcode_pack_imm32(VCODE_MOVI, 3, 4, -5);
    cr_assert_eq(vcode_op(i), VCODE_MOVI);
    cr_assert_eq(vcode_n(i), 3);
    cr_assert_eq(vcode_a(i), 4);
    cr_assert_eq(vcode_imm32(i), -5);
    i = vcode_pack(VCODE_BCOPY, 0xab, 1, 2, 0xcdef);
    cr_assert_eq(vcode_block_bytes(i), 0xabcdefu);
    cr_assert_eq(vcode_simm_c(vcode_pack(VCODE_ADDI_L, 0, 0, 0, (unsigned)-7)), -7);
}

Test(module, functions_and_lines_at)
{
    g_autoptr(VcodeModule) m = sample();
    cr_assert_eq(vcode_pc_function(m, 0), 0);
    cr_assert_eq(vcode_pc_function(m, 9), 0);
    cr_assert_eq(vcode_pc_function(m, 10), 1);
    cr_assert_eq(vcode_pc_function(m, 12), VCODE_NONE);
    cr_assert_eq(vcode_pc_line(m, 0)->line, 3);
    cr_assert_eq(vcode_pc_line(m, 3)->line, 3);
    cr_assert_eq(vcode_pc_line(m, 4)->line, 4);
    m->lines.items[0].pc = 2;
    cr_assert_null(vcode_pc_line(m, 1));
}

Test(module, block_ends)
{
    cr_assert(vcode_op_ends_block(VCODE_JMP) && vcode_op_ends_block(VCODE_CALLX) && vcode_op_ends_block(VCODE_FALL));
    cr_assert(vcode_op_ends_block(VCODE_TRAP) && vcode_op_ends_block(VCODE_RETV));
    cr_assert_not(vcode_op_ends_block(VCODE_ADD_L));
    cr_assert_not(vcode_op_ends_block(VCODE_NOP));
    cr_assert_not(vcode_op_ends_block(VCODE_OP_COUNT));
}
