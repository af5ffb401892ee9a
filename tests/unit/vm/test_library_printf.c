/* The printf family compared with the host's own, bit for bit (C11 7.21.6.1). */
#include "library_test.h"

#include <math.h>
#include <stdio.h>

typedef struct Argument {
    enum { INT, REAL, TEXT } kind;
    int64_t integer;
    double real;
    const char *text;
} Argument;

/* Prints one value by one directive and compares with the host's result. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
static int host_print(char *text, size_t size, const char *format, const Argument *a)
{
    switch (a->kind) {
    case INT: return snprintf(text, size, format, a->integer);
    case REAL: return snprintf(text, size, format, a->real);
    default: return snprintf(text, size, format, a->text);
    }
}
#pragma GCC diagnostic pop

static void compare(Bench *bench, const char *format, Argument a)
{
    char expected[2048];
    int length = host_print(expected, sizeof expected, format, &a);
    uint64_t slot = a.kind == INT    ? (uint64_t)a.integer
                    : a.kind == REAL ? bench_bits(a.real)
                    : a.text         ? bench_string(bench, a.text)
                                     : 0;
    uint64_t slots = bench_bytes(bench, &slot, 8);
    uint64_t buffer = bench_call(bench, "malloc", 1, (uint64_t)sizeof expected);
    uint64_t got =
        bench_call(bench, "snprintf", 4, buffer, (uint64_t)sizeof expected, bench_string(bench, format), slots);
    cr_assert_eq((int)got, length, "\"%s\": %d instead of %d", format, (int)got, length);
    cr_assert_str_eq(bench_text(bench, buffer), expected, "\"%s\" gives \"%s\" instead of \"%s\"", format,
                     bench_text(bench, buffer), expected);
}

/* All flags x widths x precisions x conversions x values of different kinds. */
Test(library_printf, numbers_are_glibcs)
{
    static const char *const flags[] = {"", "-", "+", " ", "#", "0", "-+", "#0", "+0", "- ", "#-", "'"};
    static const char *const widths[] = {"", "1", "12", "700"};
    static const char *const precisions[] = {"", ".", ".0", ".3", ".20"};
    static const char *const integers[] = {"hhd", "hd", "d", "ld", "lli", "jd", "zd",  "td", "hhu", "hu",
                                           "u",   "lu", "o", "lo", "x",   "lx", "hhX", "zu", "p"};
    static const int64_t values[] = {0, 1, -1, 255, -129, 65537, INT32_MIN, INT64_MIN, INT64_MAX};
    static const char reals[] = "aAeEfFgG";
    static const double doubles[] = {0,     -0.0,   1,       -1.5,           0.1,      1e10,
                                     1e100, 5e-324, 1.0 / 3, 123456789.0625, HUGE_VAL, -HUGE_VAL};
    Bench bench;
    bench_open(&bench, NULL);
    for (size_t f = 0; f < G_N_ELEMENTS(flags); f++)
        for (size_t w = 0; w < G_N_ELEMENTS(widths); w++)
            for (size_t p = 0; p < G_N_ELEMENTS(precisions); p++) {
                g_autofree char *head = g_strconcat("<%", flags[f], widths[w], precisions[p], NULL);
                for (size_t c = 0; c < G_N_ELEMENTS(integers); c++) {
                    g_autofree char *format = g_strconcat(head, integers[c], ">", NULL);
                    compare(&bench, format, (Argument){.kind = INT, .integer = values[(c + f + w + p) % 9]});
                    compare(&bench, format, (Argument){.kind = INT, .integer = values[(c * 5 + f * 2 + w) % 9]});
                }
                for (size_t c = 0; c < sizeof reals - 1; c++) {
                    g_autofree char *format = g_strdup_printf("%s%c>", head, reals[c]);
                    for (size_t v = f % 3; v < G_N_ELEMENTS(doubles); v += 3)
                        compare(&bench, format, (Argument){.kind = REAL, .real = doubles[v]});
                }
            }
    bench_close(&bench);
}

Test(library_printf, strings_and_oddities_are_glibcs)
{
    static const char *const formats[] = {"%s|", "%10s|", "%-10s|", "%.2s|", "%10.1s|", "%.0s|", "%.5s|", "%.6s|"};
    Bench bench;
    bench_open(&bench, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
        compare(&bench, formats[i], (Argument){.kind = TEXT, .text = "hello"});
        compare(&bench, formats[i], (Argument){.kind = TEXT, .text = ""});
        compare(&bench, formats[i], (Argument){.kind = TEXT, .text = NULL});
    }
    compare(&bench, "%c", (Argument){.kind = INT, .integer = 'x'});
    compare(&bench, "%-3c|%%", (Argument){.kind = INT, .integer = 'x'});
    compare(&bench, "%y%d", (Argument){.kind = INT, .integer = 5});
    bench_close(&bench);
}

