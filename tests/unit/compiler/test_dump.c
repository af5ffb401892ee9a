/* test_dump.c - the typed tree as text: every kind of statement and the operators have a name, children are indented.
 */
#include "front_support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *dump(const char *text)
{
    Parsed parsed = parse(text);
    cr_assert_not_null(parsed.unit, "%s", parsed.said);
    char *out = NULL;
    size_t size;
    FILE *file = open_memstream(&out, &size);
    cc_dump_ast(parsed.unit, file);
    fclose(file);
    parsed_free(&parsed);
    return out;
}

static void expect_line(const char *out, const char *words)
{
    cr_assert_not_null(strstr(out, words), "no '%s' in:\n%s", words, out);
}

Test(dump, statements)
{
    char *out = dump("int f(int n) {\n"
                     "  static int calls = 3; int sum = 0, sizes[n];\n"
                     "  for (int i = 0; i < n; i++) { if (i == 2) continue; else sum += i; }\n"
                     "  while (n-- > 0) if (sum > 100) break;\n"
                     "  do sum = sum * 2; while (sum < 7);\n"
                     "  switch (sum & 3) { case 1: goto out; case 2 ... 3: sum = -sum; default: ; }\n"
                     "out: calls++; return sum + (int)sizeof sizes + calls;\n"
                     "}\n");
    static const char *const words[] = {"block",    "declaration", "for",     "if",   "while", "do",
                                        "switch",   "case",        "default", "goto", "label", "break",
                                        "continue", "return",      "static",  "f",    "sum"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        expect_line(out, words[i]);
    cr_assert_null(strstr(out, "(null)"), "%s", out);
    free(out);
}

Test(dump, expressions)
{
    char *out = dump("struct Pair { int x, y; } pair; double d; char text[] = \"abc\"; int (*g)(int);\n"
                     "int f(int a, int b, struct Pair *p) {\n"
                     "  a = a + b - a * b / (b % 3 + 1) << 2 >> 1 & 7 | 8 ^ ~b;\n"
                     "  b = !a && b || a < b ? p->x : pair.y; a += ++b - b--; d = (double)a; p = &pair;\n"
                     "  return text[1] + *text + g(a) + (a, b) + (int)d + -a;\n"
                     "}\n");
    static const char *const words[] = {"add",        "subtract", "multiply", "divide", "remainder",
                                        "shift-left", "negate",   "address",  "member", "cast",
                                        "number",     "variable", "decay",    "not"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        expect_line(out, words[i]);
    expect_line(out, "\n    ");
    cr_assert_null(strstr(out, "(null)"), "%s", out);
    free(out);
}
