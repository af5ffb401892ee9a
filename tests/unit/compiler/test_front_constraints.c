/* One small bad program for each constraint of the standard (and of GNU C where it adds one), and what is said of it.
 * The clause is the paragraph of C11 that the program breaks. */
#include "front_support.h"

#include <criterion/criterion.h>
#include <string.h>

typedef struct Row {
    const char *clause, *text, *message;
} Row;

/* Accepted or not, something with `message` in it must be said. */
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
        {"GNU", "int f(void) { asm(\"nop\"); return 0; }", "inline assembly is not supported"},
        {"GNU", "asm(\"nop\");", "inline assembly is not supported"},
        {"GNU", "void f(int x) { asm(\"\" : \"=r\"(x + 1)); }", "output of 'asm' is not an lvalue"},
        {"GNU", "int f(int x) { int g(int y) { return x + y; } return g(1); }", "nested function 'g' is not supported"},
        {"GNU", "typedef int v4 __attribute__((vector_size(16)));", "'vector_size'"},
        {"GNU", "__int128 x;", "type '__int128' is not supported"},
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
