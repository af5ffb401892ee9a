/* test_back_scalars.c - objects of the frame that become registers: structs, small arrays, complex numbers, variables
 * whose address went to inlined calls; and objects that must stay.
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

/* A register is kept in the form that the type of the access needs. */
Test(back_scalars, unions_of_one_shape)
{
    expect("int f(float x) { union { float f; int i; unsigned u; } u; u.f = x; return u.i + (u.u > 5); }", 0);
}

Test(back_scalars, stores_that_nobody_reads_go)
{
    expect("struct s { int a, b, c; }; int f(int x) { struct s s = {x, x, x}; s.b = 5; return s.c; }", 0);
}

#define COMPLEX "typedef struct { double re, im; } complex; "

/* Checks the numbers of loads and stores at -O1 to -O3, and that nothing is left in the frame. */
static void expect_split(const char *text, unsigned loads, unsigned stores)
{
    for (int level = 1; level <= 3; level++) {
        g_autoptr(VcodeModule) m = back_compile(text, level);
        unsigned n = accesses(m, "f");
        cr_assert_eq(back_count(m, "f", VCODE_BCOPY) + back_count(m, "f", VCODE_BZERO), 0, "%s at -O%d", text, level);
        cr_assert_eq(back_count(m, "f", VCODE_ENTER), 0, "%s at -O%d", text, level);
        cr_assert_eq(n, loads + stores, "%s at -O%d: %u accesses, expected %u", text, level, n, loads + stores);
    }
}

Test(back_scalars, copies_from_and_to_memory_become_loads_and_stores)
{
    expect_split(COMPLEX "double f(complex *v, int i) { complex z = v[i]; return z.re * z.re + z.im * z.im; }", 2, 0);
    expect_split(COMPLEX "void f(complex *v, double x) { *v = (complex){x, x + 1}; }", 0, 2);
    expect_split(COMPLEX "complex f(complex a, complex b) { return (complex){a.re - b.re, a.im - b.im}; }", 4, 2);
    expect_split(COMPLEX "static complex times(complex a, complex b)"
                         "{ return (complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }"
                         "void f(complex *v, complex w) { complex even = v[0], odd = times(w, v[1]);"
                         "v[0] = (complex){even.re + odd.re, even.im + odd.im};"
                         "v[1] = (complex){even.re - odd.re, even.im - odd.im}; }",
                 6, 4);
    expect_split("struct s { int a; struct { short b, c; } in; } g[2];"
                 "void f(void) { struct s s = g[1]; s.a += s.in.b; s.in.c++; g[0] = s; }",
                 3, 3);
}

/* Members that nobody reads are not loaded. Members that no access names are copied all the same, and so is padding. */
Test(back_scalars, split_copies_carry_what_is_read)
{
    expect_split("struct s { long a, b, c; }; long f(struct s *p) { struct s s = *p; return s.b; }", 1, 0);
    expect_split(COMPLEX "void f(complex *v, int i) { complex z = v[i]; z.re += 1; v[0] = z; }", 2, 2);
    expect_split("struct s { int a; double b; }; void f(struct s *p, int x) { *p = (struct s){x, x}; }", 0, 3);
    expect_split("struct s { long a; char text[8]; }; void f(struct s *p) { struct s s = p[1]; s.a++; *p = s; }", 2, 2);
}

static void expect_blocks(const char *text, unsigned n)
{
    g_autoptr(VcodeModule) m = back_compile(text, 3);
    cr_assert_eq(back_count(m, "f", VCODE_BCOPY), n, "%s: %u copies, expected %u", text,
                 back_count(m, "f", VCODE_BCOPY), n);
}

Test(back_scalars, what_is_cheaper_as_a_block_stays_one)
{
    expect_blocks(COMPLEX "void f(complex *a, complex *b) { complex t = *a; *a = *b; *b = t; }", 3);
    expect_blocks("struct s { long v[8]; }; void f(struct s *p) { struct s s = p[0]; s.v[3]++; p[1] = s; }", 2);
    expect_blocks("struct s { long v[9]; }; long f(struct s *p) { struct s s = p[0]; return s.v[3]; }", 1);
    expect_blocks("struct s { int a; long b; char c; }; void f(struct s *p) { struct s s = p[1]; s.c = 1; *p = s; }",
                  2);
}

Test(back_scalars, volatile_copies_and_shapes_that_differ_stay_blocks)
{
    expect_blocks(COMPLEX "double f(volatile complex *v) { complex z = *v; return z.re + z.im; }", 1);
    expect_blocks(COMPLEX "void f(volatile complex *v, double x) { *v = (complex){x, x}; }", 1);
    expect_blocks("union u { struct { long a, b; } l; char c[16]; };"
                  "int f(union u *p) { union u u = *p; return u.c[3] + (int)u.l.a; }",
                  1);
}

/* A debugger finds every member in its register. */
Test(back_scalars, members_of_split_copies_have_places)
{
    g_autoptr(VcodeModule) m = back_compile(
        COMPLEX "double f(complex *v, int n) { double s = 0; for (int i = 0; i < n; i++) { complex z = v[i];"
                "s += z.re / z.im; s *= z.im - z.re; } return s; }",
        2);
    const VcodeVariable *z = back_variable(m, "z");
    cr_assert_not_null(z);
    cr_assert_eq(z->location, VCODE_AT_PLACES);
    bool found[2] = {false, false};
    for (uint32_t i = z->first; i < z->first + z->count; i++) {
        const VcodePlace *place = &m->places.items[i];
        cr_assert_eq(place->size, 8);
        cr_assert(place->offset == 0 || place->offset == 8);
        found[place->offset / 8] |= place->location == VCODE_AT_REGISTER && place->pc_high > place->pc_low;
    }
    cr_assert(found[0] && found[1]);
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

/* The frame holds only the objects that stayed. */
Test(back_scalars, the_frame_shrinks)
{
    g_autoptr(VcodeModule) m = back_compile("void g(char *); int f(int x) { struct { long v[8]; } s; char c[16];"
                                            "s.v[7] = x; g(c); return (int)s.v[7]; }",
                                            2);
    const VcodeFunction *f = back_function(m, "f");
    cr_assert_eq(vcode_imm32(m->code.items[f->code_start]), 16);
}
