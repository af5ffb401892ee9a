/* Bit-fields wider than int are computed with in their own width (GNU C; 6.7.2.1p10 leaves it open). */
#include <stdio.h>

struct s {
    unsigned long long u33 : 33;
    unsigned long long u40 : 40;
    long long s40 : 40;
    long long s35 : 35;
    unsigned long long u64 : 64;
} a = {0x100000, 0x100000, 0x7fffffffff, -5, 3}, b = {0x1ffffffff, 0xffffffffff, -0x8000000000, 7, ~0ull};

static void show(unsigned long long x)
{
    printf("%llx ", x);
}

int main(void)
{
    int minus = -1;
    unsigned u = 0xffffffff;
    show(a.u33 * a.u33), show(a.u33 * a.u40), show(a.u40 << 30), show(b.u33 + 1), show(b.u40 + minus), puts("");
    show(-a.u33), show(~a.u40), show(b.u33 + b.u33 > 5), show(a.u40 - b.u40), puts("");
    show(a.s40 + a.s40), show(a.s35 * u), show(a.u33 + 1ull * b.u64), show(b.u40 / 3), show(-b.s40), puts("");
    show(b.u40 * b.u40 >> 3), show((a.u33 == 0 ? b.u33 : b.u40) + 1), show((b.u40 += 2) + 1), show(b.u40++), puts("");
    show(a.u40 > minus), show(b.u64 + 1), show((a.u33, b.u33) + 1), show(b.u33-- - 2), puts("");
    return 0;
}
