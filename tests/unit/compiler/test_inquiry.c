/* test_inquiry.c - expressions for debuggers: types out of debug information, errors with a caret, hostile text. */
#include "compiler/compiler.h"
#include "compiler/inquiry.h"

#include <criterion/criterion.h>
#include <string.h>

static const char source[] =
    "enum colour { RED, GREEN = 5, BLUE }; enum { LIMIT = 12 };\n"
    "typedef struct point { double x, y; } Point;\n"
    "struct node { int level; struct node *next; Point at; unsigned flags : 3; union { int i; float f; }; };\n"
    "struct node first, *list; int a[10], m[3][4]; char text[8]; enum colour colour; Point *points;\n"
    "int (*function)(int, double); unsigned char byte; long double wide; _Bool flag; const char *const *names;\n"
    "int twice(int n) { return 2 * n + first.level + list->level + a[0] + m[0][0] + text[0] + colour +\n"
    "    (int)points->x + function(1, 2.0) + byte + (int)wide + flag + names[0][0]; }\n";

static VcodeModule *module;

static void say(const CcDiagnostic *diagnostic, const char *rendered, void *user)
{
    (void)diagnostic, (void)user;
    fputs(rendered, stderr);
}

static void compile(void)
{
    CcOptions options;
    cc_options_default(&options);
    options.debug = true;
    CcDiagnostics *diagnostics = cc_diagnostics_new(say, NULL, false);
    module = cc_compile_text(source, strlen(source), "t.c", &options, diagnostics, NULL);
    cc_diagnostics_free(diagnostics);
    cr_assert_not_null(module);
}

static void forget(void)
{
    vcode_module_free(module);
}

TestSuite(inquiry, .init = compile, .fini = forget);

static uint32_t find(void *user, const char *name)
{
    (void)user;
    for (uint32_t i = 0; i < module->variables.count; i++)
        if (module->variables.items[i].function == VCODE_NONE &&
            strcmp(vcode_text(module, module->variables.items[i].name), name) == 0)
            return i;
    return VCODE_NONE;
}

static const char *find_macro(void *user, const char *name)
{
    (void)user;
    static const char *const macros[][2] = {{"SIZE", "(10)"},     {"TWO", "ONE + ONE"}, {"ONE", "1"},
                                            {"SELF", "SELF + 1"}, {"A", "B"},           {"B", "A"}};
    for (size_t i = 0; i < G_N_ELEMENTS(macros); i++)
        if (strcmp(macros[i][0], name) == 0)
            return macros[i][1];
    return NULL;
}

static CcInquiry *ask(const char *text, GError **error)
{
    CcInquiryNames names = {module, find, find_macro, NULL};
    return cc_inquiry_new(text, &names, error);
}

