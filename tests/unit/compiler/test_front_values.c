/* Constants and initialisers: the content of static objects in the tree. */
#include "front_support.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* Appends a string. Bytes that do not print become \\nnn. */
static void add_string(GString *out, const CcExpr *e)
{
    g_string_append(out, "=\"");
    for (uint64_t i = 0; i < e->string_size; i++)
        if (g_ascii_isprint(e->string[i]))
            g_string_append_c(out, e->string[i]);
        else
            g_string_append_printf(out, "\\%03o", (unsigned char)e->string[i]);
    g_string_append_c(out, '"');
}

/* Checks the scalars of `v`, written as "offset=value ..." (bit-fields: offset:bit+width). */
static void holds(const char *text, const char *expected)
{
    Parsed parsed = parse(text);
    cr_assert_not_null(parsed.unit, "%s\n%s", text, parsed.rendered);
    GString *found = g_string_new(NULL);
    uint64_t last = 0;
    for (const CcInit *item = symbol_of(&parsed, "v")->init; item; item = item->next) {
        const CcExpr *e = item->value;
        g_string_append_printf(found, "%s%d", found->len ? " " : "", (int)item->offset);
        if (item->bit_width)
            g_string_append_printf(found, ":%d+%d", item->bit_offset, item->bit_width);
        if (e->kind == CC_STRING)
            add_string(found, e);
        else if (e->kind == CC_ADDRESS_CONSTANT)
            g_string_append_printf(found, "=&%s%+d", e->symbol ? e->symbol->name : "string", (int)e->integer);
        else if (cc_is_real(e->type))
            g_string_append_printf(found, "=%g", e->real);
        else
            g_string_append_printf(found, "=%" G_GINT64_FORMAT, (int64_t)e->integer);
        uint64_t bit = item->offset * 8 + item->bit_offset;
        cr_expect(bit >= last, "%s: not in ascending order", text);
        last = bit;
    }
    cr_expect_str_eq(found->str, expected, "%s\n  has %s\n want %s", text, found->str, expected);
    g_string_free(found, TRUE);
    parsed_free(&parsed);
}

Test(front_values, braces_may_be_left_out) /* C11 6.7.9p20 */
{
    holds("int v[2][2] = {1, 2, 3, 4};", "0=1 4=2 8=3 12=4");
    holds("int v[2][2] = {{1}, {3}};", "0=1 8=3");
    holds("struct { int a[2]; int b; } v[2] = {1, 2, 3, 4};", "0=1 4=2 8=3 12=4");
    holds("struct { int a; struct { int b, c; } d; int e; } v = {1, {2}, 4};", "0=1 4=2 12=4");
    holds("union { struct { char a, b; }; long c; } v = {1, 2};", "0=1 1=2");
}

Test(front_values, designators) /* C11 6.7.9p17-19 */
{
    holds("int v[] = {[3] = 1, 2, [1] = 5, 6};", "4=5 8=6 12=1 16=2");
    holds("struct { int x, y; } v[] = {[1].y = 1, [0] = {2, 3}, {4}};", "0=2 4=3 8=4");
    holds("struct { int a; struct { int b, c; }; int d; } v = {.c = 1, .a = 2};", "0=2 8=1");
    holds("int v[] = {[0 ... 2] = 7, [1] = 8};", "0=7 4=8 8=7");
    holds("struct { int a[3]; } v = {.a[1] = 1, 2};", "4=1");
    holds("int v[3] = {1, 2, 3, [0] = 9};", "0=9 4=2 8=3");
    holds("struct { unsigned a : 3, b : 5; int c; } v = {.b = 9, .a = 2, 4};", "0:0+3=2 0:3+5=4");
}

Test(front_values, strings)
{
    holds("char v[] = \"abc\";", "0=\"abc\\000\"");
    holds("char v[3] = \"abc\";", "0=\"abc\"");
    holds("char v[2][4] = {\"ab\", {\"cd\"}};", "0=\"ab\\000\" 4=\"cd\\000\"");
    holds("struct { char s[4]; int i; } v = {\"x\", 3};", "0=\"x\\000\" 4=3");
    holds("char v[] = \"a\\x41\\101\\n\\0b\" \"c\";", "0=\"aAA\\012\\000bc\\000\"");
    holds("const char *v[2] = {\"x\", \"yz\" + 1};", "0=&string+0 8=&string+1");
}

