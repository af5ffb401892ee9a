/* test_back_scalars.c - objects of the frame become registers: structs, small arrays, complex numbers, variables whose
 * address went to inlined calls; and those that must not.
 */
#include "back_helpers.h"

TestSuite(back_scalars);

static unsigned accesses(const VcodeModule *m, const char *function)
{
    static const VcodeOp ops[] = {VCODE_LD8S,  VCODE_LD8U,  VCODE_LD16S, VCODE_LD16U, VCODE_LD32S,
                                  VCODE_LD32U, VCODE_LD64,  VCODE_ST8,   VCODE_ST16,  VCODE_ST32,
                                  VCODE_ST64,  VCODE_BCOPY, VCODE_BZERO, VCODE_ENTER};
    unsigned n = 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(ops); i++)
        n += back_count(m, function, ops[i]);
    return n;
}

static void expect(const char *text, unsigned n)
{
    for (int level = 1; level <= 3; level++) {
        g_autoptr(VcodeModule) m = back_compile(text, level);
        cr_assert_eq(accesses(m, "f"), n, "%s at -O%d: %u accesses, expected %u", text, level, accesses(m, "f"), n);
    }
}

Test(back_scalars, structs_and_their_copies)
{
    expect(
        "struct s { int a; double b; }; double f(int x) { struct s s, t; s.a = x; s.b = 2; t = s; return t.a + t.b; }",
        0);
    expect("struct s { struct { char c, d; } in[2]; }; int f(int x) { struct s s = {{{1, 2}, {3, 4}}}; s.in[1].c = x;"
           "struct s t = s; return t.in[1].c + t.in[0].d; }",
           0);
}

Test(back_scalars, arguments_and_results_of_inlined_calls)
{
    expect("struct s { double x, y; }; static struct s make(double x, double y) { return (struct s){x, y}; }"
           "static double dot(struct s a, struct s b) { return a.x * b.x + a.y * b.y; }"
           "double f(double x, double y) { return dot(make(x, y), make(y, 1)); }",
           0);
    expect("struct s { float x, y; }; static struct s twice(struct s a) { a.x *= 2; return a; }"
           "float f(float x) { struct s s = {x, 3}; s = twice(s); return s.x + s.y; }",
           0);
}

Test(back_scalars, addresses_that_went_to_inlined_calls)
{
    expect("static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }"
           "int f(int x, int y) { swap(&x, &y); return x - 2 * y; }",
           0);
    expect("static int divide(int a, int b, int *rest) { if (rest) *rest = a % b; return a / b; }"
           "int f(int x) { int r; int q = divide(x, 7, &r); return q + r; }",
           0);
}

Test(back_scalars, small_arrays_and_complex_numbers)
{
    expect("int f(int x) { int v[3] = {x, x + 1}; v[2] = v[0] * v[1]; return v[2]; }", 0);
    expect("double f(double x) { double _Complex z = x; z = -z + 1; return __real__ z + __imag__ z; }", 0);
}

/* Registers are kept as the type of the access wants them. */
Test(back_scalars, unions_of_one_shape)
{
    expect("int f(float x) { union { float f; int i; unsigned u; } u; u.f = x; return u.i + (u.u > 5); }", 0);
}

Test(back_scalars, stores_that_nobody_reads_go)
{
    expect("struct s { int a, b, c; }; int f(int x) { struct s s = {x, x, x}; s.b = 5; return s.c; }", 0);
}

static void expect_memory(const char *text)
{
    g_autoptr(VcodeModule) m = back_compile(text, 3);
    cr_assert_eq(back_count(m, "f", VCODE_ENTER), 1, "%s", text);
}

Test(back_scalars, what_stays_in_memory)
{
    expect_memory("void g(int *); int f(int x) { int y = x; g(&y); return y; }");
    expect_memory("int f(int i) { int v[4] = {1, 2, 3, 4}; return v[i]; }");
    expect_memory("int f(int x) { volatile struct { int a; } s; s.a = x; return s.a; }");
    expect_memory("int f(int x) { union { int i; char c[4]; } u; u.i = x; return u.c[1]; }");
    expect_memory("long f(long x) { long a, b; a = x; b = x; return &a < &b; }");
    expect_memory("int *g; int f(int x) { int y = x, *names[] = {&y, 0}, **np = names; ++np; g = *np; return y; }");
}

/* The frame holds no more than what stayed. */
Test(back_scalars, the_frame_shrinks)
{
    g_autoptr(VcodeModule) m = back_compile("void g(char *); int f(int x) { struct { long v[8]; } s; char c[16];"
                                            "s.v[7] = x; g(c); return (int)s.v[7]; }",
                                            2);
    const VcodeFunction *f = back_function(m, "f");
    cr_assert_eq(vcode_imm32(m->code.items[f->code_start]), 16);
}
