/* Types, conversions and layout: programs whose static assertions must hold under LP64 and the System V ABI. Every
 * number was checked with gcc on x86-64 (except long double, which has 8 bytes here). */
#include "front_support.h"

#include <criterion/criterion.h>
#include <string.h>

#define HOLDS(condition)       "_Static_assert(" condition ", \"\");\n"
#define TYPE(expression, type) HOLDS("_Generic((" expression "), " type ": 1, default: 0)")

Test(front_types, sizes)
{
    accept(HOLDS(
        "sizeof(char) == 1 && sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long) == 8 && sizeof(long long) == 8")
               HOLDS("sizeof(float) == 4 && sizeof(double) == 8 && sizeof(long double) == 8 && sizeof(void *) == 8")
                   HOLDS("sizeof(_Bool) == 1 && sizeof(float _Complex) == 8 && sizeof(double _Complex) == 16")
                       HOLDS("(char)-1 < 0 && _Alignof(double _Complex) == 8 && sizeof(int[3][4]) == 48"));
}

Test(front_types, integer_constants_take_the_first_type_that_holds_them) /* C11 6.4.4.1p5 */
{
    accept(TYPE("2147483647", "int") TYPE("2147483648", "long") TYPE("0x80000000", "unsigned")
               TYPE("0xffffffffff", "long") TYPE("0xffffffffffffffff", "unsigned long") TYPE("1u", "unsigned")
                   TYPE("4294967296u", "unsigned long") TYPE("1l", "long") TYPE("1ll", "long long")
                       TYPE("1ull", "unsigned long long") TYPE("1lu", "unsigned long")
                           TYPE("0xffffffffffffffffll", "unsigned long long") TYPE("0777", "int") TYPE("0b101", "int")
                               HOLDS("0b101 == 5") TYPE("'a'", "int") TYPE("L'a'", "int") TYPE("u'a'", "unsigned short")
                                   TYPE("1.0", "double") TYPE("1.f", "float") TYPE("1.l", "long double")
                                       TYPE("1.0i", "double _Complex"));
}

Test(front_types, usual_arithmetic_conversions) /* C11 6.3.1.8 */
{
    accept("char c; unsigned char uc; short s; unsigned short us; unsigned u; long l; unsigned long ul; long long ll;\n"
           "unsigned long long ull; float f; double d; long double ld; _Bool b; float _Complex fc;\n" TYPE(
               "c + c", "int") TYPE("us + us", "int") TYPE("b + b", "int") TYPE("-uc", "int") TYPE("~s", "int")
               TYPE("u + 1", "unsigned") TYPE("u + l", "long") TYPE("ul + l", "unsigned long")
                   TYPE("ll + l", "long long") TYPE("ul + ll", "unsigned long long")
                       TYPE("ull + ul", "unsigned long long") TYPE("f + 1", "float") TYPE("f + d", "double")
                           TYPE("d + ld", "long double") TYPE("l + f", "float") TYPE("fc + d", "double _Complex")
                               TYPE("fc + 1", "float _Complex") TYPE("uc << ul", "int") TYPE("ul >> c", "unsigned long")
                                   TYPE("c == d", "int") TYPE("!d", "int") TYPE("1 ? u : -1", "unsigned")
                                       TYPE("&c - &c", "long") TYPE("sizeof c", "unsigned long"));
}

Test(front_types, bit_fields_promote_as_gcc_does)
{
    accept("struct { unsigned a : 3; unsigned b : 32; int c : 32; unsigned long d : 40; _Bool e : 1; } s;\n" TYPE(
        "s.a + 0", "int") TYPE("s.b + 0", "unsigned") TYPE("s.c + 0", "int") TYPE("+s.e", "int"));
}

Test(front_types, enums)
{
    accept("enum a { A, B = 5, C } x; enum b { N = -1 } y; enum c { L = 0x100000000 } z;\n" HOLDS("C == 6")
               TYPE("A", "int") TYPE("x", "unsigned") TYPE("y", "int") TYPE("z", "unsigned long") TYPE("L", "long")
                   HOLDS("sizeof(enum c) == 8"));
}

