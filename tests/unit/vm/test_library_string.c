/* <string.h> compared with the host's own functions, including edge cases (C11 7.24). */
#include "library_test.h"

#include <strings.h>

static int sign(int64_t value)
{
    return (value > 0) - (value < 0);
}

/* All pairs of texts that differ in length, case, and sign of char. */
Test(library_string, comparisons)
{
    static const char *const texts[] = {"", "a", "A", "ab", "aB", "abc", "b", "\x80", "\xff", "a\xc4", "Z", "["};
    Bench bench;
    bench_open(&bench, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        for (size_t j = 0; j < G_N_ELEMENTS(texts); j++) {
            uint64_t a = bench_string(&bench, texts[i]), b = bench_string(&bench, texts[j]);
            cr_assert_eq(sign((int64_t)bench_call(&bench, "strcmp", 2, a, b)), sign(strcmp(texts[i], texts[j])));
            cr_assert_eq(sign((int64_t)bench_call(&bench, "strcoll", 2, a, b)), sign(strcmp(texts[i], texts[j])));
            cr_assert_eq(sign((int64_t)bench_call(&bench, "strcasecmp", 2, a, b)),
                         sign(strcasecmp(texts[i], texts[j])));
            for (uint64_t n = 0; n < 4; n++) {
                cr_assert_eq(sign((int64_t)bench_call(&bench, "strncmp", 3, a, b, n)),
                             sign(strncmp(texts[i], texts[j], n)));
                cr_assert_eq(sign((int64_t)bench_call(&bench, "strncasecmp", 3, a, b, n)),
                             sign(strncasecmp(texts[i], texts[j], n)));
            }
        }
    cr_assert_eq((int)bench_call(&bench, "strcmp", 2, bench_string(&bench, "a"), bench_string(&bench, "d")), -3);
    bench_close(&bench);
}

/* Compares results that point into the text as offsets; -1 for NULL. */
Test(library_string, searches)
{
    static const char text[] = "hello, world; hello";
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t at = bench_string(&bench, text);
#define OFFSET(pointer)  ((pointer) ? (int64_t)((pointer)-text) : -1)
#define GUEST(name, ...) (found = bench_call(&bench, name, 2, at, __VA_ARGS__), found ? (int64_t)(found - at) : -1)
    uint64_t found;
    for (int c = 0; c < 256; c++) {
        cr_assert_eq(GUEST("strchr", (uint64_t)c), OFFSET(strchr(text, c)));
        cr_assert_eq(GUEST("strrchr", (uint64_t)c), OFFSET(strrchr(text, c)));
        cr_assert_eq(GUEST("strchrnul", (uint64_t)c), OFFSET(strchrnul(text, c)));
    }
    static const char *const parts[] = {"", "hello", "world;", "xyz", "o", "HELLO", ", w"};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        uint64_t part = bench_string(&bench, parts[i]);
        cr_assert_eq(GUEST("strstr", part), OFFSET(strstr(text, parts[i])));
        cr_assert_eq(GUEST("strcasestr", part), OFFSET(strcasestr(text, parts[i])));
        cr_assert_eq(GUEST("strpbrk", part), OFFSET(strpbrk(text, parts[i])));
        cr_assert_eq(bench_call(&bench, "strspn", 2, at, part), strspn(text, parts[i]));
        cr_assert_eq(bench_call(&bench, "strcspn", 2, at, part), strcspn(text, parts[i]));
    }
    bench_close(&bench);
}

Test(library_string, copies)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t to = bench_bytes(&bench, "................", 16), from = bench_string(&bench, "abc");
    cr_assert_eq(bench_call(&bench, "strcpy", 2, to, from), to);
    cr_assert_arr_eq(vm_rank_read(bench.rank, to, 6), "abc\0..", 6);
    cr_assert_eq(bench_call(&bench, "stpcpy", 2, to, from), to + 3);
    cr_assert_eq(bench_call(&bench, "strcat", 2, to, from), to);
    cr_assert_str_eq(bench_text(&bench, to), "abcabc");
    bench_call(&bench, "strncat", 3, to, from, UINT64_C(2));
    cr_assert_str_eq(bench_text(&bench, to), "abcabcab");
    bench_call(&bench, "strncpy", 3, to, from, UINT64_C(2)); /* no NUL (7.24.2.4 p2) */
    cr_assert_str_eq(bench_text(&bench, to), "abcabcab");
    bench_call(&bench, "strncpy", 3, to, from, UINT64_C(7)); /* padded with NULs (p3) */
    cr_assert_arr_eq(vm_rank_read(bench.rank, to, 8), "abc\0\0\0\0b", 8);
    bench_call(&bench, "memmove", 3, to + 1, to, UINT64_C(3));
    cr_assert_str_eq(bench_text(&bench, to), "aabc");
    bench_call(&bench, "memset", 3, to, UINT64_C(0x141), UINT64_C(2));
    cr_assert_str_eq(bench_text(&bench, to), "AAbc");
    cr_assert_eq(bench_call(&bench, "memchr", 3, to, (uint64_t)'b', UINT64_C(16)), to + 2);
    cr_assert_eq(bench_call(&bench, "memcmp", 3, to, from, UINT64_C(3)), (uint64_t)(int64_t)('A' - 'a'));
    bench_close(&bench);
}

/* A NUL-terminated source may be shorter than the limit says, up to the very end of memory (7.24.2.4 p2). */
Test(library_string, limits_beyond_memory_do_not_matter)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t text = bench_string(&bench, "abc");
    cr_assert_eq(bench_call(&bench, "strnlen", 2, text, UINT64_MAX), 3);
    cr_assert_eq(bench_call(&bench, "strncmp", 3, text, text, UINT64_MAX), 0);
    bench_close(&bench);
}

Test(library_string, bad_pointers_are_faults)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t null[16] = {0};
    bench_call_window(&bench, "strlen", null, 1);
    bench_assert_fault(&bench, VM_FAULT_NULL_POINTER, "strlen: argument 1 is the null pointer");
    bench_close(&bench);
    bench_open(&bench, NULL);
    uint64_t huge[16] = {bench_string(&bench, "x"), bench_string(&bench, "y"), UINT64_MAX};
    bench_call_window(&bench, "memcpy", huge, 3);
    bench_assert_fault(&bench, VM_FAULT_WILD_READ, "memcpy: argument 2");
    bench_close(&bench);
}
