/* Numbers and random numbers, equal to the host's bit for bit (C11 7.22). */
#include "library_test.h"

#include <stdlib.h>

Test(library_stdlib, random_is_glibcs)
{
    static const unsigned seeds[] = {1, 0, 42, 123456789, 0x80000000u, 0xffffffffu};
    Bench bench;
    bench_open(&bench, NULL);
    srandom(1);
    for (int i = 0; i < 100; i++) /* unseeded: like srand(1) */
        cr_assert_eq(bench_call(&bench, "rand", 0), (uint64_t)random());
    for (size_t s = 0; s < G_N_ELEMENTS(seeds); s++) {
        srandom(seeds[s]);
        bench_call(&bench, s % 2 ? "srand" : "srandom", 1, (uint64_t)seeds[s]);
        for (int i = 0; i < 1000; i++)
            cr_assert_eq(bench_call(&bench, i % 2 ? "random" : "rand", 0), (uint64_t)random(), "seed %u, %d", seeds[s],
                         i);
    }
    unsigned seed = 7;
    uint64_t place = bench_bytes(&bench, &seed, sizeof seed);
    for (int i = 0; i < 1000; i++)
        cr_assert_eq((int)bench_call(&bench, "rand_r", 1, place), rand_r(&seed));
    bench_close(&bench);
}

Test(library_stdlib, drand48_is_glibcs)
{
    Bench bench;
    bench_open(&bench, NULL);
    cr_assert_eq(bench_call(&bench, "drand48", 0), bench_bits(drand48())); /* unseeded */
    srand48(-17);
    bench_call(&bench, "srand48", 1, (uint64_t)-17);
    unsigned short own[3] = {1, 2, 3};
    uint64_t place = bench_bytes(&bench, own, sizeof own);
    for (int i = 0; i < 500; i++) {
        cr_assert_eq(bench_call(&bench, "drand48", 0), bench_bits(drand48()));
        cr_assert_eq(bench_call(&bench, "lrand48", 0), (uint64_t)lrand48());
        cr_assert_eq(bench_call(&bench, "mrand48", 0), (uint64_t)mrand48());
        cr_assert_eq(bench_call(&bench, "erand48", 1, place), bench_bits(erand48(own)));
        cr_assert_eq(bench_call(&bench, "nrand48", 1, place), (uint64_t)nrand48(own));
        cr_assert_eq(bench_call(&bench, "jrand48", 1, place), (uint64_t)jrand48(own));
    }
    unsigned short parameters[7] = {9, 8, 7, 6, 5, 4, 3};
    lcong48(parameters);
    bench_call(&bench, "lcong48", 1, bench_bytes(&bench, parameters, sizeof parameters));
    cr_assert_eq(bench_call(&bench, "drand48", 0), bench_bits(drand48()));
    bench_close(&bench);
}

Test(library_stdlib, numbers_from_text)
{
    static const char *const texts[] = {"",   " 42x", "-0x1f", "077",    "0b1", "+9",     "99999999999999999999",
                                        "-1", "1e3z", "inf",   "nan(7)", ".5.", "0x.8p1", "1e400",
                                        "z",  "- 1",  "1e-400"};
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t end_place = bench_bytes(&bench, "........", 8);
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        uint64_t text = bench_string(&bench, texts[i]);
        char *end;
#define END() (*(const uint64_t *)vm_rank_read(bench.rank, end_place, 8) - text)
        for (int base = 0; base <= 36; base += base ? 13 : 10) {
            cr_assert_eq(bench_call(&bench, "strtol", 3, text, end_place, (uint64_t)base),
                         (uint64_t)strtol(texts[i], &end, base));
            cr_assert_eq(END(), (uint64_t)(end - texts[i]));
            cr_assert_eq(bench_call(&bench, "strtoul", 3, text, end_place, (uint64_t)base),
                         strtoul(texts[i], &end, base));
        }
        cr_assert_eq(bench_call(&bench, "strtod", 2, text, end_place), bench_bits(strtod(texts[i], &end)));
        cr_assert_eq(END(), (uint64_t)(end - texts[i]), "%s", texts[i]);
        cr_assert_eq((int)bench_call(&bench, "atoi", 1, text), atoi(texts[i]));
        cr_assert_eq(bench_call(&bench, "atof", 1, text), bench_bits(atof(texts[i])));
    }
    bench_call(&bench, "strtol", 3, bench_string(&bench, "99999999999999999999"), UINT64_C(0), UINT64_C(10));
    cr_assert_eq(bench_errno(&bench), ERANGE);
    bench_close(&bench);
}

Test(library_stdlib, abort_is_a_fault_and_exit_an_end)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t window[16] = {6};
    bench_call(&bench, "putchar", 1, (uint64_t)'x');
    bench_call_window(&bench, "__orrery_abort", window, 1);
    bench_assert_fault(&bench, VM_FAULT_ABORT, "abort()");
    cr_assert_eq(vm_rank_fault_info(bench.rank)->signal, 6);
    cr_assert_str_eq(bench.output->str, "1:x");
    bench_close(&bench);
    bench_open(&bench, NULL);
    uint64_t status[16] = {259};
    bench_call_window(&bench, "_exit", status, 1);
    cr_assert_eq(bench.result, VM_CALL_EXIT);
    cr_assert_eq(vm_rank_exit_status(bench.rank), 3);
    bench_close(&bench);
}
