/* A small bad program for each constraint of the standard (and of GNU C where it adds one), and its diagnostic. The
 * clause is the paragraph of C11 that the program violates. */
#include "front_support.h"

#include <criterion/criterion.h>
#include <string.h>

typedef struct Row {
    const char *clause, *text, *message;
} Row;

/* Whether a program is accepted or not, there must be a diagnostic with `message` in it. */
static void judge(const Row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        Parsed parsed = parse(rows[i].text);
        cr_expect(strstr(parsed.said, rows[i].message) != NULL, "%s\n%s\nexpected '%s', said:\n%s", rows[i].clause,
                  rows[i].text, rows[i].message, parsed.said);
        parsed_free(&parsed);
    }
}

Test(front_constraints, jumps)
{
    static const Row rows[] = {
        {"6.8.6.1p1", "int f(int n) { goto in; { int v[n]; in: v[0] = 1; } return 0; }",
         "goto jumps into the scope of 'v', which has a variably modified type"},
        {"6.8.6.1p1", "int f(int n) { { int (*p)[n]; back: p = 0; } goto back; }", "goto jumps into the scope of 'p'"},
        {"6.8.6.1p1", "int f(int n) { goto on; typedef int t[n]; on: return sizeof(t); }", "into the scope of 't'"},
        {"6.8.4.2p2", "int f(int n) { switch (n) { case 1:; int v[n]; case 2: return v[0]; } return 0; }",
         "switch jumps into the scope of 'v'"},
        {"6.8.4.2p2", "int f(int n) { switch (n) { int v[n]; default: return v[0]; } }", "switch jumps into the scope"},
        {"GNU", "int f(void) { goto in; return ({ in: 3; }); }", "goto jumps into a statement expression"},
        {"GNU", "int f(int n) { switch (n) { case 1: return ({ case 2: 3; }); } return 0; }",
         "switch jumps into a statement expression"},
    };
    judge(rows, G_N_ELEMENTS(rows));
    accept("int f(int n) { goto out; { int v[n]; v[0] = 1; } out: return 0; }");
    accept("int f(int n) { int v[n]; again: if (v[0]--) goto again; { goto done; } done: return 0; }");
    accept("int f(int n) { switch (n) { case 1: { int v[n]; return v[0]; } case 2: ; } return 0; }");
    accept("int f(int n) { return ({ again: if (n--) goto again; n; }); }");
}

Test(front_constraints, what_gnu_refuses_by_name)
{
    static const Row rows[] = {
        {"GNU", "int f(void) { asm(\"rdtsc\"); return 0; }", "inline assembly is not supported"},
        {"GNU", "int f(void) { asm(\"nop; movl $1, %eax\"); return 0; }", "has no 'movl $1, %eax'"},
        {"GNU", "int f(void) { asm(\"lock; addl $1,0(%%rsp)\"); return 0; }", "inline assembly is not supported"},
        {"GNU", "asm(\".globl x\");", "inline assembly is not supported"},
        {"GNU", "void f(int x) { asm(\"\" : \"=r\"(x + 1)); }", "output of 'asm' is not an lvalue"},
        {"GNU", "int f(int x) { int g(int y) { return x + y; } return g(1); }", "nested function 'g' is not supported"},
        {"GNU", "typedef int v4 __attribute__((vector_size(16)));", "'vector_size'"},
        {"GNU", "__float128 x;", "type '__float128' is not supported"},
        {"GNU", "long __int128 x;", "these type specifiers cannot be combined"},
        {"GNU", "struct { __int128 x : 5; } s;", "bit-field 'x' has a type that is not an integer"},
        {"GNU", "_Float128 x;", "type '_Float128' is not supported"},
        {"GNU", "__auto_type x;", "'__auto_type' needs an initializer for 'x'"},
        {"GNU", "__auto_type x = {1};", "'__auto_type' needs an expression"},
        {"GNU", "int x = __builtin_apply_args();", "built-in function '__builtin_apply_args' is not supported"},
        {"GNU", "int f(void) { return __builtin_clz(1, 2); }", "too many arguments to '__builtin_clz'"},
        {"GNU", "int f(int x) { return __atomic_load_n(x, 0); }", "is not a pointer to an object"},
        {"GNU", "int f(void) { return __builtin_add_overflow(1.5, 2, (int *)0); }", "needs two integers"},
        {"GNU", "int f(int x) { return __builtin_isnan(x); }", "is not a real floating number"},
        {"GNU", "#pragma weak\n", "malformed '#pragma weak'"},
    };
    judge(rows, G_N_ELEMENTS(rows));
}

