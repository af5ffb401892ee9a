/* Conversions between all arithmetic types, and their canonical values afterwards (C11 6.3.1). */
#include <stdio.h>

#define SHOW(T, F, v)                                                                                                  \
    printf(#T " " F "|", (T)(signed char)v);                                                                           \
    printf(F "|", (T)(unsigned char)v);                                                                                \
    printf(F "|", (T)(short)v);                                                                                        \
    printf(F "|", (T)(unsigned short)v);                                                                               \
    printf(F "|", (T)(int)v);                                                                                          \
    printf(F "|", (T)(unsigned)v);                                                                                     \
    printf(F "|", (T)(long)v);                                                                                         \
    printf(F "|", (T)(unsigned long)v);                                                                                \
    printf(F "\n", (T)(_Bool)v)

static void all(long v)
{
    SHOW(signed char, "%d", v);
    SHOW(unsigned char, "%d", v);
    SHOW(short, "%d", v);
    SHOW(unsigned short, "%d", v);
    SHOW(int, "%d", v);
    SHOW(unsigned, "%u", v);
    SHOW(long, "%ld", v);
    SHOW(unsigned long, "%lu", v);
    SHOW(float, "%.9g", v);
    SHOW(double, "%.17g", v);
    SHOW(_Bool, "%d", v);
}

static void reals(double d, float f)
{
    printf("%d %d %d %d %d %u %ld %lu %d\n", (signed char)d, (unsigned char)d, (short)d, (unsigned short)d, (int)d,
           (unsigned)d, (long)d, (unsigned long)d, (_Bool)d);
    printf("%d %u %ld %lu %.9g %d\n", (int)f, (unsigned)f, (long)f, (unsigned long)f, (double)(float)d, (_Bool)f);
}

int main(void)
{
    long values[] = {0, 1, -1, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2147483647L, 2147483648L, 4294967295L,
                     4294967296L, -2147483648L, -2147483649L, 9223372036854775807L, (-9223372036854775807L - 1)};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        all(values[i]);
    reals(1.9, 2.9f);
    reals(-1.0, -0.0f);
    reals(100.7, 77.7f);
    reals(0.25, 1e-30f);
    unsigned long big = 18446744073709551615UL, half = 9223372036854775809UL;
    printf("%.17g %.17g %.9g %.9g\n", (double)big, (double)half, (float)big, (float)half);
    double two63 = 9223372036854775808.0, above = 13835058055282163712.0;
    printf("%lu %lu %lu\n", (unsigned long)two63, (unsigned long)above, (unsigned long)(float)above);
    char c = 200;
    unsigned char uc = c;
    short s = c;
    unsigned u = c;
    unsigned long ul = c;
    printf("%d %d %d %u %lu\n", c, uc, s, u, ul);
    int i = -1;
    ul = i;
    u = ul;
    long l = u;
    printf("%lu %u %ld %d\n", ul, u, l, i == u);
    printf("%d %d %d\n", -1 < 1u, -1L < 1u, (unsigned char)-1 > 1);
    printf("%ld %ld\n", (long)(int)0x80000000u, (long)0x80000000u);
    float f = 16777217;
    printf("%.9g %.17g %.17g\n", f, f * 3.0, (double)(f * 3.0f));
    printf("%d %d\n", (int)'\377', (int)(unsigned char)'\377');
    _Bool b = 256;
    b += 255;
    printf("%d %d %d\n", b, !b, ~b);
    b--;
    printf("%d\n", b);
    b--;
    printf("%d\n", b);
    printf("%p %d\n", (void *)(long)0, (int)(long)(char *)123);
    return 0;
}
