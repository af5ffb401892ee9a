/* The grammar: what is C, what is not, and how the parser recovers after an error. */
#include "front_support.h"

#include <criterion/criterion.h>
#include <string.h>

Test(front_syntax, typedef_names_and_other_names) /* C11 6.7.8p3, 6.2.3, 6.7.6.3p11 */
{
    accept("typedef int T; int f(void) { T T = 3; return T; }");
    accept("typedef int T; int f(T T) { return T; }");
    accept("typedef int T; int f(int (T)); int g(int (*h)(int)); int k(void) { return g(0) + f(0); }");
    accept("typedef int T; struct T { T T; T : 3; unsigned U : 4; } T2; int f(struct T *T) { return T->T; }");
    accept("typedef int T; int f(void) { { double T = 1; T++; } T x = 1; T: return x; goto T; }");
    accept("typedef int T; int f(int x) { return (T)+x + (T)(x) + sizeof(T) * x; }");
    accept("typedef struct S S; struct S { S *next; }; S *f(S *s) { return s->next; }");
    accept("typedef int f_t(int); f_t f; int f(int x) { return x; } f_t *p = f;");
    accept("enum { A } ; typedef char C; int f(void) { enum { C } x = C; return x; }");
}

Test(front_syntax, declarators)
{
    accept("void (*signal(int, void (*)(int)))(int); int (*(*x[3])(void))[2]; int f(int a[static 3], int b[const], int "
           "n, int c[*]);");
    accept("int (f)(int (x)) { return (x); } unsigned long int long u; int long signed l; extern int typedef_; short "
           "unsigned s;");
    accept("int f(int n, int a[n][n]) { int (*p)[n] = a; return p[1][2] + sizeof a[0] + sizeof(int[n]); }");
    accept("int x __attribute__((aligned(16), unused)), *y __attribute__((unused)); __attribute__((noreturn)) void "
           "die(void);");
    accept("int f(void) asm(\"g\"); __extension__ typedef long long q; int g(const char *, ...) "
           "__attribute__((format(printf, 1, 2)));");
    accept("static inline int f(register int x) { auto int y = x; return y; } _Noreturn void g(void); _Alignas(16) "
           "char b[3];");
    accept("void *\n__attribute__((malloc)) __attribute__((alloc_size(1))) *f(int); int *const __attribute__((unused)) "
           "p = 0;");
    accept("typedef int word __attribute__((mode(DI))); _Static_assert(sizeof(word) == 8, \"\"); long l; typeof(l) m; "
           "__typeof__(int[3]) n;");
}

Test(front_syntax, old_style) /* C89: K&R definitions, implicit int and functions */
{
    accept("int f(a, b, c) int a; char *b; { return a + *b + c; }");
    warn("f(a) { return a; }", "return type of 'f' defaults to 'int'");
    warn("x = 3;", "data definition of 'x' has no type or storage class");
    warn("int f(void) { return g(1); }", "implicit declaration of function 'g'");
    warn("double f(double x) { return sqrt(x); } char *p(void) { return malloc(3); }",
         "implicit declaration of function 'sqrt'");
    accept("float f(float); float f(x) float x; { return x; } int g(); int h(void) { return g(1) + g(1, 2.0); }");
    accept("void main() { }");
    refuse("int f(a) int b; { return 0; }", "declaration of 'b', which is not a parameter");
    refuse("int f(int *); int f(x) int x; { return x; }", "does not match the prototype");
}

Test(front_syntax, narrow_old_style_parameters_arrive_promoted) /* C11 6.5.2.2p6 */
{
    Parsed parsed = parse("int f(a, b, c) char a; float b; int c; { return a + b + c; }");
    cr_assert_not_null(parsed.unit);
    const CcFunctionBody *body = symbol_of(&parsed, "f")->body;
    cr_assert_eq(body->n_parameters, 3);
    cr_expect_eq(body->parameters[0]->type->kind, CC_INT);
    cr_expect_eq(body->parameters[1]->type->kind, CC_DOUBLE);
    cr_expect_eq(body->body->first->kind, CC_DECLARATION);
    cr_expect_eq(body->body->first->symbol->type->kind, CC_CHAR);
    cr_expect_eq(body->body->first->next->symbol->type->kind, CC_FLOAT);
    parsed_free(&parsed);
}

