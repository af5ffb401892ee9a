/* Products and quotients of complex numbers, with what Annex G says of infinities (G.5.1), to the last bit as gcc
 * computes them: ordinary, huge, tiny and special parts; also real with complex operands. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static uint64_t s = 88172645463325252ull;
static uint64_t rnd(void)
{
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return s;
}
static double pick(void)
{
    static const double sp[] = {0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                1e308 * 10,
                                -1e308 * 10,
                                __builtin_nan(""),
                                1e308,
                                -1.7e308,
                                5e-324,
                                2.2250738585072014e-308,
                                1e-300,
                                -3e-310,
                                2.0e-16,
                                1e300,
                                8.98e307};
    uint64_t r = rnd();
    if (r % 3 == 0)
        return sp[rnd() % 16];
    if (r % 3 == 1) {
        double d;
        uint64_t b = rnd();
        memcpy(&d, &b, 8);
        return d;
    }
    return (double)(int64_t)rnd() / 1e15;
}
static unsigned long h = 1;
static void mix(double x)
{
    uint64_t b;
    if (x != x)
        b = 0x7ff8;
    else
        memcpy(&b, &x, 8);
    h = h * 1099511628211ul + b;
}
int main(void)
{
    for (int i = 0; i < 1500; i++) {
        double _Complex x, y;
        __real__ x = pick();
        __imag__ x = pick();
        __real__ y = pick();
        __imag__ y = pick();
        double _Complex z = x * y;
        mix(__real__ z);
        mix(__imag__ z);
        z = x / y;
        mix(__real__ z);
        mix(__imag__ z);
        float _Complex f = x, g = y;
        f = f * g;
        mix(__real__ f);
        mix(__imag__ f);
        f = x;
        f /= g;
        mix(__real__ f);
        mix(__imag__ f);
        z = x;
        z *= y;
        z /= 3.5;
        z = z * 2.5;
        z = 1.5 / z;
        mix(__real__ z);
        mix(__imag__ z);
        if (i % 300 == 0)
            printf("%lx\n", h);
    }
    printf("%lx\n", h);
    return 0;
}