Test(front_types, struct_layout)
{
    accept(
        "struct a { char c; int i; char d; }; struct b { char c; double d; short s[3]; }; union u { char c[5]; int i; "
        "};\n" HOLDS("sizeof(struct a) == 12 && __builtin_offsetof(struct a, i) == 4 && sizeof(struct b) == 24") HOLDS(
            "sizeof(union u) == 8 && __builtin_offsetof(struct b, s[1]) == 18") "struct p { char c; int i; short "
                                                                                "s; } __attribute__((packed)); "
                                                                                "struct q { char c; int i "
                                                                                "__attribute__((aligned(16))); "
                                                                                "};\n" HOLDS(
                                                                                    "sizeof(struct p) "
                                                                                    "== 7 && "
                                                                                    "sizeof(struct q) "
                                                                                    "== 32 && "
                                                                                    "__builtin_offsetof("
                                                                                    "struct q, i) == 16") "struct f { "
                                                                                                          "int n; "
                                                                                                          "double a[]; "
                                                                                                          "}; struct e "
                                                                                                          "{}; struct "
                                                                                                          "z { int n; "
                                                                                                          "int a[0]; "
                                                                                                          "};\n" HOLDS(
                                                                                                              "sizeof("
                                                                                                              "struct "
                                                                                                              "f) == 8 "
                                                                                                              "&& "
                                                                                                              "__"
                                                                                                              "builtin_"
                                                                                                              "offsetof"
                                                                                                              "(struct "
                                                                                                              "f, a) "
                                                                                                              "== 8 && "
                                                                                                              "sizeof("
                                                                                                              "struct "
                                                                                                              "e) == 0 "
                                                                                                              "&& "
                                                                                                              "sizeof("
                                                                                                              "struct "
                                                                                                              "z) "
                                                                                                              "== 4") "struct n { struct { "
                                                                                                                      "char a; union { "
                                                                                                                      "short b; char c; }; "
                                                                                                                      "}; int d; "
                                                                                                                      "};\n" HOLDS(
                                                                                                                          "__"
                                                                                                                          "builtin"
                                                                                                                          "_offset"
                                                                                                                          "of("
                                                                                                                          "struct "
                                                                                                                          "n, b) "
                                                                                                                          "== 2 "
                                                                                                                          "&& "
                                                                                                                          "__"
                                                                                                                          "builtin"
                                                                                                                          "_offset"
                                                                                                                          "of("
                                                                                                                          "struct "
                                                                                                                          "n, c) "
                                                                                                                          "== 2 "
                                                                                                                          "&& "
                                                                                                                          "sizeof("
                                                                                                                          "struct "
                                                                                                                          "n) == "
                                                                                                                          "8"));
}

Test(front_types, bit_field_layout)
{
    accept(
        "struct a { int a : 3, b : 7, c : 25; }; struct b { char a; int b : 9; }; struct c { int a : 5; int : 0; int b "
        ": 5; };\n"
        "struct d { long a : 33; int b : 5; char c; }; struct e { char a : 4; char b : 5; }; struct g { char a; long : "
        "40; char b; };\n"
        "struct h { int a : 3; } __attribute__((packed)); union i { int a : 3; char : 0; };\n" HOLDS(
            "sizeof(struct a) == 8 && sizeof(struct b) == 4 && sizeof(struct c) == 8 && sizeof(struct d) == 8")
            HOLDS("sizeof(struct e) == 2 && sizeof(struct g) == 7 && sizeof(struct h) == 1 && sizeof(union i) == 4"));
}

/* Under #pragma pack bit-fields follow each other without gaps, but a zero-width one still moves to its type's
 * boundary. The struct keeps the capped alignment of their types even if it is packed (gcc 12, stor-layout). */
