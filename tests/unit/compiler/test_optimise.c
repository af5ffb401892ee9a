/* test_optimise.c - what each pass of the optimiser does to code, judged by the remaining instructions. */
#include "back_helpers.h"

TestSuite(optimise);

static unsigned code_size(const VcodeModule *m, const char *function)
{
    return back_function(m, function)->code_count;
}

/* Counts instructions with this operation between the target of the function's last backward branch and that branch. */
static unsigned count_in_loop(const VcodeModule *m, const char *function, VcodeOp op)
{
    const VcodeFunction *f = back_function(m, function);
    const VcodeInstr *code = m->code.items + f->code_start;
    unsigned n = 0;
    for (uint32_t pc = f->code_count; pc-- > 0;) {
        VcodeForm form = vcode_op_info[vcode_op(code[pc])].form;
        bool branch = form == VCODE_FORM_BRR || form == VCODE_FORM_BRI;
        if (!branch || vcode_off24(code[pc]) >= 0)
            continue;
        for (uint32_t k = pc + 1 + (uint32_t)vcode_off24(code[pc]); k <= pc; k++)
            n += vcode_op(code[k]) == op;
        return n;
    }
    cr_assert_fail("%s has no loop", function);
    return 0;
}

Test(optimise, constants_are_computed)
{
    g_autoptr(VcodeModule) m = back_compile("int f(void) { int a = 6, b = 7; return a * b; }"
                                            "int g(void) { double x = 1.5; return x * 2 == 3; }"
                                            "int h(void) { unsigned a = 0; a--; return a > 5; }",
                                            1);
    cr_assert_eq(code_size(m, "f"), 2);
    cr_assert_eq(code_size(m, "g"), 2);
    cr_assert_eq(code_size(m, "h"), 2);
}

/* C11 6.5.5p5: a division by zero is left to fault at run time. */
Test(optimise, division_by_zero_is_left_to_fault)
{
    g_autoptr(VcodeModule) m = back_compile("int f(void) { int a = 6, b = 0; return a / b; }", 1);
    cr_assert_eq(back_count(m, "f", VCODE_DIV_W), 1);
}

Test(optimise, common_subexpressions_are_computed_once)
{
    g_autoptr(VcodeModule) m =
        back_compile("int f(int a, int b, int c) { int x = a * b; if (c) x += b * a; return x + a * b; }", 1);
    cr_assert_eq(back_count(m, "f", VCODE_MUL_W), 1);
}

Test(optimise, second_load_of_the_same_bytes_goes)
{
    g_autoptr(VcodeModule) m =
        back_compile("struct s { int a, b; }; int f(struct s *p) { int x = p->a; p->b = 3; return x + p->a; }"
                     "int g(int *p, int *q) { int x = *p; *q = 3; return x + *p; }"
                     "int other(void); int h(int *p) { int x = *p; other(); return x + *p; }"
                     "int i(volatile int *p) { int x = *p; return x + *p; }",
                     1);
    cr_assert_eq(back_count(m, "f", VCODE_LD32S), 1, "another offset from the same base");
    cr_assert_eq(back_count(m, "g", VCODE_LD32S), 2, "q may be p");
    cr_assert_eq(back_count(m, "h", VCODE_LD32S), 2, "a call may write anywhere");
    cr_assert_eq(back_count(m, "i", VCODE_LD32S), 2, "volatile");
}

Test(optimise, stored_value_is_not_loaded_again)
{
    g_autoptr(VcodeModule) m = back_compile("int x, y; int f(int a) { x = a; y = 1; return x; }"
                                            "int g(int a, int *p) { x = a; *p = 1; return x; }"
                                            "signed char c; int h(int a) { c = (signed char)a; return c; }",
                                            1);
    cr_assert_eq(back_count(m, "f", VCODE_LD32S), 0, "x and y are apart");
    cr_assert_eq(back_count(m, "g", VCODE_LD32S), 1, "p may point to x");
    cr_assert_eq(back_count(m, "h", VCODE_LD8S), 0);
}

Test(optimise, decided_branches_go)
{
    g_autoptr(VcodeModule) m =
        back_compile("int f(int a) { if (a < 5) { if (a < 10) return 1; return 2; } return 3; }"
                     "int g(int a, int b) { if (a == b) { if (a != b) return 9; return 1; } return 4; }",
                     1);
    cr_assert_eq(back_count(m, "f", VCODE_BLTI) + back_count(m, "f", VCODE_BGEI), 1);
    cr_assert_eq(back_count(m, "g", VCODE_BNE) + back_count(m, "g", VCODE_BEQ), 1);
}