Test(front_values, addresses) /* C11 6.6p9 */
{
    holds("int x[4]; int *v = &x[2];", "0=&x+8");
    holds("struct s { int a; int b[3]; } x; int *v = x.b + 1;", "0=&x+8");
    holds("struct s { int a; int b[3]; } x[2]; int *v = &x[1].b[2] - 1;", "0=&x+24");
    holds("int f(void); int (*v[])(void) = {f, &f, 0};", "0=&f+0 8=&f+0 16=0");
    holds("int x; long v = (long)&x + 4;", "0=&x+4");
    holds("int x[10]; long v = &x[7] - &x[2];", "0=5");
    holds("int x; _Bool v = &x;", "0=1");
    holds("struct s { int a, b; }; unsigned long v = (unsigned long)&((struct s *)0)->b;", "0=4");
}

Test(front_values, const_objects_count_as_constants) /* as gcc, in initialisers */
{
    holds("static const int n = 3; static const double d[2] = {1, 2.5}; double v = n * d[1];", "0=7.5");
    holds("static const struct { int a, b; } s = {.b = 4}; int v[] = {s.a, s.b};", "0=0 4=4");
    refuse("int n = 3; int v = n;", "not constant");
    refuse("extern const int n; int v = n;", "not constant");
    refuse("const int n = 3; int a[n];", "variably modified");
}

Test(front_values, flexible_array_of_a_static_object) /* GNU */
{
    holds("struct s { int n; char t[]; } v = {2, \"ab\"}; _Static_assert(sizeof v == 4, \"\");", "0=2 4=\"ab\\000\"");
    holds("struct s { int n; int t[]; } v = {.t = {1, [2] = 3}};", "4=1 12=3");
    refuse("struct s { int n; int t[]; }; void f(void) { struct s v = {1, {2}}; }", "flexible array member");
}

Test(front_values, folding)
{
    holds("long v[] = {1 + 2 * 3, -7 / 2, -7 % 3, 7 >> 1, -8 >> 1, 1 << 3, 5 & 3, 5 | 3, 5 ^ 3, ~0, !3, 3 > 2 && 0, 1 "
          "? 2 : 3};",
          "0=7 8=-3 16=-1 24=3 32=-4 40=8 48=1 56=7 64=6 72=-1 80=0 88=0 96=2");
    holds("long v[] = {(unsigned char)300, (char)200, (unsigned)-1, (short)70000, (_Bool)0.5, (int)3.99, -1 < 0u, "
          "4294967295u + 1};",
          "0=44 8=-56 16=4294967295 24=4464 32=1 40=3 48=0 56=0");
    holds("float v[] = {0.1f + 0.2f, 1 / 3.0, 16777217};", "0=0.3 4=0.333333 8=1.67772e+07");
    holds("unsigned long v = -1;", "0=-1");
    holds("int v = 0 && 1 / 0;", "0=0");
}

Test(front_values, floating_constants_round_once)
{
    Parsed parsed = parse("float a = 1.00000017881393432617187499f; double b = 0x1.fffffffffffffp1023, c = 0x.8p-1, d "
                          "= 1e-400; float e = 0.1;");
    cr_assert_not_null(parsed.unit, "%s", parsed.rendered);
    cr_expect_eq(symbol_of(&parsed, "a")->init->value->real, (double)1.00000017881393432617187499f);
    cr_expect_eq(symbol_of(&parsed, "b")->init->value->real, 0x1.fffffffffffffp1023);
    cr_expect_eq(symbol_of(&parsed, "c")->init->value->real, 0.25);
    cr_expect_eq(symbol_of(&parsed, "d")->init->value->real, 0);
    cr_expect_eq(symbol_of(&parsed, "e")->init->value->real, (double)0.1f);
    parsed_free(&parsed);
}

Test(front_values, wide_and_unicode)
{
    holds("int v[] = {'\\u00e9' == 50089, L'\\u00e9', U'\\U0001F600', u'\\u20ac', L'é', '\\377'};",
          "0=1 4=233 8=128512 12=8364 16=233 20=-1");
    Parsed parsed = parse("unsigned short v[] = u\"\\U0001F600\"; int w[] = L\"é\" \"x\"; char x[] = u8\"\\u20ac\";");
    cr_assert_not_null(parsed.unit, "%s", parsed.rendered);
    const CcExpr *pair = symbol_of(&parsed, "v")->init->value, *wide = symbol_of(&parsed, "w")->init->value;
    cr_expect_eq(pair->string_size, 6);
    cr_expect(memcmp(pair->string, "\x3d\xd8\x00\xde\0\0", 6) == 0);
    cr_expect_eq(wide->string_size, 12);
    cr_expect(memcmp(wide->string, "\xe9\0\0\0x\0\0\0", 8) == 0);
    cr_expect_str_eq(symbol_of(&parsed, "x")->init->value->string, "\xe2\x82\xac");
    parsed_free(&parsed);
}
