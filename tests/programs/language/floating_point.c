/* float and double arithmetic, comparisons, rounding, infinities; unsigned and shift arithmetic; integer overflow. */
#include <float.h>
#include <limits.h>
#include <stdio.h>

static float fsum(const float *v, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}

static double dsum(const float *v, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}

static int order(double a, double b) { return (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b) + 16 * (a == b) + 32 * (a != b); }
static int forder(float a, float b) { return (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b) + 16 * (a == b) + 32 * (a != b); }
static unsigned mix(unsigned h, unsigned k)
{
    h ^= k;
    h *= 0x85ebca6b;
    h ^= h >> 13;
    return h << 7 | h >> 25;
}

int main(void)
{
    float v[1000];
    for (int i = 0; i < 1000; i++)
        v[i] = 0.1f * i;
    printf("%.9g %.17g\n", fsum(v, 1000), dsum(v, 1000));
    double inf = DBL_MAX * 10, nan = inf - inf, values[] = {0.0, -0.0, 1.5, -1.5, inf, -inf};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            printf("%d %d ", order(values[i], values[j]), forder(values[i], values[j]));
    printf("\n%d %d %g %g %g\n", order(nan, 1), forder(nan, nan), -inf, 1 / -0.0, -values[0]);
    printf("%.17g %.17g %.9g\n", 1.0 / 3, 2.0f / 3, 2.0f / 3);
    float f = 1e20f;
    printf("%g %g %g\n", f * f, (double)f * f, f / 1e30f * 1e30f);
    printf("%d %d %d\n", -7 / 2, -7 % 2, 7 % -2);
    printf("%u %u %lu\n", -7u / 2, -7u % 5, -7UL / 3);
    printf("%d %d %u %ld %lu\n", -16 >> 2, 1 << 30, 0x80000000u >> 31, -1L >> 40, -1UL >> 40);
    unsigned h = 1;
    for (unsigned i = 0; i < 1000; i++)
        h = mix(h, i * 2654435761u);
    printf("%u\n", h);
    unsigned char c = 255;
    c++;
    signed char s = 127;
    s++;
    short t = SHRT_MAX;
    t += 1;
    printf("%d %d %d %u\n", c, s, t, UINT_MAX + 1);
    unsigned long x = 88172645463325252UL;
    for (int i = 0; i < 100; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    printf("%lu\n", x);
    long double ld = 1.5L;
    ld *= 2;
    printf("%Lg %d %d\n", ld, (int)ld, ld > 2.5);
    printf("%d %d %d\n", (int)1e9, (int)-2.9, (char)65.9f);
    printf("%d %d\n", 5 / 2 * 2.0 == 4.0, 5 / 2.0 * 2 == 5);
    double d = 10;
    d /= 4, d -= .5, d++;
    printf("%g %g\n", d, -d);
    int i = 7;
    i *= 1.5;
    i -= 0.9;
    printf("%d %d\n", i, i / 2 * 2 != i);
    printf("%d %d %d %d\n", ~0, ~0u == UINT_MAX, -INT_MAX - 1, !0x100);
    printf("%d %d %d\n", 1u - 2 > 0, -1 < (unsigned char)1, sizeof(int) > -1);
    return 0;
}