Test(optimise, invariants_leave_the_loop)
{
    g_autoptr(VcodeModule) m =
        back_compile("double f(double *a, int n, double x, double y) { double s = 0; for (int i = 0; i < n; i++) s += "
                     "a[i] * (x / y); "
                     "return s; }"
                     "int limit; int g(int *a) { int s = 0; for (int i = 0; i < limit; i++) s += a[i]; return s; }"
                     "int h(int *a) { int i = 0; for (; i < limit; i++) a[i] = 0; return i; }",
                     1);
    cr_assert_eq(back_count(m, "f", VCODE_DIV_D), 1);
    cr_assert_eq(count_in_loop(m, "f", VCODE_DIV_D), 0);
    cr_assert_eq(count_in_loop(m, "g", VCODE_LD32S), 0, "nothing writes the limit");
    cr_assert_eq(count_in_loop(m, "h", VCODE_LD32S), 1, "a[i] may be the limit");
}

/* A load that may fault must stay behind a call that comes first in the loop. */
Test(optimise, loads_that_may_fault_stay_behind_calls)
{
    g_autoptr(VcodeModule) m = back_compile(
        "void out(void); long f(long *p, int n) { long s = 0; do { out(); s += *p; } while (--n); return s; }", 1);
    cr_assert_eq(count_in_loop(m, "f", VCODE_LD64), 1);
}

Test(optimise, multiplications_leave_the_loop)
{
    g_autoptr(VcodeModule) m = back_compile(
        "double b[100][77]; double f(int j) { double s = 0; for (int k = 0; k < 100; k++) s += b[k][j]; return s; }"
        "void g(int *a, int n) { for (int i = 0; i < n; i++) a[i] = i * 12; }",
        1);
    cr_assert_eq(count_in_loop(m, "f", VCODE_MULI_L), 0);
    cr_assert_eq(count_in_loop(m, "f", VCODE_LD64), 1);
    cr_assert_eq(count_in_loop(m, "g", VCODE_MULI_W), 0);
}

Test(optimise, neighbours_in_an_array_take_one_instruction_each)
{
    g_autoptr(VcodeModule) m =
        back_compile("void f(double *a, const double *b, int n, int i) { for (int j = 1; j < n; j++)"
                     " a[i * n + j] = b[i * n + j - 1] + b[i * n + j + 1] + b[(i - 1) * n + j]; }",
                     1);
    cr_assert_eq(count_in_loop(m, "f", VCODE_LDX64), 3);
    cr_assert_eq(count_in_loop(m, "f", VCODE_STX64), 1);
    cr_assert_eq(count_in_loop(m, "f", VCODE_ADDI_W), 1, "the counter's");
    cr_assert_eq(count_in_loop(m, "f", VCODE_ADD_W), 0);
}

Test(optimise, loops_carry_no_copies)
{
    g_autoptr(VcodeModule) m =
        back_compile("int f(const char *p) { int h = 0; while (*p) h = h * 31 + *p++; return h; }"
                     "void g(long *a, int n) { int i = 0; while (i < n) a[i++] = 7; }",
                     1);
    cr_assert_eq(count_in_loop(m, "f", VCODE_MOV), 0);
    cr_assert_eq(count_in_loop(m, "g", VCODE_MOV), 0);
}

Test(optimise, divisions_by_constants_are_products)
{
    g_autoptr(VcodeModule) m = back_compile("int f(int a) { return a / 10; } unsigned g(unsigned a) { return a % 7; }"
                                            "long h(long a) { return a / 1000; } int i(int a) { return a % 8; }"
                                            "int j(int a) { return a / -1; }",
                                            1);
    cr_assert_eq(back_count(m, "f", VCODE_DIV_W) + back_count(m, "g", VCODE_MOD_UW), 0);
    cr_assert_eq(back_count(m, "h", VCODE_DIV_L) + back_count(m, "i", VCODE_MOD_W), 0);
    cr_assert_eq(back_count(m, "j", VCODE_DIV_W), 1, "may overflow");
}

/* Two names of one object, and two objects that are certainly distinct. */
Test(optimise, aliases_are_one_object)
{
    g_autoptr(VcodeModule) m = back_compile(
        "int a, b; extern int c __attribute__((alias(\"a\"))); extern int d, e; extern int w __attribute__((weak));"
        "int f(void) { a = 1; c = 2; return a; } int g(void) { a = 1; b = 2; return a; }"
        "int h(void) { d = 1; e = 2; return d; } int i(void) { b = 1; d = 2; return b; }"
        "int j(void) { w = 1; e = 2; return w; } int k(void) { b = 1; w = 2; return b; }",
        1);
    cr_assert_eq(back_count(m, "f", VCODE_LD32S), 1, "c is a");
    cr_assert_eq(back_count(m, "g", VCODE_LD32S), 0, "both are of this unit");
    cr_assert_eq(back_count(m, "h", VCODE_LD32S), 1, "the unit that defines d may call it e");
    cr_assert_eq(back_count(m, "i", VCODE_LD32S), 0, "an alias of b would be in this unit");
    cr_assert_eq(back_count(m, "j", VCODE_LD32S), 1, "w may be e");
    cr_assert_eq(back_count(m, "k", VCODE_LD32S), 0);
}

