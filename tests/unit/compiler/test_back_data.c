/* test_back_data.c - static data and debug information in objects: sections, relocations, lines, variables, types. */
#include "back_helpers.h"

TestSuite(back_data);

Test(back_data, objects_go_to_the_section_that_fits)
{
    g_autoptr(VcodeModule) m =
        back_compile("int a = 1; int b = 0; int c; const int d = 4; static int e[100]; int f(void) { "
                     "return e[1]; } extern int g; int h(void) { return g; }",
                     1);
    static const struct {
        const char *name;
        VcodeSection section;
    } expected[] = {{"a", VCODE_SECTION_DATA},     {"b", VCODE_SECTION_BSS}, {"c", VCODE_SECTION_COMMON},
                    {"d", VCODE_SECTION_RODATA},   {"e", VCODE_SECTION_BSS}, {"f", VCODE_SECTION_FUNCTION},
                    {"g", VCODE_SECTION_UNDEFINED}};
    for (unsigned i = 0; i < G_N_ELEMENTS(expected); i++)
        cr_assert_eq(back_symbol(m, expected[i].name)->section, expected[i].section, "%s", expected[i].name);
    cr_assert_eq(back_symbol(m, "e")->size, 400);
    cr_assert_eq(back_symbol(m, "e")->binding, VCODE_LOCAL);
}

Test(back_data, equal_strings_are_kept_once)
{
    g_autoptr(VcodeModule) m =
        back_compile("const char *a = \"same\", *b = \"same\"; const char *f(void) { return \"same\"; }"
                     "const int *w(void) { return (const int *)L\"same\"; }",
                     1);
    unsigned strings = 0;
    for (uint32_t i = 0; i < m->symbols.count; i++)
        strings += strcmp(vcode_text(m, m->symbols.items[i].name), "@string") == 0;
    cr_assert_eq(strings, 2);
}

Test(back_data, what_nobody_refers_to_is_not_made)
{
    g_autoptr(VcodeModule) m = back_compile("static int unused(void) { return 1; } static int table[100] = {1};"
                                            "static inline int small(int x) { return x; } int puts(const char *);"
                                            "int f(void) { return 2; }",
                                            1);
    cr_assert_eq(m->functions.count, 1);
    cr_assert_eq(m->data.count, 0);
    cr_assert_null(back_symbol(m, "puts"));
}

Test(back_data, addresses_in_data_are_relocated)
{
    g_autoptr(VcodeModule) m = back_compile("int a[10]; int *p = &a[3]; int f(void) { return 0; }"
                                            "struct { char c; int (*g)(void); } s = {1, f};",
                                            1);
    cr_assert_eq(m->relocs.count, 2);
    const VcodeReloc *first = &m->relocs.items[0], *second = &m->relocs.items[1];
    cr_assert_eq(first->kind, VCODE_RELOC_DATA);
    cr_assert_eq(first->addend, 12);
    cr_assert_eq(second->where, back_symbol(m, "s")->value + 8);
}

Test(back_data, every_statement_has_a_line)
{
    const char *text =
        "int f(int a)\n{\n    int b = a;\n    if (b)\n        b++;\n    while (b < 10)\n        b *= 2;\n"
        "    return b;\n}\n";
    for (int optimise = 0; optimise < 2; optimise++) {
        g_autoptr(VcodeModule) m = back_compile(text, optimise);
        bool seen[12] = {false};
        for (uint32_t i = 0; i < m->lines.count; i++) {
            const VcodeLine *line = &m->lines.items[i];
            cr_assert(i == 0 || line->pc > m->lines.items[i - 1].pc, "lines ascend");
            if (line->flags & VCODE_LINE_STATEMENT)
                seen[line->line] = true;
        }
        for (unsigned line = 3; line <= 8; line++)
            cr_assert(seen[line] || (optimise && line == 3), "-O%d: line %u", optimise, line);
    }
}

Test(back_data, calls_know_their_own_line)
{
    g_autoptr(VcodeModule) m = back_compile("int g(int);\nint f(void)\n{\n    return g(1) +\n           g(2);\n}\n", 1);
    unsigned lines[2], n = 0;
    for (uint32_t pc = 0; pc < m->code.count; pc++)
        if (vcode_op(m->code.items[pc]) == VCODE_CALL && n < 2)
            lines[n++] = vcode_pc_line(m, pc)->line;
    cr_assert_eq(n, 2);
    cr_assert_eq(lines[0], 4);
    cr_assert_eq(lines[1], 5);
}

Test(back_data, scopes_nest)
{
    g_autoptr(VcodeModule) m =
        back_compile("int g(int); int f(int a) { g(1); { int inner = g(2); g(inner); } g(3); return a; }", 0);
    const VcodeVariable *a = back_variable(m, "a"), *inner = back_variable(m, "inner");
    cr_assert(inner->pc_low > a->pc_low && inner->pc_high < a->pc_high);
    cr_assert_eq(a->flags, VCODE_VARIABLE_PARAMETER);
    cr_assert_eq(inner->flags, 0);
}

/* A variable is in scope but has no location where its register holds nothing yet, or holds something else. */
Test(back_data, variables_in_registers_are_described_while_they_live)
{
    g_autoptr(VcodeModule) m =
        back_compile("int g(int); int f(int a) { int b = g(a); int c = g(b); return g(c) + g(5); }", 1);
    const VcodeVariable *a = back_variable(m, "a"), *b = back_variable(m, "b"), *c = back_variable(m, "c");
    const VcodeVariable *variables[] = {a, b, c};
    uint32_t before = 0;
    for (unsigned i = 0; i < 3; i++) {
        cr_assert_eq(variables[i]->location, VCODE_AT_PLACES);
        cr_assert_eq(variables[i]->count, 1);
        const VcodePlace *place = &m->places.items[variables[i]->first];
        cr_assert(place->pc_low >= variables[i]->pc_low && place->pc_high <= variables[i]->pc_high);
        cr_assert_gt(place->pc_high, before, "each is used up by the call that gives the next");
        cr_assert_eq(place->size, 4);
        before = place->pc_high;
    }
    cr_assert_lt(before, m->code.count);
}

Test(back_data, types_may_refer_to_themselves)
{
    g_autoptr(VcodeModule) m =
        back_compile("typedef struct List { int value; struct List *next; unsigned bits : 3; } List;"
                     "enum Colour { RED, GREEN = 5 }; List *list; enum Colour colour; double m[3][4];",
                     1);
    const VcodeType *pointer = &m->types.items[back_variable(m, "list")->type];
    cr_assert_eq(pointer->kind, VCODE_TYPE_POINTER);
    const VcodeType *alias = &m->types.items[pointer->target];
    cr_assert_eq(alias->kind, VCODE_TYPE_TYPEDEF);
    const VcodeType *list = &m->types.items[alias->target];
    cr_assert_str_eq(vcode_text(m, list->name), "List");
    cr_assert_eq(list->count, 3);
    const VcodeMember *members = &m->members.items[list->first];
    cr_assert_eq(m->types.items[members[1].type].kind, VCODE_TYPE_POINTER);
    cr_assert_eq(m->types.items[m->types.items[members[1].type].target].kind, VCODE_TYPE_STRUCT);
    cr_assert_eq(members[2].bit_width, 3);
    const VcodeType *colour = &m->types.items[back_variable(m, "colour")->type];
    cr_assert_eq(m->members.items[colour->first + 1].value, 5);
    const VcodeType *matrix = &m->types.items[back_variable(m, "m")->type];
    cr_assert(matrix->count == 3 && m->types.items[matrix->target].count == 4);
}