Test(front_constraints, declarations)
{
    static const Row rows[] = {
        {"6.7.1p3", "_Thread_local void f(void);", "'_Thread_local' can only be used with variables"},
        {"6.7.1p3", "typedef _Thread_local int t;", "'_Thread_local' can only be used with variables"},
        {"6.7.1p3", "void f(void) { _Thread_local int x; }", "'x' is automatic and declared '_Thread_local'"},
        {"6.7.1p3", "void f(void) { register _Thread_local int x; }", "'x' is automatic and declared '_Thread_local'"},
        {"6.7.1p3", "void f(_Thread_local int x);", "a parameter cannot have '_Thread_local'"},
        {"6.7.4p2", "_Noreturn int x;", "'_Noreturn' can only be used with functions"},
        {"6.7.4p2", "typedef _Noreturn void f(void);", "'_Noreturn' can only be used with functions"},
        {"6.7.4p2", "void g(_Noreturn void f(void));", "a parameter cannot have '_Noreturn'"},
        {"6.7.4p2", "struct s { _Noreturn void (*f)(void); };", "a member cannot have '_Noreturn'"},
        {"6.7.4p2", "unsigned long x = sizeof(_Noreturn int);", "a type name cannot have '_Noreturn'"},
        {"6.7.4p2", "inline int x;", "'inline' can only be used with functions"},
        {"6.7.5p2", "_Alignas(8) void f(void);", "alignment specified for function 'f'"},
        {"6.7.5p2", "typedef _Alignas(8) int t;", "alignment specified for typedef 't'"},
        {"6.7.5p2", "void f(void) { register _Alignas(8) int x; }", "alignment specified for register variable 'x'"},
        {"6.7.5p2", "void f(_Alignas(8) int x);", "a parameter cannot have '_Alignas'"},
        {"6.7.5p2", "struct s { _Alignas(8) int x : 3; };", "alignment specified for a bit-field"},
        {"6.7.5p3", "_Alignas(3) int x;", "not a power of 2"},
        {"6.7.5p4", "_Alignas(2) int x;", "'_Alignas' cannot reduce the alignment of 'x'"},
        {"6.7.2.1p13", "struct s { int i; struct { struct { int i; }; }; };", "duplicate member 'i'"},
        {"6.7.2.1p13", "struct s { struct { int i; }; int i; };", "duplicate member 'i'"},
        {"6.7.3p2", "restrict int x;", "'restrict' needs a pointer type"},
        {"6.7.9p4", "struct s { int n; char a[]; }; struct s v[] = {{1, \"abc\"}};",
         "initialization of a flexible array member in a nested object"},
        {"6.7.9p4", "struct s { int n; int a[]; }; void f(void) { struct s v = {1, {2}}; }",
         "initialization of a flexible array member of an automatic object"},
        {"6.7.9p4", "struct s { int n; char a[]; }; void f(void) { struct s v = {1, \"abc\"}; }",
         "initialization of a flexible array member of an automatic object"},
        {"6.8.5p3", "void f(void) { for (static int i = 0; i < 1; i++) ; }",
         "static variable 'i' in a 'for' statement"},
        {"6.8.5p3", "void f(void) { for (extern int i; ;) ; }", "'extern' variable 'i' in a 'for' statement"},
        {"6.8.5p3", "void f(void) { for (int g(void), i = 0; ;) ; }", "'g' is declared in a 'for' statement"},
        {"6.8.5p3", "void f(void) { for (struct s { int x; } i = {0}; ;) ; }", "'s' is declared in a 'for' statement"},
        {"6.8.5p3", "void f(void) { for (typedef int t; ;) ; }", "'t' is declared in a 'for' statement"},
    };
    judge(rows, G_N_ELEMENTS(rows));
    accept("typedef int *a5[5]; restrict a5 y; static _Thread_local int t; extern _Thread_local int e;");
    accept(
        "struct s { int n; char a[]; }; struct s v = {1, \"abc\"}, w = {.a = {1, 2}}; _Alignas(0) _Alignas(16) int x;");
    accept("void f(void) { for (int i = 0, *p = &i; i < 1; i++) ; for (struct s *q = 0; q; ) ; }");
}

