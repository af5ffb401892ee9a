/* 64-bit arithmetic, mixed signedness, division by constants, __builtin_ functions for bits. */
#include <stdint.h>
#include <stdio.h>

static uint64_t gcd(uint64_t a, uint64_t b) { return b ? gcd(b, a % b) : a; }
static uint64_t power(uint64_t b, unsigned e, uint64_t m)
{
    uint64_t r = 1;
    for (; e; e >>= 1, b = b * b % m)
        if (e & 1)
            r = r * b % m;
    return r;
}
static int divides(int x) { return x / 2 + x / 3 * 10 + x / 8 * 100 + x / -4 * 1000 + x % 8 + x % 7; }
static unsigned udivides(unsigned x) { return x / 2 + x / 3 * 10 + x / 8 * 100 + x % 8 + x % 7 + x / 0x80000000u; }
static long ldivides(long x) { return x / 2 + x / 1000003 + x % 16 + x / -8 + x * 7 + x * -1 + x * 64; }

int main(void)
{
    int64_t a = INT64_MIN, b = INT64_MAX, c = -1234567890123LL;
    uint64_t u = UINT64_MAX, v = 1ULL << 63;
    printf("%ld %ld %ld %ld\n", a + 1, b / -7, c % 1000, c * c);
    printf("%lu %lu %lu %lu\n", u / 3, u % 1000003, v >> 60, u * u + v);
    printf("%d %d %d %d\n", a < 0, u > v, (uint64_t)a == v, c < (int64_t)u);
    printf("%ld %lu %ld\n", a >> 63, (uint64_t)a >> 63, c << 5);
    int values[] = {0, 1, -1, 7, -7, 8, -8, 100, -100, 2147483647, -2147483647 - 1};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        printf("%d %u %ld ", divides(values[i]), udivides(values[i]), ldivides(values[i] * 1000000L));
    printf("\n%lu %lu\n", gcd(1071ULL * 462, 462ULL * 1029), power(3, 1000, 1000000007));
    unsigned w = 0x12345678;
    int s = (int)0x80000001;
    printf("%d %d %d %d %d\n", __builtin_clz(w), __builtin_ctz(w), __builtin_popcount(w), __builtin_popcount(s),
           __builtin_clzll(w));
    printf("%x %lx %x\n", __builtin_bswap32(w), __builtin_bswap64(w), __builtin_bswap16(0x1234));
    printf("%d %d %d\n", __builtin_popcountll(u), __builtin_ctzll(v), __builtin_ctz(0x100));
    uint8_t b8 = 0xf0;
    int8_t i8 = b8;
    uint16_t b16 = b8 << 8 | b8;
    printf("%d %d %d %d %d\n", i8, b16, (int16_t)b16, b8 >> 4, i8 >> 4);
    uint32_t r = 0xdeadbeef;
    r = r << 13 | r >> 19;
    printf("%u %d\n", r, (int)r);
    w += 0xf0000000;
    w -= 1u << 31;
    printf("%u %u %u\n", w, -w, ~w);
    unsigned short us = 65535;
    printf("%d %u\n", us + 1, (unsigned)us * us);
    printf("%ld %lu\n", (long)-1 / 2u, (unsigned long)-1 / 2);
    printf("%d %d\n", (int)(c & 0xff), (int)(c >> 33));
    return 0;
}