Test(front_syntax, gnu_extensions)
{
    accept("int f(int x) { return ({ int y = x; y + 1; }) + (x ?: 3); }");
    accept("int f(int x) { switch (x) { case 1 ... 5: return 1; default: return 0; } }");
    accept("int f(int x) { static void *t[] = {&&a, &&b}; goto *t[x]; a: return 1; b: return 2; }");
    accept("int a[5] = {[2 ... 3] = 7, 8}; struct p { int x, y; } p = {x: 1, y: 2}; int b[] = {[3] 4};");
    accept("int f(int x) { return __builtin_expect(x, 1) + __builtin_choose_expr(1, 2, 3) + "
           "__builtin_types_compatible_p(int, int); }");
    accept("int f(int n, ...) { __builtin_va_list a, b; __builtin_va_start(a, n); __builtin_va_copy(b, a); int r = "
           "__builtin_va_arg(a, int)"
           " + __builtin_va_arg(b, long); __builtin_va_end(a); return r; }");
    accept("union u { int i; double d; }; union u f(double d) { return (union u)d; }");
    accept("int f(int n) { { lbl: } if (n) goto lbl; case_: ; int y; more: return y = n; }");
    accept("int f(int a, long b) { int r; return __builtin_add_overflow(a, b, &r) | __builtin_umul_overflow(a, 3, "
           "(unsigned *)&r); }");
    accept("#pragma omp parallel\nint f(void) { return __func__[0]; }");
}

Test(front_syntax, what_is_not_supported_is_said)
{
    refuse("int f(void) { asm volatile(\"rdtsc\" : : \"r\"(1)); return 0; }", "inline assembly is not supported");
    refuse("_Decimal64 x;", "type '_Decimal64' is not supported");
    refuse("int __int128 x;", "these type specifiers cannot be combined");
    refuse("void c(int *); void f(void) { int x __attribute__((cleanup(c))); }", "attribute 'cleanup'");
    refuse("int f(void) { return __builtin_nothing(1); }", "built-in function '__builtin_nothing' is not supported");
}

Test(front_syntax, many_errors_in_one_run_without_cascade)
{
    Parsed parsed = parse("int f(void) {\n"
                          "    int x = 3\n" /* 2: expected ; */
                          "    return x;\n"
                          "}\n"
                          "int g(int a {\n" /* 5: expected ) */
                          "    return a;\n"
                          "}\n"
                          "struct s { int a int b; int c; };\n" /* 8 */
                          "int h(struct s *p) {\n"
                          "    if (p->c {\n" /* 10 */
                          "        return p->c;\n"
                          "    }\n"
                          "    return nope;\n" /* 13 */
                          "}\n"
                          "int a[] = {1, 2 3};\n" /* 15 */
                          "strange y;\n"          /* 16 */
                          "strange *z(strange);\n");
    cr_expect_null(parsed.unit);
    cr_expect_eq(parsed.errors, 7, "%s", parsed.said);
    static const char *const places[] = {"2:14: error: expected ';'",
                                         "5:12: error: expected ')'",
                                         "8:17: error: expected ';'",
                                         "10:13: error: expected ')'",
                                         "13:12: error: 'nope' undeclared",
                                         "15:16: error: expected",
                                         "16:1: error: unknown type name 'strange'"};
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++)
        cr_expect_not_null(strstr(parsed.said, places[i]), "no '%s' in\n%s", places[i], parsed.said);
    parsed_free(&parsed);
}