static const char *print(Bench *bench, const char *format, const uint64_t *slots, size_t n)
{
    uint64_t buffer = bench_call(bench, "malloc", 1, UINT64_C(256));
    bench_call(bench, "sprintf", 3, buffer, bench_string(bench, format), bench_bytes(bench, slots, n * 8));
    return bench_text(bench, buffer);
}

/* POSIX n$, and '*' from arguments. A negative width means '-' and the width (7.21.6.1 p5). */
Test(library_printf, arguments_by_number_and_star)
{
    Bench bench;
    bench_open(&bench, NULL);
    cr_assert_str_eq(print(&bench, "%2$d %1$d", (uint64_t[]){1, 2}, 2), "2 1");
    cr_assert_str_eq(print(&bench, "[%*d]", (uint64_t[]){5, 42}, 2), "[   42]");
    cr_assert_str_eq(print(&bench, "[%*d]", (uint64_t[]){(uint64_t)-5, 42}, 2), "[42   ]");
    cr_assert_str_eq(print(&bench, "[%.*f]", (uint64_t[]){2, bench_bits(3.14159)}, 2), "[3.14]");
    cr_assert_str_eq(print(&bench, "[%.*f]", (uint64_t[]){(uint64_t)-1, bench_bits(0.5)}, 2), "[0.500000]");
    cr_assert_str_eq(print(&bench, "[%2$*1$d]", (uint64_t[]){4, 7}, 2), "[   7]");
    cr_assert_str_eq(print(&bench, "%Lf %lf", (uint64_t[]){bench_bits(1.5), bench_bits(2.5)}, 2), "1.500000 2.500000");
    cr_assert_str_eq(print(&bench, "%p", (uint64_t[]){0x20010}, 1), "0x20010");
    bench_close(&bench);
}

/* %n stores the count. snprintf returns the full length and truncates (7.21.6.5 p2). */
Test(library_printf, counts)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t place = bench_bytes(&bench, "........", 8);
    print(&bench, "12345%n", &place, 1);
    cr_assert_eq(*(const int *)vm_rank_read(bench.rank, place, 4), 5);
    uint64_t buffer = bench_bytes(&bench, "........", 8);
    cr_assert_eq(bench_call(&bench, "snprintf", 4, buffer, UINT64_C(4), bench_string(&bench, "abcdef"), UINT64_C(0)),
                 6);
    cr_assert_str_eq(bench_text(&bench, buffer), "abc");
    cr_assert_eq(
        bench_call(&bench, "snprintf", 4, UINT64_C(0), UINT64_C(0), bench_string(&bench, "abcdef"), UINT64_C(0)), 6);
    bench_close(&bench);
}

Test(library_printf, bad_pointers_are_faults)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t slot = 0x123456789abc, format = bench_string(&bench, "%s");
    uint64_t window[16] = {format, bench_bytes(&bench, &slot, 8)};
    bench_call_window(&bench, "printf", window, 2);
    bench_assert_fault(&bench, VM_FAULT_WILD_READ, "printf: argument 2 is the address 0x123456789abc");
    bench_close(&bench);
    bench_open(&bench, NULL);
    uint64_t missing[16] = {bench_string(&bench, "%d"), 0};
    bench_call_window(&bench, "printf", missing, 2);
    bench_assert_fault(&bench, VM_FAULT_LIBRARY, "variable argument number 1");
    bench_close(&bench);
}

Test(library_printf, gigantic_fields_are_refused)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t slot = 1, slots = bench_bytes(&bench, &slot, 8);
    uint64_t got =
        bench_call(&bench, "snprintf", 4, UINT64_C(0), UINT64_C(0), bench_string(&bench, "%2000000000d"), slots);
    cr_assert_eq(got, UINT64_MAX);
    cr_assert_eq(bench_errno(&bench), EOVERFLOW);
    bench_close(&bench);
}

/* Whole lines are written at once, the rest at the next newline, fflush or the end; stderr at once. */
Test(library_printf, output_is_line_buffered)
{
    Bench bench;
    bench_open(&bench, NULL);
    bench_call(&bench, "printf", 2, bench_string(&bench, "one\ntw"), UINT64_C(0));
    cr_assert_str_eq(bench.output->str, "1:one\n");
    bench_call(&bench, "fputs", 2, bench_string(&bench, "error"), UINT64_C(3));
    bench_call(&bench, "putchar", 1, (uint64_t)'o');
    bench_call(&bench, "fflush", 1, UINT64_C(2));
    cr_assert_str_eq(bench.output->str, "1:one\n2:error1:two");
    bench_call(&bench, "puts", 1, bench_string(&bench, "!"));
    bench_call(&bench, "putchar", 1, (uint64_t)'x');
    vm_library_close(bench.rank);
    cr_assert_str_eq(bench.output->str, "1:one\n2:error1:two1:!\n1:x");
    bench_close(&bench);
}
