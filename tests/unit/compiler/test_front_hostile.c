/* Absurd input causes a clear message or a result, never a crash. (Run under the sanitizers.) */
#include "front_support.h"

#include <criterion/criterion.h>
#include <string.h>

/* Parses `before`, `middle` repeated, and `after`. */
static Parsed repeat(const char *before, const char *middle, size_t times, const char *after, GString **text)
{
    *text = g_string_new(before);
    for (size_t i = 0; i < times; i++)
        g_string_append(*text, middle);
    g_string_append(*text, after);
    return parse((*text)->str);
}

Test(front_hostile, nesting_is_bounded)
{
    static const struct {
        const char *before, *middle, *after, *message;
    } rows[] = {
        {"int x = ", "(", "1", "nested"},
        {"int f(void) { ", "{", "", "nested"},
        {"int x = ", "{", "1", "nested"},
        {"int x", "[1]", ";", "nested"},
        {"int ", "*", "x;", "nested"},
        {"int f(int y) { return ", "- ", "y; }", "nested"},
        {"int f(int y) { return ", "!", "y; }", "nested"},
        {"int f(int y) { return y", "+y", "; }", "nested"},
        {"int f(int y) { return y", ",y", "; }", "nested"},
        {"int f(int y) { return y", "?y:y", "; }", "nested"},
        {"int f(int y) { y", "=y", "; }", "nested"},
        {"int f(int y) { ", "if (y) ", "; }", "nested"},
        {"int f(int y) { if (y) ; ", "else if (y) ; ", "}", "nested"},
        {"int f(int y) { return ", "(int)", "y; }", "nested"},
        {"", "struct { ", "int x;", "nested"},
        {"int f", "(int (*)", "", "nested"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        GString *text;
        Parsed parsed = repeat(rows[i].before, rows[i].middle, 100000, rows[i].after, &text);
        cr_expect_null(parsed.unit, "%s", rows[i].middle);
        cr_expect_not_null(strstr(parsed.said, rows[i].message), "%s: %s", rows[i].middle, parsed.said);
        cr_expect_leq(parsed.errors, 2u, "%s: %s", rows[i].middle, parsed.said);
        parsed_free(&parsed);
        g_string_free(text, TRUE);
    }
}

Test(front_hostile, reasonable_nesting_is_accepted)
{
    static const struct {
        const char *before, *middle, *after;
    } rows[] = {{"int f(int y) { return y", "+y", "; }"},
                {"int f(int y) { if (y) ; ", "else if (y) ; ", "return 1; }"},
                {"int f(int y) { return ", "-(y)", "; }"}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        GString *text;
        Parsed parsed = repeat(rows[i].before, rows[i].middle, 1000, rows[i].after, &text);
        cr_expect_not_null(parsed.unit, "%s: %s", rows[i].middle, parsed.said);
        parsed_free(&parsed);
        g_string_free(text, TRUE);
    }
}

Test(front_hostile, deep_types_through_names)
{
    GString *text = g_string_new("struct s0 { int x; };");
    for (int i = 0; i < 2000; i++)
        g_string_append_printf(text, "struct s%d { struct s%d y; };", i + 1, i);
    g_string_append(text, "struct s2000 v = {1};");
    Parsed parsed = parse(text->str);
    cr_expect_not_null(strstr(parsed.said, "nested deeper than 250 levels"));
    parsed_free(&parsed);
    g_string_assign(text, "typedef int *t0;");
    for (int i = 0; i < 2000; i++)
        g_string_append_printf(text, "typedef t%d *t%d;", i, i + 1);
    parsed = parse(text->str);
    cr_expect_not_null(strstr(parsed.said, "nested deeper than 250 levels"));
    parsed_free(&parsed);
    g_string_free(text, TRUE);
}

Test(front_hostile, long_lines_and_tokens)
{
    static const struct {
        const char *before, *middle, *after;
        bool good;
    } rows[] = {
        {"char *s = \"", "a", "\";", true},
        {"int ", "a", " = 3;", true},
        {"int x = 1", " ", ";", true},
        {"int x = ", "1", ";", true},
        {"int x; /* ", "*", "/ int y;", true},
        {"int x; /* ", "*", "", false},
        {"char *s = \"", "a", "", false},
        {"int x = '", "a", "';", true},
        {"int x = 1.", "0", ";", true},
        {"\"", "\\", "", false},
        {"#", "#", "\n", true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        GString *text;
        Parsed parsed = repeat(rows[i].before, rows[i].middle, 1 << 20, rows[i].after, &text);
        cr_expect_eq(parsed.unit != NULL, rows[i].good, "%s...: %.200s", rows[i].before, parsed.said);
        parsed_free(&parsed);
        g_string_free(text, TRUE);
    }
}

Test(front_hostile, any_bytes)
{
    char bytes[2560];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)i;
    CcOptions options = {.include_dir = "/nowhere"};
    Parsed parsed = parse_with(bytes, sizeof bytes, &options);
    cr_expect_null(parsed.unit);
    parsed_free(&parsed);
    parsed = parse_with("int x\0= 3;", 10, &options);
    cr_expect_not_null(strstr(parsed.said, "stray byte 0x00"));
    parsed_free(&parsed);
    parsed = parse_with("", 0, &options);
    cr_expect_not_null(parsed.unit);
    parsed_free(&parsed);
}

Test(front_hostile, huge_objects)
{
    refuse("int a[0x7fffffffffffffff];", "too large");
    refuse("char a[1ul << 63];", "too large");
    refuse("int a[1 << 20][1 << 20][1 << 20];", "too large");
    refuse("int a[] = {[1l << 40] = 1};", "larger than 1 GiB");
    refuse("int a[1 << 30] = {[0 ... (1 << 30) - 1] = 1};", "too long");
    refuse("struct s { char a[1l << 46], b[1l << 46], c[1l << 46]; };", "too large");
}

/* Every prefix of a program, and the program without one token: the parser reports errors and returns. */
static void cut_everywhere(const char *program, const CcOptions *options)
{
    size_t size = strlen(program);
    for (size_t i = 0; i <= size; i++) {
        Parsed parsed = parse_with(program, i, options);
        parsed_free(&parsed);
        GString *damaged = g_string_new_len(program, (gssize)i);
        g_string_append(damaged, program + MIN(i + 1, size));
        parsed = parse_with(damaged->str, damaged->len, options);
        cr_expect(parsed.unit || parsed.errors, "at %zu", i);
        parsed_free(&parsed);
        g_string_free(damaged, TRUE);
    }
}

Test(front_hostile, truncated_and_damaged)
{
    static const char program[] =
        "typedef struct n { struct n *next; int v[3]; union { float f; }; } N; enum e { A = 1, B };\n"
        "static const char *t[] = {[1] = \"x\\n\", \"y\"}; int (*fp)(N *, ...);\n"
        "int f(a, b) int a; char *b; { for (int i = 0; i < a; i++) switch (b[i]) { case 'a' ... 'z': continue;"
        " default: goto out; } out: return ({ int q = a; q ? sizeof(N[2]) : _Generic(q, int: 1, default: 2); }); }\n";
    CcOptions options = {.include_dir = "/nowhere"};
    cut_everywhere(program, &options);
}

/* The same for directives of OpenMP: constructs are left open in every way, and every clause is cut. */
Test(front_hostile, truncated_directives)
{
    static const char program[] =
        "int g;\n#pragma omp threadprivate(g)\n"
        "#pragma omp declare reduction(sum : int : omp_out += omp_in) initializer(omp_priv = 0)\n"
        "int f(int n, int *a) { int s = 0, i, j;\n"
        "#pragma omp parallel for reduction(sum : s) lastprivate(i) schedule(monotonic: dynamic, n) if(parallel: n > "
        "1)\n"
        "for (i = 0; i < n; i++) s += a[i];\n"
        "#pragma omp parallel default(none) shared(a, s) private(j) copyin(g) num_threads(2)\n{\n"
        "#pragma omp sections\n{\ns++;\n#pragma omp section\ns--; }\n"
        "#pragma omp task depend(in: a[0:2]) firstprivate(s)\n{ g = s;\n"
        "#pragma omp cancel taskgroup if(g)\n}\n"
        "#pragma omp critical(x)\n"
        "#pragma omp atomic capture\n{ j = s; s += 2; }\n}\n"
        "#pragma omp for ordered(2)\nfor (i = 0; i < 4; i++) for (j = 0; j < 4; j++) {\n"
        "#pragma omp ordered depend(sink: i - 1, j)\n#pragma omp ordered depend(source)\n}\n"
        "#pragma omp target teams distribute parallel for simd num_teams(n) dist_schedule(static, 2) lastprivate(j)\n"
        "for (i = 0; i < n; i++) j = i;\n"
        "#pragma omp target map(tofrom: s) \n#pragma omp teams reduction(+: a[1:2])\n a[1] += 2;\n"
        "#pragma omp taskloop collapse(2) grainsize(2)\nfor (i = 0; i < 4; i++) for (int k = 9; k >= 0; k -= 2) ;\n"
        "return s; }\n";
    CcOptions options = {.include_dir = "/nowhere", .openmp = true};
    Parsed whole = parse_with(program, strlen(program), &options);
    cr_expect_not_null(whole.unit, "%s", whole.said);
    parsed_free(&whole);
    cut_everywhere(program, &options);
}

/* A list of a directive may have any number of variables. */
Test(front_hostile, long_list_of_copyin)
{
    CcOptions options = {.include_dir = "/nowhere", .openmp = true};
    GString *names = g_string_new("v0");
    for (int i = 1; i < 200; i++)
        g_string_append_printf(names, ", v%d", i);
    char *program = g_strdup_printf("int %s;\n#pragma omp threadprivate(%s)\nvoid f(void) {\n"
                                    "#pragma omp parallel copyin(%s)\nv199++; }\n",
                                    names->str, names->str, names->str);
    Parsed parsed = parse_with(program, strlen(program), &options);
    cr_expect_not_null(parsed.unit, "%s", parsed.said);
    parsed_free(&parsed);
    g_free(program);
    g_string_free(names, TRUE);
}