/* Mistakes of a beginner: each is reported once, at its position, and nothing else is. */
Test(front_syntax, forgotten_signs_are_put_in)
{
    Parsed parsed = parse("int printf(const char *, ...);\n"
                          "struct p {\n    double x, y\n    double mass;\n};\n" /* 3 */
                          "int compute(int a, int b)\n    return a + b;\n}\n"   /* 6 */
                          "double average(double v[], int n) {\n"
                          "    double sum = 0\n"               /* 10 */
                          "    for (int i = 0; i < n; i++ {\n" /* 11 */
                          "        sum += v[i];\n    }\n"
                          "    return sum / n\n" /* 14 */
                          "}\n"
                          "int g(int rank) {\n"
                          "    printf(\"%d\n, rank);\n" /* 17 */
                          "    if (rank == 0) {\n        rank++;\n    } else\n        rank--;\n"
                          "    int arr[3] = {1, 2, 3;\n" /* 23 */
                          "    struct q { int a; }\n"    /* 24 */
                          "    int z = arr[0];\n"
                          "    return z + rank;\n}\n"
                          "int h(void) {\n    while (1) {\n        break;\n");
    static const char *const places[] = {
        "3:16: error: expected ';' before 'double'", "6:26: error: expected '{' to begin the body of 'compute'",
        "10:19: error: expected ';' before 'for'",   "11:31: error: expected ')' before '{'",
        "14:19: error: expected ';' before '}'",     "17:12: error: missing terminating",
        "23:26: error: expected '}' before ';'",     "24:24: error: expected ';' before 'int'",
        "29:15: error: this '{' is never closed"};
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++)
        cr_expect_not_null(strstr(parsed.said, places[i]), "no '%s' in\n%s", places[i], parsed.said);
    cr_expect_eq(parsed.errors, 9, "%s", parsed.said);
    parsed_free(&parsed);
}

Test(front_syntax, names_of_headers_are_suggested_though_they_are_macros)
{
    refuse("# 1 \"mpi.h\" 1 3\nextern int MPI_Send(void);\n# 2 \"a.c\" 2\nint x = MPI_DOUBL;",
           "'MPI_DOUBL' undeclared; did you mean 'MPI_DOUBLE'?");
    refuse("int x = MPI_DOUBL;", "1:9: error: 'MPI_DOUBL' undeclared\n");
}

Test(front_syntax, scopes_are_closed_after_errors)
{
    Parsed parsed = parse("int f(void) { { int x; { int y; x y z ( ; } for (int i = 0; i < 3 i++) { } } return x; }\n"
                          "int x; int g(void) { return x; }\n");
    cr_expect_not_null(strstr(parsed.said, "'x' undeclared"), "%s", parsed.said);
    cr_expect_null(strstr(parsed.said, "2:"), "%s", parsed.said);
    parsed_free(&parsed);
}

Test(front_syntax, stops_after_twenty_errors)
{
    GString *text = g_string_new(NULL);
    for (int i = 0; i < 100; i++)
        g_string_append_printf(text, "int v%d = u%d;\n", i, i);
    Parsed parsed = parse(text->str);
    cr_expect_eq(parsed.errors, 20);
    cr_expect_not_null(strstr(parsed.said, "too many errors"));
    parsed_free(&parsed);
    g_string_free(text, TRUE);
}

Test(front_syntax, rendering_shows_line_and_caret)
{
    Parsed parsed = parse("int f(void)\n{\n    return 1 + wrong * 2;\n}\n");
    cr_expect_str_eq(parsed.rendered, "test.c:3:16: error: 'wrong' undeclared\n"
                                      "    3 |     return 1 + wrong * 2;\n"
                                      "      |                ^~~~~\n");
    parsed_free(&parsed);
}

Test(front_syntax, line_markers_are_followed)
{
    Parsed parsed = parse("# 1 \"main.c\"\n# 1 \"dir/head.h\" 1\nint x;\n# 2 \"main.c\" 2\nint x = y;\n");
    cr_expect(g_str_has_prefix(parsed.rendered, "main.c:2:9: error: 'y' undeclared"), "%s", parsed.rendered);
    parsed_free(&parsed);
}

Test(front_syntax, warnings_can_be_errors_and_system_headers_are_quiet)
{
    CcOptions options = {.include_dir = "/nowhere", .warnings_are_errors = true};
    static const char text[] = "f(void) { return 1; }";
    Parsed parsed = parse_with(text, strlen(text), &options);
    cr_expect_gt(parsed.errors, 0);
    parsed_free(&parsed);
    parsed = parse("# 1 \"h.h\" 1 3\nf(void) { return 1; }\n");
    cr_expect_eq(parsed.warnings, 0, "%s", parsed.said);
    parsed_free(&parsed);
}