Test(front_types, pragma_pack)
{
    accept("#pragma pack(push, 1)\nstruct a { char c; int i; double d; }; struct b { unsigned char a : 3; int b; short "
           ": 0; char c; };\n"
           "#pragma pack(2)\nstruct c { char c; int i __attribute__((aligned(16))); };\n"
           "#pragma pack(8)\nstruct d { unsigned a : 12; unsigned long b : 54; }; struct e { unsigned a : 7; } "
           "__attribute__((packed));\n"
           "#pragma pack(pop)\nstruct f { char c; int i; };\n" HOLDS(
               "sizeof(struct a) == 13 && sizeof(struct b) == 7 && sizeof(struct c) == 6 && __builtin_offsetof(struct "
               "c, i) == 2") HOLDS("sizeof(struct d) == 16 && sizeof(struct e) == 4 && sizeof(struct f) == 8"));
}

/* Checks the offset of the unit that holds a field, and the position in it. */
static void field_is(const char *members, const char *name, uint64_t offset, unsigned bit, unsigned width)
{
    char *text = g_strdup_printf("struct s { %s } v;", members);
    Parsed parsed = parse(text);
    cr_assert_not_null(parsed.unit, "%s", parsed.rendered);
    const CcTag *tag = symbol_of(&parsed, "v")->type->tag;
    bool found = false;
    for (uint32_t i = 0; i < tag->n_members; i++) {
        const CcMember *m = &tag->members[i];
        if (!m->name || strcmp(m->name, name) != 0)
            continue;
        found = true;
        cr_expect(m->offset == offset && m->bit_offset == bit && m->bit_width == width,
                  "%s of %s: unit %d bit %d width %d", name, members, (int)m->offset, m->bit_offset, m->bit_width);
        cr_expect(m->bit_offset + m->bit_width <= m->type->size * 8, "%s of %s leaves its unit", name, members);
    }
    cr_expect(found);
    parsed_free(&parsed);
    g_free(text);
}

Test(front_types, bit_fields_lie_inside_their_unit)
{
    field_is("int a : 3; int b : 30;", "b", 4, 0, 30);
    field_is("char a; int b : 9;", "b", 0, 8, 9);
    field_is("long a : 33; int b : 5;", "b", 4, 1, 5);
    field_is("int a : 31; char b : 2;", "b", 4, 0, 2);
}

Test(front_types, qualifiers_and_compatibility)
{
    accept("extern int a[]; extern int a[3]; int f(); int f(int, char *); typedef int T; typedef int T; int g(const "
           "int); int g(int);\n"
           "int h(int[3]); int h(int *); int i(int (void)); int i(int (*)(void)); extern const int c; const int c = "
           "1;\n" HOLDS("sizeof a == 12"));
    refuse("int f(int); int f(long);", "conflicting types for 'f'");
    refuse("extern int c; extern const int c;", "conflicting types");
    refuse("extern int a[2]; extern int a[3];", "conflicting types");
    warn("void f(const char *s) { char *t = s; }", "discards 'const'");
    warn("void f(int *a) { char *t = a; }", "incompatible pointer types");
}

Test(front_types, names_for_messages)
{
    static const struct {
        const char *declaration, *name;
    } cases[] = {
        {"int v;", "int"},
        {"const char *v[4];", "const char *[4]"},
        {"int (*v)(int, char **);", "int (*)(int, char **)"},
        {"int (*v[3])(void);", "int (*[3])(void)"},
        {"char *(*(*v)(int))[5];", "char *(*(*)(int))[5]"},
        {"struct s { int x; } *v;", "struct s *"},
        {"typedef struct { int x; } P; P *v;", "P *"},
        {"int *const volatile v;", "int *const volatile"},
        {"int (*v)();", "int (*)()"},
        {"int (*v)(const char *, ...);", "int (*)(const char *, ...)"},
        {"unsigned long long v[2][3];", "unsigned long long[2][3]"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        Parsed parsed = parse(cases[i].declaration);
        cr_assert_not_null(parsed.unit, "%s", parsed.rendered);
        char *name = cc_type_name(symbol_of(&parsed, "v")->type);
        cr_expect_str_eq(name, cases[i].name);
        g_free(name);
        parsed_free(&parsed);
    }
}