Test(inquiry, types_are_those_of_the_program)
{
    static const char *const cases[][2] = {
        {"a", "int[10]"},
        {"a[1]", "int"},
        {"&a", "int (*)[10]"},
        {"m[1]", "int[4]"},
        {"m[0:2][1:3]", "int"},
        {"a[0]@3", "int"},
        {"a[::2]", "int"},
        {"list->next->at.x", "double"},
        {"first.f", "float"},
        {"first.flags + 1", "int"},
        {"sizeof first", "unsigned long"},
        {"list - &first", "long"},
        {"byte", "unsigned char"},
        {"byte + 1u", "unsigned int"},
        {"wide", "long double"},
        {"flag", "_Bool"},
        {"names", "char **"},
        {"function", "int (*)(int, double)"},
        {"function(1, 2)", "int"},
        {"twice", "int (int)"},
        {"colour == GREEN", "int"},
        {"struct node *", "struct node *"},
        {"Point", "Point"},
        {"(struct point *)0", "struct point *"},
        {"TWO * SIZE", "int"},
        {"NULL", "void *"},
        {"(bool)1", "_Bool"},
        {"1 ? 2 : 3.0", "double"},
        {"a[1 ? 2 : 3]", "int"},
        {"\"x\"", "char[2]"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        CcInquiry *inquiry = ask(cases[i][0], &error);
        cr_assert_not_null(inquiry, "%s: %s", cases[i][0], error ? error->message : "");
        g_autofree char *name = cc_type_name(cc_inquiry_type(inquiry));
        cr_assert_str_eq(name, cases[i][1], "%s is %s", cases[i][0], name);
        cc_inquiry_free(inquiry);
    }
}

Test(inquiry, constants_are_folded_and_structs_laid_out)
{
    static const struct {
        const char *text;
        uint64_t value;
    } cases[] = {
        {"sizeof(struct node)", 40},
        {"sizeof(Point)", 16},
        {"sizeof a / sizeof *a", 10},
        {"_Alignof(struct node)", 8},
        {"BLUE", 6},
        {"LIMIT", 12},
        {"'a'", 97},
        {"0x7fffffffffffffff", INT64_MAX},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        CcInquiry *inquiry = ask(cases[i].text, &error);
        cr_assert_not_null(inquiry, "%s: %s", cases[i].text, error ? error->message : "");
        const CcExpr *expr = cc_inquiry_expr(inquiry);
        while (expr->kind == CC_DIVIDE) /* not folded: the evaluator does that */
            expr = expr->left;
        cr_assert_eq(expr->kind, CC_NUMBER, "%s", cases[i].text);
        if (cc_inquiry_expr(inquiry) == expr)
            cr_assert_eq(expr->integer, cases[i].value, "%s", cases[i].text);
        cc_inquiry_free(inquiry);
    }
}

Test(inquiry, errors_point_at_what_was_typed)
{
    static const char *const cases[][2] = {
        {"nosuch + 1", "no variable 'nosuch' is in scope here\n  nosuch + 1\n  ^~~~~~"},
        {"SIZE + nosuch", "no variable 'nosuch' is in scope here\n  SIZE + nosuch\n         ^~~~~~"},
        {"first.foo", "'struct node' has no member named 'foo'\n  first.foo\n        ^~~"},
        {"1 +", "expected expression at end of input\n  1 +\n     ^"},
        {"1 2", "unexpected '2'\n  1 2\n    ^"},
        {"", "the expression is empty"},
        {"   ", "the expression is empty"},
        {"a[1.5:2]", "a bound of a section is not an integer\n  a[1.5:2]\n    ^~~"},
        {"5[0:1]", "only an array, or a pointer to objects, has sections\n  5[0:1]\n  ^~~~~~"},
        {"(1)@2", "left of @ stands an object in memory, as in values[0]@10\n  (1)@2\n   ^"},
        {"99999999999999999999", "this number does not fit into 64 bits\n  99999999999999999999\n  "
                                 "^~~~~~~~~~~~~~~~~~~~"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        cr_assert_null(ask(cases[i][0], &error), "%s", cases[i][0]);
        cr_assert_str_eq(error->message, cases[i][1], "%s: %s", cases[i][0], error->message);
    }
}

Test(inquiry, macros_that_lead_in_circles_end)
{
    static const char *const texts[] = {"SELF", "A", "A + SELF * B"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        cr_assert_null(ask(texts[i], &error));
        cr_assert_not_null(error);
    }
}

Test(inquiry, long_and_deep_text_is_refused_or_read)
{
    g_autofree char *parentheses = g_strnfill(CC_INQUIRY_LONGEST, '(');
    g_autofree char *minus = g_strnfill(CC_INQUIRY_LONGEST - 2, '~');
    g_autofree char *deep = g_strconcat(minus, "1", NULL);
    g_autofree char *longest = g_strnfill(CC_INQUIRY_LONGEST + 1, '1');
    g_autoptr(GError) error = NULL;
    cr_assert_null(ask(parentheses, &error));
    g_clear_error(&error);
    cr_assert_null(ask(longest, &error));
    g_clear_error(&error);
    CcInquiry *inquiry = ask(deep, &error);
    cr_assert(inquiry || error);
    cc_inquiry_free(inquiry);
}

/* Tokens in any order are read or refused, and never harm. */
Test(inquiry, random_tokens)
{
    static const char *const tokens[] = {"a",  "first",  "list",   ".",      "->",     "[",     "]",        "(",
                                         ")",  "next",   "1",      "2.5",    "+",      "-",     "*",        "&",
                                         "=",  "++",     "sizeof", "int",    "struct", "node",  "@",        ":",
                                         "?",  ",",      "{",      "}",      ";",      "twice", "\"s\"",    "'c'",
                                         "\"", "typeof", "enum",   "Point",  "return", "if",    "__func__", "_Generic",
                                         "!",  "<<",     "text",   "switch", "goto"};
    uint64_t random = 99;
    for (int turn = 0; turn < 3000; turn++) {
        g_autoptr(GString) text = g_string_new(NULL);
        g_autoptr(GError) error = NULL;
        random = random * 6364136223846793005u + 1442695040888963407u;
        for (uint64_t n = (random >> 33) % 12; n-- > 0;) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            g_string_append_printf(text, "%s ", tokens[(random >> 33) % G_N_ELEMENTS(tokens)]);
        }
        CcInquiry *inquiry = ask(text->str, &error);
        cr_assert((inquiry != NULL) != (error != NULL), "%s", text->str);
        cc_inquiry_free(inquiry);
    }
}
