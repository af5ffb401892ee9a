/* The scanf family compared with the host's own (C11 7.21.6.2). */
#include "library_test.h"

#include <stdio.h>

enum { AREA = 64 };

/* sscanf must give the same count and the same bytes in two areas as on the host. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static int host_scan(const char *text, const char *format, char *first, char *second)
{
    return sscanf(text, format, first, second);
}
#pragma GCC diagnostic pop

static void compare(Bench *bench, const char *text, const char *format)
{
    char first[AREA], second[AREA];
    memset(first, 0x55, AREA);
    memset(second, 0x55, AREA);
    uint64_t slots[2] = {bench_bytes(bench, first, AREA), bench_bytes(bench, second, AREA)};
    int expected = host_scan(text, format, first, second);
    int got = (int)bench_call(bench, "sscanf", 3, bench_string(bench, text), bench_string(bench, format),
                              bench_bytes(bench, slots, sizeof slots));
    cr_assert_eq(got, expected, "\"%s\" by \"%s\": %d instead of %d", text, format, got, expected);
    cr_assert_arr_eq(vm_rank_read(bench->rank, slots[0], AREA), first, AREA, "\"%s\" by \"%s\", first", text, format);
    cr_assert_arr_eq(vm_rank_read(bench->rank, slots[1], AREA), second, AREA, "\"%s\" by \"%s\", second", text, format);
}

Test(library_scanf, every_text_by_every_format_as_the_host)
{
    static const char *const texts[] = {
        "",
        " ",
        "12",
        "-12 34",
        "+7x",
        "0x1F",
        "0xg",
        "010",
        "08",
        "1e5",
        "1e",
        "1e+",
        "1e+x",
        ".5",
        ".",
        "-.5e-3z",
        "nan",
        "inf",
        "infinity",
        "infinite",
        "-inf",
        "na",
        "0x1.8p3",
        "0x",
        "0xp",
        "abc def",
        "  abc",
        "a,b",
        "12,34",
        "12 , 34",
        "99999999999999999999",
        "-99999999999999999999",
        "4294967296",
        "300",
        "%5",
        "abc%",
        "]]x",
        "a-z-",
        "\t\n 5\n6",
        "1.5.5",
        "1,5",
        "- 5",
        "--5",
        "+",
        "0",
        "00",
        "0x0x1",
        "1e999",
        "3 4 5",
    };
    static const char *const formats[] = {
        "%d",     "%d%d",     "%i",     "%i%n",   "%u",    "%x",    "%o",        "%hhd",  "%hd",     "%ld",
        "%lld%n", "%zu",      "%2d%d",  "%1d%1d", "%5d%n", "%f",    "%lf",       "%lf%n", "%3lf%n",  "%1lf",
        "%g%s",   "%a",       "%le",    "%s",     "%s%s",  "%2s%s", "%c",        "%c%c",  "%3c",     " %c",
        "%[a-z]", "%[^,],%s", "%[]]%n", "%[^]]",  "%[a-]", "%*d%d", "%*s%d",     "%d,%d", "%d , %d", "%%%d",
        "%d%%",   "abc%n",    " %n",    "%*d",    "%*d%n", "x%d",   "%3[0-9]%s", "%p",
    };
    Bench bench;
    bench_open(&bench, NULL);
    for (size_t t = 0; t < G_N_ELEMENTS(texts); t++)
        for (size_t f = 0; f < G_N_ELEMENTS(formats); f++)
            compare(&bench, texts[t], formats[f]);
    bench_close(&bench);
}

/* n$ and allocation (POSIX). */
Test(library_scanf, numbered_and_allocated)
{
    Bench bench;
    bench_open(&bench, NULL);
    compare(&bench, "1 2", "%2$d %1$d");
    uint64_t place = bench_bytes(&bench, "........", 8);
    uint64_t slots = bench_bytes(&bench, &place, 8);
    cr_assert_eq(bench_call(&bench, "sscanf", 3, bench_string(&bench, " word"), bench_string(&bench, "%ms"), slots), 1);
    uint64_t word = *(const uint64_t *)vm_rank_read(bench.rank, place, 8);
    cr_assert_str_eq(bench_text(&bench, word), "word");
    bench_call(&bench, "free", 1, word);
    bench_close(&bench);
}

Test(library_scanf, standard_input)
{
    Bench bench;
    bench_open(&bench, NULL);
    g_string_assign(bench.input, "12 abc\nline two\n");
    uint64_t areas[2] = {bench_bytes(&bench, "................", 16), bench_bytes(&bench, "................", 16)};
    uint64_t slots = bench_bytes(&bench, areas, sizeof areas);
    bench_call(&bench, "printf", 2, bench_string(&bench, "prompt> "), UINT64_C(0));
    cr_assert_eq(bench_call(&bench, "scanf", 2, bench_string(&bench, "%d%s"), slots), 2);
    cr_assert_str_eq(bench.output->str, "1:prompt> ", "the prompt appears before the program waits");
    cr_assert_eq(*(const int *)vm_rank_read(bench.rank, areas[0], 4), 12);
    cr_assert_str_eq(bench_text(&bench, areas[1]), "abc");
    cr_assert_eq(bench_call(&bench, "getchar", 0), '\n');
    cr_assert_neq(bench_call(&bench, "fgets", 3, areas[1], UINT64_C(16), UINT64_C(1)), 0);
    cr_assert_str_eq(bench_text(&bench, areas[1]), "line two\n");
    cr_assert_eq(bench_call(&bench, "feof", 1, UINT64_C(1)), 0);
    cr_assert_eq(bench_call(&bench, "getchar", 0), UINT64_MAX);
    cr_assert_neq(bench_call(&bench, "feof", 1, UINT64_C(1)), 0);
    cr_assert_eq(bench_call(&bench, "scanf", 2, bench_string(&bench, "%d"), slots), UINT64_MAX);
    bench_close(&bench);
}

Test(library_scanf, bad_target_is_a_fault)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t slot = 0;
    uint64_t window[16] = {bench_string(&bench, "5"), bench_string(&bench, "%d"), bench_bytes(&bench, &slot, 8)};
    bench_call_window(&bench, "sscanf", window, 3);
    bench_assert_fault(&bench, VM_FAULT_NULL_POINTER, "sscanf: argument 3 is the null pointer");
    bench_close(&bench);
}