/* Every label of the switch begins a block that only jumps to the next. */
Test(optimise, long_chains_of_empty_blocks, .timeout = 30)
{
    g_autoptr(GString) text = g_string_new("int f(int x) { switch (x) {");
    for (int i = 0; i < 100000; i++)
        g_string_append_printf(text, "case %d:", i);
    g_string_append(text, "return 1; } return 0; }");
    for (int level = 0; level < 2; level++) {
        g_autoptr(VcodeModule) m = back_compile(text->str, level);
        cr_assert_eq(back_count(m, "f", VCODE_JMP), 0);
    }
}

static unsigned stores(const VcodeModule *m, const char *function)
{
    unsigned n = 0;
    for (VcodeOp op = 0; op < VCODE_OP_COUNT; op++)
        n += vcode_op_info[op].kind == VCODE_KIND_STORE ? back_count(m, function, op) : 0;
    return n;
}

Test(optimise, overwritten_stores_go)
{
    g_autoptr(VcodeModule) m = back_compile("int x, y; struct s { int a, b; }; void call(void);"
                                            "void f(int n) { x = 1; n *= 3; x = n; }"
                                            "void g(struct s *p, int n) { p->a = 1; n *= 3; p->a = n; }"
                                            "void h(int n) { x = 1; y = n; x = 2; }"
                                            "void i(long *p, int n) { *(char *)p = 1; *(short *)p = 2; *p = n; }"
                                            "void j(int *p, int n) { p[n] = 1; p[n] = 2; }",
                                            1);
    cr_assert_eq(stores(m, "f"), 1);
    cr_assert_eq(stores(m, "g"), 1);
    cr_assert_eq(stores(m, "h"), 2, "y is not x, and cannot fault");
    cr_assert_eq(stores(m, "i"), 1);
    cr_assert_eq(stores(m, "j"), 1);
}

Test(optimise, stores_that_something_may_read_stay)
{
    g_autoptr(VcodeModule) m = back_compile("int x; volatile int v; struct s { int a, b; }; void call(void);"
                                            "void f(void) { x = 1; call(); x = 2; }"
                                            "int g(int *p) { x = 1; int n = *p; x = 2; return n; }"
                                            "void h(void) { v = 1; v = 2; }"
                                            "void i(int n) { x = 1; if (n) x = 2; }"
                                            "void j(long *p) { *p = 1; *(int *)p = 2; }"
                                            "void k(volatile struct s *p) { p->a = 1; p->a = 2; }",
                                            1);
    for (const char *name = "fghijk"; *name; name++)
        cr_assert_eq(stores(m, (char[]){*name, 0}), 2, "%c", *name);
}

/* What faulted first must still fault first: the first store, or what is between it and the second. */
Test(optimise, stores_that_may_fault_stay_before_what_may_fault)
{
    g_autoptr(VcodeModule) m = back_compile("void f(int *p, int *q) { *p = 1; *q = 2; *p = 3; }"
                                            "int g(int *p, int a, int b) { *p = 1; a /= b; *p = 2; return a; }"
                                            "volatile int v; void h(int *p) { *p = 1; v = 5; *p = 2; }"
                                            "int i(int n) { int a[4]; a[n] = 1; return 2; }",
                                            1);
    cr_assert_eq(stores(m, "f"), 3);
    cr_assert_eq(stores(m, "g"), 2);
    cr_assert_eq(stores(m, "h"), 3);
    cr_assert_eq(stores(m, "i"), 1, "n may be anything");
}

/* An index by a variable keeps the array in memory. */
Test(optimise, stores_to_the_frame_that_nothing_reads_go)
{
    g_autoptr(VcodeModule) m = back_compile(
        "void call(void); void use(int *);"
        "int f(int n) { int a[4]; a[2] = n; int s = a[n & 3]; a[0] = 5; call(); a[1] = s; return s; }"
        "int g(int n) { int a[4]; a[0] = n; a[1] = 3; for (int i = 0; i < n; i++) { n -= a[i & 1]; a[1] = i; }"
        " a[0] = 4; return n; }"
        "int h(int n) { int a[4]; a[0] = 1; a[1] = 2; if (n) { a[0] = 7; call(); } return a[n]; }"
        "void i(void) { int a[2]; a[0] = 1; use(a); a[1] = 2; use(a); a[0] = 3; }"
        "int j(int n) { int a[4]; a[0] = 1; if (n) a[0] = 2; else a[0] = 3; a[1] = 4; return a[n]; }",
        1);
    cr_assert_eq(stores(m, "f"), 1, "reads come before the others");
    cr_assert_eq(stores(m, "g"), 3, "the next turn reads what this one stores; a[0] = 4 goes");
    cr_assert_eq(stores(m, "h"), 3);
    cr_assert_eq(stores(m, "i"), 2, "after the last call nobody looks");
    cr_assert_eq(stores(m, "j"), 3, "both ways overwrite the first");
}
