/* test_back_inline.c - which calls are inlined and which are not; functions that become unused; expansions in the line
 * table.
 */
#include "back_helpers.h"

TestSuite(back_inline);

static unsigned calls(const VcodeModule *m, const char *function)
{
    return back_count(m, function, VCODE_CALL) + back_count(m, function, VCODE_CALLI);
}

static const VcodeInline *expansion(const VcodeModule *m, const char *name)
{
    for (uint32_t i = 0; i < m->inlines.count; i++)
        if (strcmp(vcode_text(m, m->inlines.items[i].name), name) == 0)
            return &m->inlines.items[i];
    return NULL;
}

Test(back_inline, small_leaves_are_inlined_and_go)
{
    const char *text = "static int square(int x) { return x * x; }\n"
                       "int f(int a) { return square(a) + square(a + 1); }";
    g_autoptr(VcodeModule) plain = back_compile(text, 0);
    cr_assert_eq(calls(plain, "f"), 2);
    for (int level = 1; level <= 3; level++) {
        g_autoptr(VcodeModule) m = back_compile(text, level);
        cr_assert_eq(calls(m, "f"), 0, "-O%d", level);
        cr_assert_null(back_function(m, "square"));
        cr_assert_eq(m->inlines.count, 2);
    }
}

Test(back_inline, functions_that_something_else_needs_stay)
{
    g_autoptr(VcodeModule) m =
        back_compile("static int one(void) { return 1; } int two(void) { return 2; }"
                     "static int three(void) { return 3; } int (*pointer)(void) = three;"
                     "int f(void) { int (*p)(void) = one; return one() + two() + three() + p(); }",
                     2);
    cr_assert_not_null(back_function(m, "one"));
    cr_assert_not_null(back_function(m, "two"));
    cr_assert_not_null(back_function(m, "three"));
}

/* A large function is inlined at its only call. */
Test(back_inline, the_only_call)
{
    const char *body =
        "{ int s = 0; for (int i = 0; i < n; i++) { s += i * n; s ^= i << 3; s -= n / (i + 1); s += s >> 2;"
        "s *= 3; s += i % 7; s ^= n; } return s; }";
    g_autofree char *once = g_strdup_printf("static int big(int n) %s int f(int n) { return big(n) + 1; }", body);
    g_autofree char *twice =
        g_strdup_printf("static int big(int n) %s int f(int n) { return big(n) + big(n + 1); }", body);
    g_autofree char *seen = g_strdup_printf("int big(int n) %s int f(int n) { return big(n) + 1; }", body);
    g_autoptr(VcodeModule) a = back_compile(once, 1), b = back_compile(twice, 1), c = back_compile(seen, 1);
    cr_assert_eq(calls(a, "f"), 0);
    cr_assert_null(back_function(a, "big"));
    cr_assert_eq(calls(b, "f"), 2);
    cr_assert_eq(calls(c, "f"), 1, "it is not static, so it stays anyhow");
}

/* Recursion must not carry a callee's large frame at every level. */
Test(back_inline, wide_frames_stay_apart)
{
    g_autoptr(VcodeModule) m =
        back_compile("void use(char *); static void report(int n) { char text[5000]; text[0] = (char)n;"
                     "use(text); } int f(int n) { if (n == 7) report(n); return n ? f(n - 1) : 0; }",
                     3);
    cr_assert_not_null(back_function(m, "report"));
    cr_assert_eq(back_count(m, "f", VCODE_ENTER), 0);
}

/* Function specifiers and attributes: C11 6.7.4p6, and GNU. */
Test(back_inline, attributes)
{
    const char *loop = "{ int s = 1; for (int i = 0; i < n; i++) s = s * 3 + i; return s; }";
    g_autofree char *text = g_strdup_printf("__attribute__((always_inline)) static int always(int n) %s"
                                            "__attribute__((noinline)) static int never(int n) { return n; }"
                                            "static inline int hinted(int n) %s static int plain(int n) %s"
                                            "int f(int n) { return always(n) + always(n + 1); }"
                                            "int g(int n) { return never(n); }"
                                            "int h(int n) { return hinted(n) + hinted(n + 1); }"
                                            "int i(int n) { return plain(n) + plain(n + 1) + plain(n + 2); }",
                                            loop, loop, loop);
    g_autoptr(VcodeModule) m = back_compile(text, 1);
    cr_assert_eq(calls(m, "f"), 0);
    cr_assert_eq(calls(m, "g"), 1);
    cr_assert_eq(calls(m, "h"), 0);
    g_autoptr(VcodeModule) none = back_compile(text, 0);
    cr_assert_eq(calls(none, "f"), 2, "-O0 inlines nothing");
}

