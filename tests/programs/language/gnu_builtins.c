/* __builtin_ functions that mean something to the compiler: bits, classification, complex, hints; also as constants. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int ints[] = {0, 1, -1, 2, 12, (int)0x80000000, 0x7fffffff, (int)0xa5a5a5a5, 0x0000cafe};
static const double reals[] = {0.0, -0.0, 1.5, -2.5, 1e308 * 10, -1e308 * 10, 0x1p-1074, -0x1p-1030, 0x1p-1022};
static const char *kinds[] = {"nan", "inf", "normal", "subnormal", "zero"};

/* Constant expressions (6.6) made of them. */
static int folded[] = {__builtin_clz(1),        __builtin_ctzl(8),       __builtin_popcount(255), __builtin_ffs(0),
                       __builtin_parity(7),     __builtin_clrsb(-1),     __builtin_bswap16(0x1234), __builtin_ffsll(16),
                       __builtin_isnan(1.0), __builtin_signbit(-0.0) != 0,
                       __builtin_strlen("four"), __builtin_constant_p(3), __builtin_types_compatible_p(int, int),
                       __builtin_classify_type(1.0)};
_Static_assert(__builtin_popcountll(~0ULL) == 64, "a constant expression");
static double _Complex constant = __builtin_complex(1.0, -0.0);
static double magnitude = __builtin_fabs(-2.0);

static int calls;
static double counted(double x)
{
    calls++;
    return x;
}

static void bits(void)
{
    for (unsigned i = 0; i < sizeof ints / sizeof *ints; i++) {
        int x = ints[i];
        long wide = (long)x << 20;
        unsigned u = (unsigned)x;
        printf("%d: %d %d %d %d %d %d", x, __builtin_ffs(x), __builtin_ffsl(wide), __builtin_parity(u),
               __builtin_parityl((unsigned long)wide), __builtin_clrsb(x), __builtin_clrsbl(wide));
        printf(" %d %d", __builtin_popcount(u), __builtin_popcountll((unsigned long long)wide));
        if (x)
            printf(" %d %d %d %d", __builtin_clz(u), __builtin_ctz(u), __builtin_clzl((unsigned long)wide),
                   __builtin_ctzll((unsigned long long)wide));
        printf(" %x %llx\n", __builtin_bswap32(u), (unsigned long long)__builtin_bswap64((unsigned long)wide));
    }
}

static void floats(void)
{
    for (unsigned i = 0; i <= sizeof reals / sizeof *reals; i++) {
        double x = i < sizeof reals / sizeof *reals ? reals[i] : __builtin_nan("");
        float f = (float)x;
        printf("%s %d %d %d %d %d %d | %s %d %d\n", kinds[__builtin_fpclassify(0, 1, 2, 3, 4, x)], __builtin_isnan(x),
               __builtin_isinf(x) != 0, __builtin_isfinite(x), __builtin_isnormal(x), __builtin_isinf_sign(x),
               __builtin_signbit(x) != 0, kinds[__builtin_fpclassify(0, 1, 2, 3, 4, f)], __builtin_isnormal(f),
               __builtin_signbit(f) != 0);
        for (unsigned k = 0; k < sizeof reals / sizeof *reals; k++) {
            double y = reals[k];
            printf("%d%d%d%d%d%d ", __builtin_isless(x, y), __builtin_islessequal(x, y), __builtin_isgreater(x, y),
                   __builtin_isgreaterequal(x, y), __builtin_islessgreater(x, y), __builtin_isunordered(x, y));
        }
        puts("");
    }
    calls = 0;
    printf("%d %d %d", __builtin_islessgreater(counted(1), counted(2)), __builtin_isunordered(counted(1), counted(1)),
           __builtin_isnan(counted(3)));
    printf(" %d\n", calls);
}

static void complexes(void)
{
    double re = 1.0, im = -0.0;
    double _Complex z = __builtin_complex(re, im), w = __builtin_conj(z);
    printf("%g %g %g %g %g\n", __builtin_creal(z), __builtin_cimag(z), __builtin_cimag(w), __builtin_cabs(3 + 4.0i),
           __imag__ constant);
}

int main(void)
{
    int x = 5;
    for (unsigned i = 0; i < sizeof folded / sizeof *folded; i++)
        printf("%d ", folded[i]);
    printf("%g\n", magnitude);
    bits();
    floats();
    complexes();
    if (__builtin_expect(x++ == 5, 1) && __builtin_expect_with_probability(x == 6, 1, 0.9))
        printf("expected %d\n", x);
    __builtin_prefetch(&ints[x++], 0, 3);
    printf("%d %d %s %d\n", x, *(int *)__builtin_assume_aligned(&ints[3], 4), __builtin_FUNCTION(), __builtin_LINE());
    printf("%d %d\n", __builtin_object_size(&x, 0) >= sizeof x, __builtin_object_size(ints + x, 2) <= sizeof ints);
    char *copy = __builtin_alloca(6);
    __builtin_memcpy(copy, "hello", 6);
    printf("%s %d %d %d\n", copy, __builtin_strcmp(copy, "help") < 0, __builtin_abs(-3), (int)__builtin_strlen(copy + 1));
    __builtin_choose_expr(1, puts("chosen"), (void)0);
    return x == 7 ? 0 : (__builtin_unreachable(), 1);
}