Test(front_constraints, expressions)
{
    static const Row rows[] = {
        {"6.5.1.1p2", "int x = _Generic(1, default: 1, default: 2);", "duplicate 'default' in '_Generic'"},
        {"6.5.1.1p2", "int x = _Generic(1, int: 1, signed: 2);", "'_Generic' specifies two compatible types"},
        {"6.5.1.1p2", "struct s; int x = _Generic(1, struct s: 0, default: 1);",
         "'_Generic' association has incomplete type"},
        {"6.5.1.1p2", "int x = _Generic(1, void: 0, default: 1);", "'_Generic' association has incomplete type"},
        {"6.5.1.1p2", "int x = _Generic(1, void(void): 0, default: 1);", "'_Generic' association has function type"},
        {"6.5.1.1p2", "int f(int n) { return _Generic(n, int[n]: 0, default: 1); }",
         "'_Generic' association has variable length type"},
        {"6.5.1.1p2", "int x = _Generic(1.5, int: 1);", "not compatible with any association"},
        {"6.4.5p2", "const void *p = L\"a\" u8\"b\";", "different kinds cannot be joined"},
        {"6.4.5p2", "const void *p = u8\"a\" \"b\" U\"c\";", "different kinds cannot be joined"},
        {"6.3.2.1p1", "struct s { struct { const int x[2]; } in; } a, b; void f(void) { a = b; }",
         "read-only variable 'a'"},
        {"6.5.3.4p1", "struct { int b : 3; } s; unsigned long x = _Alignof(s.b);", "applied to a bit-field"},
    };
    judge(rows, G_N_ELEMENTS(rows));
    accept(
        "const void *p = u8\"a\" \"b\", *q = L\"a\" \"b\" L\"c\"; int x = _Generic(1, long: 1, default: 2, int: 3);");
}

/* One mistake is one error, and what follows it is parsed. */
Test(front_constraints, recovery)
{
    static const Row rows[] = {
        {"file scope", "int a = 3\nint b = 4; int f(void) { return a + b; }", "expected ';'"},
        {"file scope", "static int n\nstatic int f(void) { return n++; } int g(void) { return f(); }",
         "expected ';' after 'n'"},
        {"file scope", "struct s { int w; }\nint f(struct s *p) { return p->w; }", "expected ';' before 'int'"},
        {"block", "int f(void) { int i\n i = 3; return i; }", "expected ';'"},
        {"keyword", "int f(int x) { retrun x; }", "'retrun' is no word of C; did you mean 'return'?"},
        {"keyword", "flaot x; int f(void) { return (int)x; }", "unknown type name 'flaot'; did you mean 'float'?"},
        {"enumerator", "enum e { A, B C }; int x = A;", "expected ',' before 'C'"},
        {"once a function", "int f(void) { a = 3; a = 4; return a; }", "'a' undeclared"},
        {"once a unit", "foo_t x; foo_t y; foo_t *f(foo_t z);", "unknown type name 'foo_t'"},
        {"call", "int g(int, int); int f(int x { return x; } int h(void) { return g(1, 2); }", "expected ')'"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        Parsed parsed = parse(rows[i].text);
        cr_expect(strstr(parsed.said, rows[i].message) != NULL, "%s\nexpected '%s', said:\n%s", rows[i].text,
                  parsed.said);
        cr_expect_eq(parsed.errors, 1u, "%s\nsaid:\n%s", rows[i].text, parsed.said);
        parsed_free(&parsed);
    }
}
