/* test_back_code.c - the shape of the code: fused branches, immediate and indexed forms, small frames, tables. All of
 * it passes the verifier.
 */
#include "back_helpers.h"

TestSuite(back_code);

Test(back_code, immediates_are_in_the_instruction)
{
    g_autoptr(VcodeModule) m = back_compile("int f(int a) { return (a + 5) * 3 - 1; }", 1);
    cr_assert_eq(back_count(m, "f", VCODE_ADDI_W), 2);
    cr_assert_eq(back_count(m, "f", VCODE_MULI_W), 1);
    cr_assert_eq(back_count(m, "f", VCODE_MOVI), 0);
}

Test(back_code, immediates_that_do_not_fit_go_through_a_register)
{
    g_autoptr(VcodeModule) m = back_compile("int f(int a) { return a + 32768; } int g(int a) { return a - 32768; }"
                                            "int h(int *p) { return p[8192] + p[8191]; }",
                                            1);
    cr_assert_eq(back_count(m, "f", VCODE_ADD_W), 1);
    cr_assert_eq(back_count(m, "f", VCODE_MOVI), 1);
    cr_assert_eq(back_count(m, "g", VCODE_ADDI_W), 1);
    cr_assert_eq(back_count(m, "h", VCODE_LDX32S), 1, "displacement 32768 needs an index");
    cr_assert_eq(back_count(m, "h", VCODE_LD32S), 1);
}

Test(back_code, comparisons_are_fused_with_their_branch)
{
    g_autoptr(VcodeModule) m = back_compile("int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }"
                                            "int g(double a, double b) { return a < b && !(a >= 1) ? 1 : 2; }",
                                            1);
    cr_assert_eq(back_count(m, "f", VCODE_BLT), 1);
    cr_assert_eq(back_count(m, "f", VCODE_SLT), 0);
    cr_assert_eq(back_count(m, "g", VCODE_SLT_D) + back_count(m, "g", VCODE_SLE_D), 0);
}

/* C11 annex F.8.3: !(a < b) is not a >= b, for NaN is neither. */
Test(back_code, negated_comparisons_of_reals_keep_nan_apart)
{
    g_autoptr(VcodeModule) m = back_compile("int f(double a, double b) { if (a < b) return 1; return 2; }", 1);
    cr_assert_eq(back_count(m, "f", VCODE_BNLT_D) + back_count(m, "f", VCODE_BLT_D), 1);
    cr_assert_eq(back_count(m, "f", VCODE_BLE_D), 0);
}

Test(back_code, array_elements_take_one_instruction)
{
    g_autoptr(VcodeModule) m = back_compile("double f(double *a, long i) { return a[i]; }"
                                            "void g(short *a, long i) { a[i] = 1; }"
                                            "int h(char *p) { return p[3]; }",
                                            1);
    cr_assert_eq(back_count(m, "f", VCODE_LDX64), 1);
    cr_assert_eq(back_function(m, "f")->code_count, 2);
    cr_assert_eq(back_count(m, "g", VCODE_STX16), 1);
    cr_assert_eq(back_count(m, "h", VCODE_LD8S), 1);
    cr_assert_eq(back_function(m, "h")->code_count, 2);
}

Test(back_code, frames_are_small)
{
    g_autoptr(VcodeModule) m = back_compile("int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }"
                                            "int g(int a, int b) { return f(f(f(a) + f(b)) + 1); }"
                                            "int h(int a) { int b = a * 3; int c = b * 5; int d = c + b; return d; }",
                                            1);
    cr_assert_leq(back_function(m, "f")->registers, 4);
    cr_assert_leq(back_function(m, "g")->registers, 4);
    cr_assert_leq(back_function(m, "h")->registers, 3);
}

Test(back_code, dense_cases_are_a_table_and_sparse_ones_are_not)
{
    g_autoptr(VcodeModule) m = back_compile("int f(int n) { switch (n) { case 1: return 5; case 2: return 7; case 3: "
                                            "return 1; case 5: return 9; } return 0; }"
                                            "int g(int n) { switch (n) { case 1: return 5; case 1000: return 7; case "
                                            "50000: return 1; case 900000: return 9; }"
                                            " return 0; }",
                                            1);
    cr_assert_eq(back_count(m, "f", VCODE_SWITCH), 1);
    cr_assert_eq(back_count(m, "g", VCODE_SWITCH), 0);
    cr_assert_eq(m->switches.items[0].low, 1);
    cr_assert_eq(m->switches.items[0].count, 5);
}