Test(back_inline, what_must_not_be_inlined)
{
    g_autoptr(VcodeModule) w =
        back_compile("__attribute__((weak)) int w(int x) { return x; } int f(void) { return w(1); }", 3);
    cr_assert_eq(calls(w, "f"), 1, "another definition may replace it");
    g_autoptr(VcodeModule) v =
        back_compile("static int v(int n, ...) { return n; } int f(void) { return v(1, 2); }", 3);
    cr_assert_eq(calls(v, "f"), 1, "variable arguments");
    g_autoptr(VcodeModule) a = back_compile("static char *a(int n) { return __builtin_alloca(n); }"
                                            "int f(void) { char *p = a(5); return p[0]; }",
                                            3);
    cr_assert_eq(calls(a, "f"), 1, "alloca lives as long as its function");
    g_autoptr(VcodeModule) s = back_compile("static int s(int n) { int v[n]; v[0] = n; return v[0]; }"
                                            "int f(void) { return s(3); }",
                                            3);
    cr_assert_eq(calls(s, "f"), 1, "variable-length arrays");
    g_autoptr(VcodeModule) r =
        back_compile("int r(int n) { return n ? n * r(n - 1) : 1; } int f(int n) { return r(n); }", 3);
    cr_assert_eq(calls(r, "f"), 1, "recursion");
    g_autoptr(VcodeModule) l =
        back_compile("static int l(int n) { void *p[] = {&&x, &&y}; goto *p[n]; x: return 1; y: return 2; }"
                     "int f(int n) { return l(n); }",
                     3);
    cr_assert_eq(calls(l, "f"), 1, "labels as values");
}

Test(back_inline, rings_end)
{
    g_autoptr(VcodeModule) m = back_compile("static int odd(int); static int even(int n) { return n ? odd(n - 1) : 1; }"
                                            "static int odd(int n) { return n ? even(n - 1) : 0; }"
                                            "int f(int n) { return even(n); }",
                                            3);
    cr_assert_geq(calls(m, "f"), 1);
}

/* f calls outer at line 3, outer calls inner at line 2. */
Test(back_inline, line_table)
{
    g_autoptr(VcodeModule) m = back_compile("static int inner(int *p) { return *p; }\n"
                                            "static int outer(int *p) { return inner(p) + 1; }\n"
                                            "int f(int *p) { return outer(p); }",
                                            2);
    const VcodeInline *outer = expansion(m, "outer"), *inner = expansion(m, "inner");
    cr_assert_not_null(outer);
    cr_assert_not_null(inner);
    cr_assert_eq(outer->parent, VCODE_NONE);
    cr_assert_eq(outer->call_line, 3);
    cr_assert_eq(inner->parent, (uint32_t)(outer - m->inlines.items));
    cr_assert_eq(inner->call_line, 2);
    const VcodeFunction *f = back_function(m, "f");
    bool seen = false;
    for (uint32_t pc = f->code_start; pc < f->code_start + f->code_count; pc++)
        if (vcode_op(m->code.items[pc]) == VCODE_LD32S) {
            uint32_t inlined = vcode_pc_inlined(m, pc);
            cr_assert_eq(inlined, (uint32_t)(inner - m->inlines.items));
            cr_assert_eq(vcode_inline_depth(m, inlined), 2);
            cr_assert_eq(vcode_pc_line(m, pc)->line, 1);
            seen = true;
        }
    cr_assert(seen);
}

/* Each of 3,000 functions calls the one before twice: the code must not double each time. */
Test(back_inline, code_grows_in_proportion)
{
    g_autoptr(GString) text = g_string_new("static int f0(int x) { return x + 1; }\n");
    for (int i = 1; i < 3000; i++)
        g_string_append_printf(text, "static int f%d(int x) { return f%d(x) * 3 + f%d(x + %d); }\n", i, i - 1, i - 1,
                               i);
    g_string_append(text, "int last(int x) { return f2999(x); }");
    g_autoptr(VcodeModule) m = back_compile(text->str, 3);
    cr_assert_leq(m->code.count, 3000 * 200);
}

/* Joining and linking preserve expansions and locations. */
Test(back_inline, objects_that_are_joined)
{
    const char *text = "static int third(int *p) { return p[%d]; }\n"
                       "int f%d(int *p) { int n = third(p); return n * n + %s; }";
    g_autofree char *first = g_strdup_printf(text, 1, 1, "0"), *second = g_strdup_printf(text, 2, 2, "f1(p)");
    VcodeModule *objects[] = {back_compile(first, 2), back_compile(second, 2)};
    CcDiagnostics *diagnostics = cc_diagnostics_new(back_ignore, NULL, false);
    g_autoptr(VcodeModule) joined = cc_join(objects, 2, false, diagnostics, NULL);
    cr_assert_not_null(joined);
    cr_assert_eq(joined->inlines.count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const VcodeInline *record = &joined->inlines.items[i];
        cr_assert_str_eq(vcode_text(joined, record->name), "third");
        const VcodeFunction *f = &joined->functions.items[record->function];
        cr_assert_str_eq(vcode_text(joined, f->name), i == 0 ? "f1" : "f2");
        unsigned covered = 0;
        for (uint32_t pc = f->code_start; pc < f->code_start + f->code_count; pc++)
            covered += vcode_pc_inlined(joined, pc) == i;
        cr_assert_gt(covered, 0);
    }
    const VcodeVariable *n = &joined->variables.items[joined->variables.count - 1];
    for (uint32_t i = n->first; i < n->first + n->count; i++)
        cr_assert(joined->places.items[i].pc_low >= n->pc_low && joined->places.items[i].pc_high <= n->pc_high);
    cc_diagnostics_free(diagnostics);
    vcode_module_free(objects[0]);
    vcode_module_free(objects[1]);
}
