/* test_disassemble.c - the listing of the sample, word for word. */
#include "sample.h"

Test(disassemble, listing)
{
    static const char *const expected =
        "vCode program, version 3: 2 functions, 12 instructions, 6 + 16 + 24 bytes of constants, data and bss\n"
        "entry: main\n"
        "\n"
        "main:    ; function 0: 0 parameters, 4 registers, sample.c:3\n"
        "; sample.c:3\n"
        "       0  enter     r0, 32\n"
        "       1  movi      r1, 21\n"
        "       2  call      twice, r1, 1\n"
        "       3  switch    r1, table 0\n"
        "              41: L4\n"
        "              default: L8\n"
        "; sample.c:4\n"
        "L4:\n"
        "       4  movk      r2, k0 = 0x10000  ; \"hello\"\n"
        "       5  callx     puts, r2, 1\n"
        "       6  blti      r1, 5, L4\n"
        "       7  jmp       L8\n"
        "L8:\n"
        "       8  movk      r2, k1 = 0x400a000000000000  ; 3.25\n"
        "       9  ret       r1\n"
        "\n"
        "twice:    ; function 1: 1 parameters, 1 registers, sample.c:3\n"
        "      10  shli.l    r0, r0, 1\n"
        "      11  ret       r0\n"
        "\n"
        "constants: 6 bytes\n"
        "   10000  68 65 6c 6c 6f 00                                hello.\n"
        "\n"
        "data: 16 bytes\n"
        "   20000  01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01  ................\n"
        "\n"
        "symbols:\n"
        "  data      global        8      8  numbers\n"
        "\n"
        "externs:\n"
        "  puts\n";
    g_autoptr(VcodeModule) m = sample();
    g_autoptr(GString) out = g_string_new(NULL);
    vcode_disassemble(m, true, out);
    cr_assert_str_eq(out->str, expected);
}

/* In an object, fields that the linker will fill in are shown by name. */
Test(disassemble, relocations)
{
    g_autoptr(VcodeModule) m = sample();
    m->kind = VCODE_OBJECT;
    *vcode_push(m, relocs) = (VcodeReloc){VCODE_RELOC_CONSTANT, 0, 0, 16, 0, 1};
    *vcode_push(m, relocs) = (VcodeReloc){VCODE_RELOC_CALL, 0, 2, 0, 0, 1};
    g_autoptr(GString) out = g_string_new(NULL);
    vcode_disassemble_instruction(m, 4, out);
    cr_assert(strstr(out->str, "; numbers+16"), "%s", out->str);
    g_string_truncate(out, 0);
    vcode_disassemble_instruction(m, 2, out);
    cr_assert_str_eq(out->str, "call      numbers, r1, 1");
}

Test(disassemble, addresses)
{
    static const struct {
        uint64_t value;
        const char *meaning;
    } cases[] = {{VCODE_CODE_BASE + 16, "&twice"},
                 {0x20008, "numbers"},
                 {0x2000c, "numbers+4"},
                 {0x20000, "data+0"},
                 {0x20010, "bss+0"},
                 {VCODE_RODATA_BASE + 2, "\"llo\""},
                 {UINT64_C(0x3fb999999999999a), "0.1"},
                 {(uint64_t)-1000, "-1000"}};
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(VcodeModule) m = sample();
        m->constants.items[0] = cases[i].value;
        g_autoptr(GString) out = g_string_new(NULL);
        vcode_disassemble_instruction(m, 4, out);
        g_autofree char *end = g_strdup_printf("  ; %s", cases[i].meaning);
        cr_expect(g_str_has_suffix(out->str, end), "'%s' does not end in '%s'", out->str, end);
    }
}

Test(disassemble, source_lines)
{
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "orrery-source-test.c", NULL);
    cr_assert(g_file_set_contents(path, "1\n2\nint main(void)\n", -1, NULL));
    g_autoptr(VcodeModule) m = sample();
    m->files.items[0] = vcode_string(m, path);
    g_autoptr(GString) out = g_string_new(NULL);
    vcode_disassemble(m, true, out);
    cr_assert(strstr(out->str, ":3: int main(void)\n"));
    remove(path);
}