Test(back_code, volatile_reads_stay)
{
    g_autoptr(VcodeModule) m = back_compile("volatile int v; void f(void) { v; v; v = v; }", 1);
    cr_assert_eq(back_count(m, "f", VCODE_LD32S), 3);
    cr_assert_eq(back_count(m, "f", VCODE_ST32), 1);
}

Test(back_code, without_optimisation_variables_are_in_memory)
{
    const char *text = "int f(int a) { int b = a; { double c = b; b += c; } return b; }";
    g_autoptr(VcodeModule) plain = back_compile(text, 0);
    const char *names[] = {"a", "b", "c"};
    for (unsigned i = 0; i < 3; i++)
        cr_assert_eq(back_variable(plain, names[i])->location, VCODE_AT_FRAME, "%s", names[i]);
    g_autoptr(VcodeModule) optimised = back_compile(text, 1);
    cr_assert_eq(back_count(optimised, "f", VCODE_ENTER), 0);
    cr_assert_eq(back_variable(optimised, "a")->location, VCODE_AT_PLACES, "until its last use");
}

/* C11 7.13.2.1p3: variables that were not changed since setjmp keep their values. Here the changed ones do so, too. */
Test(back_code, functions_that_call_setjmp_keep_variables_in_memory)
{
    g_autoptr(VcodeModule) m = back_compile("typedef long jmp_buf[8]; int setjmp(jmp_buf b); jmp_buf b; int g(int);"
                                            "int f(int a) { int n = a; if (setjmp(b)) return n; n = g(a); return n; }",
                                            1);
    const VcodeVariable *n = back_variable(m, "n");
    cr_assert_eq(n->location, VCODE_AT_FRAME);
}

Test(back_code, too_large_frames_are_refused)
{
    g_autoptr(GString) messages = g_string_new(NULL);
    VcodeModule *m = back_try("int f(void) { char a[3000000000L]; a[0] = 1; return a[0]; }", 1, false, messages);
    cr_assert_null(m);
    cr_assert_not_null(strstr(messages->str, "bytes of stack"), "%s", messages->str);
}

Test(back_code, too_many_arguments_are_refused)
{
    g_autoptr(GString) text = g_string_new("int f(); int g(void) { return f(0");
    for (int i = 0; i < 300; i++)
        g_string_append(text, ", 0");
    g_string_append(text, "); }");
    g_autoptr(GString) messages = g_string_new(NULL);
    cr_assert_null(back_try(text->str, 1, false, messages));
    cr_assert_not_null(strstr(messages->str, "301 arguments"), "%s", messages->str);
}

/* The verifier proves that branches end at blocks, windows are in the frame and so on. This program has one of
 * everything. */
Test(back_code, everything_verifies)
{
    const char *text =
        "int printf(const char *, ...); struct S { int a; char b[20]; unsigned f : 5; };"
        "struct S make(int n) { struct S s = {n, \"text\", 3}; s.f++; return s; }"
        "int loop(int n) { int t = 0; while (n--) { if (n % 3 == 0) continue; if (n > 50) break; t += n; } do t--; "
        "while (t > 9);"
        " for (;;) { if (t++ > 20) goto out; } out: return t; }"
        "int sw(unsigned long x) { switch (x) { case 0: case 1: case 2: case 4: return 1; case 1UL << 63: return 2;"
        " case 100 ... 200: x++; default: x += 2; } return x; }"
        "int vla(int n) { int a[n]; { int b[n][n]; b[0][0] = n; a[0] = b[0][0]; if (n > 3) goto end; } end: return "
        "a[0]; }"
        "int computed(int n) { static void *t[] = {&&a, &&b}; goto *t[n]; a: return 1; b: return 2; }"
        "double c(double _Complex z) { z = z * z / (z + 1); return __real__ z; }"
        "int var(int n, ...) { __builtin_va_list v; __builtin_va_start(v, n); int r = __builtin_va_arg(v, int); return "
        "r; }"
        "int logic(int a, int b, double d) { return (a && b || !d) ? a ?: b : (a, b); }"
        "static int (*table[])(int) = {loop, vla, computed}; void _start(int argc) { int r = 0;"
        " for (int i = 0; i < 3; i++) r += table[i](i); r += make(r).b[1] + sw(r) + c(1) + var(2, 3, 4.0) + logic(r, "
        "1, 2);"
        " printf(\"%d\\n\", r); for (;;); }";
    for (int optimise = 0; optimise < 2; optimise++) {
        VcodeModule *object = back_compile(text, optimise);
        char *message;
        g_autoptr(VcodeModule) program = back_link(&object, 1, &message);
        cr_assert_not_null(program, "%s", message);
        GError *error = NULL;
        cr_assert(vcode_verify(program, &error), "-O%d: %s", optimise, error ? error->message : "");
        vcode_module_free(object);
    }
}
