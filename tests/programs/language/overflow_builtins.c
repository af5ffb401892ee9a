/* __builtin_add_overflow and its kin: exact for every mixture of operand and result types. */
#include <stdio.h>

#define ONE(op, ta, a, tb, b, tr)                                                                                      \
    ({                                                                                                                 \
        tr r_;                                                                                                         \
        int lost_ = __builtin_##op##_overflow((ta)(a), (tb)(b), &r_);                                                  \
        sum = sum * 31 + (unsigned long)r_ * 2 + (unsigned)lost_;                                                      \
        sum = sum * 31 + (unsigned)__builtin_##op##_overflow_p((ta)(a), (tb)(b), (tr)0);                               \
    })
#define RESULTS(op, ta, a, tb, b)                                                                                      \
    ONE(op, ta, a, tb, b, signed char), ONE(op, ta, a, tb, b, unsigned char), ONE(op, ta, a, tb, b, short),            \
        ONE(op, ta, a, tb, b, unsigned short), ONE(op, ta, a, tb, b, int), ONE(op, ta, a, tb, b, unsigned),            \
        ONE(op, ta, a, tb, b, long), ONE(op, ta, a, tb, b, unsigned long)
#define OPERATIONS(ta, a, tb, b) RESULTS(add, ta, a, tb, b), RESULTS(sub, ta, a, tb, b), RESULTS(mul, ta, a, tb, b)

static const unsigned long values[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff,
                                       0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
                                       0xfffffffffffffffe, 0xffffffff80000000, 0x5a5a5a5a5a5a5a5a};

int main(void)
{
    unsigned long sum = 0;
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        for (unsigned k = 0; k < sizeof values / sizeof *values; k++) {
            unsigned long a = values[i], b = values[k];
            OPERATIONS(int, a, int, b);
            OPERATIONS(unsigned, a, unsigned, b);
            OPERATIONS(int, a, unsigned, b);
            OPERATIONS(long, a, long, b);
            OPERATIONS(unsigned long, a, unsigned long, b);
            OPERATIONS(long, a, unsigned long, b);
            OPERATIONS(unsigned long, a, int, b);
            OPERATIONS(signed char, a, unsigned long, b);
            if (k == 0)
                printf("%lx\n", sum);
        }
    long l;
    unsigned long ul;
    int s;
    printf("%lx\n", sum);
    printf("%d %d %d\n", __builtin_saddl_overflow(1, 2, &l), __builtin_umull_overflow(1ul << 32, 1ul << 32, &ul),
           __builtin_smul_overflow(1 << 16, 1 << 15, &s));
    enum { FITS = __builtin_add_overflow_p(1, 2, (char)0), NOT = __builtin_mul_overflow_p(100, 2, (signed char)0) };
    printf("%ld %lu %d %d %d\n", l, ul, s, FITS, NOT);
    return 0;
}
