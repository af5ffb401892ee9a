/* bits.c - counting, reversing, interleaving and finding bits by shifts and masks; a set of bits; Gray codes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int popcount(uint32_t v)
{
    v = v - ((v >> 1) & 0x55555555);
    v = (v & 0x33333333) + ((v >> 2) & 0x33333333);
    return (int)((((v + (v >> 4)) & 0xF0F0F0F) * 0x1010101) >> 24);
}

static uint32_t reverse(uint32_t v)
{
    v = ((v >> 1) & 0x55555555) | ((v & 0x55555555) << 1);
    v = ((v >> 2) & 0x33333333) | ((v & 0x33333333) << 2);
    v = ((v >> 4) & 0x0F0F0F0F) | ((v & 0x0F0F0F0F) << 4);
    v = ((v >> 8) & 0x00FF00FF) | ((v & 0x00FF00FF) << 8);
    return (v >> 16) | (v << 16);
}

static uint32_t interleave(uint16_t x, uint16_t y)
{
    static const uint32_t masks[] = {0x55555555, 0x33333333, 0x0F0F0F0F, 0x00FF00FF};
    uint32_t a = x, b = y;
    for (int i = 3; i >= 0; i--) {
        a = (a | (a << (1 << i))) & masks[i];
        b = (b | (b << (1 << i))) & masks[i];
    }
    return a | b << 1;
}

static int log2_of(uint32_t v)
{
    int r = 0;
    while (v >>= 1)
        r++;
    return r;
}

static int parity(uint64_t v)
{
    int p = 0;
    while (v) {
        p = !p;
        v &= v - 1;
    }
    return p;
}

static uint64_t set[1024];

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 8000000;
    uint32_t x = 123456789, sum = 0;
    for (int i = 0; i < turns; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        sum += (uint32_t)popcount(x) + reverse(x) + interleave((uint16_t)x, (uint16_t)(x >> 16));
        sum ^= (uint32_t)log2_of(x >> (x & 15)) + (uint32_t)parity(x & 0xFF0F0);
        uint32_t gray = (uint32_t)i ^ ((uint32_t)i >> 1);
        set[(gray >> 6) & 1023] ^= 1ull << (gray & 63);
        if (set[(x >> 6) & 1023] >> (x & 63) & 1)
            sum++;
    }
    printf("%u\n", sum);
    return 0;
}
