/* <math.h>: arguments and results are passed correctly in every combination of types (C11 7.12). */
#include "library_test.h"

#include <math.h>

static uint64_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define REAL(name, x)                                                                                                  \
    do {                                                                                                               \
        cr_assert_eq(bench_call(&bench, #name, 1, bench_bits(x)), bench_bits(name(x)), #name);                         \
        cr_assert_eq(bench_call(&bench, #name "l", 1, bench_bits(x)), bench_bits(name(x)), #name "l");                 \
        cr_assert_eq(bench_call(&bench, #name "f", 1, float_bits((float)(x))), float_bits(name##f((float)(x))),        \
                     #name "f");                                                                                       \
    } while (0)

Test(library_math, one_argument)
{
    Bench bench;
    bench_open(&bench, NULL);
    static const double values[] = {0.0, -0.0, 0.3, 1.0, 2.5, -2.5, 1e300, -1e-300};
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        double x = values[i];
        REAL(sin, x);
        REAL(cos, x);
        REAL(tan, x);
        REAL(atan, x);
        REAL(exp, x);
        REAL(exp2, x);
        REAL(fabs, x);
        REAL(floor, x);
        REAL(ceil, x);
        REAL(round, x);
        REAL(trunc, x);
        REAL(rint, x);
        REAL(cbrt, x);
        REAL(tanh, x);
        REAL(erf, x);
        REAL(sqrt, fabs(x));
        REAL(log, fabs(x) + 1);
        REAL(log10, fabs(x) + 1);
    }
    bench_close(&bench);
}

Test(library_math, other_shapes)
{
    Bench bench;
    bench_open(&bench, NULL);
    cr_assert_eq(bench_call(&bench, "pow", 2, bench_bits(2), bench_bits(0.5)), bench_bits(pow(2, 0.5)));
    cr_assert_eq(bench_call(&bench, "powf", 2, float_bits(2), float_bits(0.5f)), float_bits(powf(2, 0.5f)));
    cr_assert_eq(bench_call(&bench, "fma", 3, bench_bits(0.1), bench_bits(10), bench_bits(-1)),
                 bench_bits(fma(0.1, 10, -1)));
    cr_assert_eq(bench_call(&bench, "lround", 1, bench_bits(-2.5)), (uint64_t)-3);
    cr_assert_eq(bench_call(&bench, "lrintf", 1, float_bits(2.5f)), 2);
    cr_assert_eq(bench_call(&bench, "ilogb", 1, bench_bits(0.25)), (uint64_t)-2);
    cr_assert_eq(bench_call(&bench, "ldexp", 2, bench_bits(1.5), (uint64_t)-3), bench_bits(0.1875));
    cr_assert_eq(bench_call(&bench, "jn", 2, UINT64_C(2), bench_bits(1.5)), bench_bits(jn(2, 1.5)));
    uint64_t place = bench_bytes(&bench, "........", 8);
    cr_assert_eq(bench_call(&bench, "frexp", 2, bench_bits(12), place), bench_bits(0.75));
    cr_assert_eq(*(const int *)vm_rank_read(bench.rank, place, 4), 4);
    cr_assert_eq(bench_call(&bench, "modf", 2, bench_bits(-3.25), place), bench_bits(-0.25));
    cr_assert_eq(*(const double *)vm_rank_read(bench.rank, place, 8), -3.0);
    bench_close(&bench);
}

/* 7.12.1: domain and range errors set errno. */
Test(library_math, errors)
{
    Bench bench;
    bench_open(&bench, NULL);
    bench_call(&bench, "sqrt", 1, bench_bits(4));
    cr_assert_eq(bench_errno(&bench), 0);
    bench_call(&bench, "sqrt", 1, bench_bits(-1));
    cr_assert_eq(bench_errno(&bench), EDOM);
    bench_call(&bench, "exp", 1, bench_bits(1000));
    cr_assert_eq(bench_errno(&bench), ERANGE);
    bench_close(&bench);
}
