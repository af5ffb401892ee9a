/* Semantic checks: each row is a program, and the diagnostic that it must get. */
#include "front_support.h"

#include <criterion/criterion.h>
#include <string.h>

typedef struct Row {
    const char *text, *message;
} Row;

Test(front_checks, errors)
{
    static const Row rows[] = {
        {"int alpha; int f(void) { return alhpa; }", "'alhpa' undeclared; did you mean 'alpha'?"},
        {"int f(void) { return INT_MAX; }", "'INT_MAX' undeclared; include <limits.h>"},
        {"bool f(void);", "unknown type name 'bool'; include <stdbool.h>"},
        {"struct s { int width; }; int f(struct s *p) { return p->widht; }",
         "no member named 'widht'; did you mean 'width'?"},
        {"struct s { int a; }; int f(struct s s) { return s->a; }", "did you mean to use '.'?"},
        {"struct s { int a; }; int f(struct s *s) { return s.a; }", "did you mean to use '->'?"},
        {"int f(int a, int b); int g(void) { return f(1); }", "too few arguments to function 'f': expected 2, have 1"},
        {"int f(int a); int g(void) { return f(1, 2); }", "1:5: note: 'f' is declared here"},
        {"int f(int a, ...); int g(void) { return f(); }", "expected at least 1"},
        {"int f(int *p); int g(void) { return f(1.5); }",
         "passing argument 1 of 'f' as 'int *' from incompatible type 'double'"},
        {"struct a { int x; } a; struct b { int x; } b; void f(void) { a = b; }",
         "assignment to 'struct a' from incompatible type"},
        {"int x = 1; int x = 2;", "redefinition of 'x'"},
        {"int f(void) { return 1; } int f(void) { return 2; }", "redefinition of 'f'"},
        {"int f(int a) { int a; return 0; }", "1:11: note: previous declaration is here"},
        {"int x; void x(void);", "'x' redeclared as different kind of symbol"},
        {"int f(void); static int f(void) { return 1; }", "static declaration of 'f' follows non-static"},
        {"struct s { int a; }; struct s { int b; };", "redefinition of 'struct s'"},
        {"struct s { int a; }; union s u;", "'s' is a struct"},
        {"struct s { int a; char a; };", "duplicate member 'a'"},
        {"struct s { struct s inner; };", "incomplete type 'struct s'"},
        {"struct s; int f(struct s *p) { return p->x; }", "invalid use of incomplete type 'struct s'"},
        {"struct s v;", "'struct s' is incomplete"},
        {"enum { A, A };", "redefinition of 'A'"},
        {"void f(void) { 3 = 4; }", "lvalue required"},
        {"void f(void) { const int x = 1; x = 2; }", "read-only variable 'x'"},
        {"void f(const struct { int m; } *p) { p->m++; }", "read-only member 'm'"},
        {"void f(void) { int a[2], b[2]; a = b; }", "expression of array type"},
        {"void f(int x) { &(x + 1); }", "lvalue required as unary '&' operand"},
        {"void f(void) { register int x; &x; }", "address of register variable"},
        {"struct { int b : 3; } s; void f(void) { &s.b; }", "address of bit-field 'b'"},
        {"int f(int x) { return *x; }", "is not a pointer"},
        {"int f(int x) { return x[1]; }", "neither array nor pointer"},
        {"int f(int x) { return x(); }", "called object 'x' is not a function"},
        {"int f(double d) { return d % 2; }", "invalid operands to binary % (have 'double' and 'int')"},
        {"int f(int *p, int *q) { return p + q; }", "invalid operands to binary +"},
        {"struct s { int a; } v; int f(void) { if (v) return 1; return 0; }", "condition of 'if' has type 'struct s'"},
        {"void g(void); int f(void) { int x = g(); return x; }", "void value not ignored"},
        {"int f(void) { break; }", "break statement not within loop or switch"},
        {"int f(void) { if (1) continue; }", "continue statement not within a loop"},
        {"int f(int x) { switch (x) { case 1: case 2: case 1: ; } return 0; }", "duplicate case value 1"},
        {"int f(int x) { switch (x) { case 1 ... 5: case 3: ; } return 0; }", "duplicate case value 3"},
        {"int f(int x) { switch (x) { case x: ; } return 0; }", "not an integer constant"},
        {"int f(int x) { case 1: return 0; }", "case label not within a switch"},
        {"int f(void) { goto l; }", "label 'l' used but not defined"},
        {"int f(void) { l: ; l: return 0; }", "duplicate label 'l'"},
        {"int a[-1];", "size of array 'a' is negative"},
        {"int n; int a[n];", "variably modified 'a' at file scope"},
        {"int f(int n) { static int a[n]; return 0; }", "storage size of static 'a' is not constant"},
        {"int y; int x = y;", "initializer of 'x' is not constant"},
        {"int x[2] = {[2] = 1};", "exceeds array bounds"},
        {"struct p { int x; } p = {.z = 1};", "has no member named 'z'"},
        {"_Static_assert(1 == 2, \"sums\");", "static assertion failed: \"sums\""},
        {"int x = _Generic(1.0f, int: 1);", "'_Generic' selector of type 'float'"},
        {"int f(int x) { __builtin_va_list a; __builtin_va_start(a, x); return 0; }", "function with fixed arguments"},
        {"int x = 08;", "invalid digit in octal constant"},
        {"double d = 1e;", "invalid number"},
        {"int x = 1q;", "invalid suffix"},
        {"int x = '';", "empty character constant"},
        {"char *s = \"abc\n;", "missing terminating"},
        {"int x; /* no end", "unterminated comment"},
        {"unsigned float x;", "cannot be combined"},
        {"static extern int x;", "more than one storage class"},
        {"int f(void x) { return 0; }", "cannot have type 'void'"},
        {"struct s { int b : 33; };", "exceeds its type"},
        {"int f(void) { int g(void) { return 1; } return g(); }", "nested function 'g' is not supported"},
        {"int x { return 1; }", "expected ';' after 'x'"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        refuse(rows[i].text, rows[i].message);
}

Test(front_checks, warnings)
{
    static const Row rows[] = {
        {"int main(void) { printf(\"x\"); }", "implicit declaration of function 'printf'; include <stdio.h>"},
        {"int f(int *p) { return p == 3; }", "comparison between pointer and integer"},
        {"int f(int *p, char *q) { return p == q; }", "comparison of distinct pointer types"},
        {"void f(int x) { int *p = x; }", "makes pointer from integer without a cast"},
        {"void f(int *p) { int x = p; }", "makes integer from pointer without a cast"},
        {"int f(void) { return; }", "'return' with no value"},
        {"void f(void) { return 3; }", "'return' with a value in function 'f' returning void"},
        {"int x = 1 + 0x7fffffff;", "integer overflow in expression"},
        {"int f(void) { return 1 / 0; }", "division by zero"},
        {"long f(void) { return 1 << 40; }", "shift count >= width of type"},
        {"int a[1] = {1, 2};", "excess elements in array initializer"},
        {"int x = 'ab';", "multi-character character constant"},
        {"char *s = \"\\q\";", "unknown escape sequence"},
        {"void f(struct s *p);", "declared inside parameter list"},
        {"int;", "declaration does not declare anything"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        warn(rows[i].text, rows[i].message);
}

Test(front_checks, nothing_to_say)
{
    static const char *const texts[] = {
        "int f(void *p, char *c, int *i) { p = c; i = p; c = 0; return !p && c == 0 && p == i; }",
        "int f(int n) { for (;;) if (n--) return n; }",
        "char a[] = \"abc\", b[3] = \"abc\", *p = \"x\" \"y\"; _Static_assert(sizeof a == 4, \"\");",
        "void g(void), (*p)(void) = g, (*q)(void) = &g; void f(void) { p(); (*p)(); (***p)(); g(); (*g)(); }",
        "struct s { int a[3]; } f(void); int g(void) { return f().a[1]; }",
        "extern int x; int x; int x; int x = 3; static int y; static int y;",
        "int f(int a) { { int a = 1; { extern int f(int); return f(a); } } }",
        "unsigned long o = (unsigned long)&((struct { int a; char b; } *)0)->b; int x; int *p = &x + 1; long l = "
        "(long)&x;",
        "int *p = &(int){3}; struct s { int x; } v = (struct s){4};",
        "double _Complex z = 1.0 + 2.0i; _Static_assert(__real__(3.0 + 4.0i) == 3, \"\");",
        "int f(const int *a, const int *b) { return *(a < b ? a : b); } const void *g(int n, char *p) { return n ? p : "
        "(void *)0; }",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        Parsed parsed = parse(texts[i]);
        cr_expect_str_empty(parsed.said, "%s\n%s", texts[i], parsed.said);
        parsed_free(&parsed);
    }
}

Test(front_checks, control_reaching_the_end) /* -Wall */
{
    static const struct {
        const char *body;
        bool warns;
    } rows[] = {
        {"", true},
        {"if (x) return 1;", true},
        {"if (x) return 1; else return 2;", false},
        {"while (1) { }", false},
        {"while (1) { break; }", true},
        {"for (;;) { switch (x) { case 1: break; } }", false},
        {"do { return 1; } while (0);", false},
        {"switch (x) { case 1: return 1; }", true},
        {"switch (x) { case 1: return 1; default: return 2; }", false},
        {"die();", false},
        {"x ? die() : die();", false},
        {"x ? die() : 0;", true},
        {"l: return 1;", false},
        {"goto l; l: x++;", true},
        {"__builtin_trap();", false},
    };
    CcOptions options = {.include_dir = "/nowhere", .warn_all = true};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        char *text = g_strdup_printf("_Noreturn void die(void); int f(int x) { %s }", rows[i].body);
        Parsed parsed = parse_with(text, strlen(text), &options);
        cr_expect_eq(strstr(parsed.said, "control reaches end") != NULL, rows[i].warns, "%s\n%s", text, parsed.said);
        parsed_free(&parsed);
        g_free(text);
    }
}
