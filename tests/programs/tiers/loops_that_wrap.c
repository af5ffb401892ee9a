/* Counters narrower than 64 bits wrap inside loops; what is computed from them must wrap with them (6.2.5p9, 6.3.1.3). */
#include <stdio.h>

static unsigned char bytes[256];

int main(void)
{
    unsigned long sum = 0;
    unsigned steps = 0;
    unsigned char small = 250;
    do {
        bytes[small] += small;
        sum = sum * 31 + small;
    } while (++small != 249);
    printf("%lu\n", sum);

    for (unsigned u = 0xfffffff0u; u != 0x40; u += 16) /* through 0 */
        sum = sum * 31 + bytes[u & 255] + u;
    printf("%lu\n", sum);

    for (unsigned short s = 1; s; s = (unsigned short)(s * 3 + 0x100)) {
        sum += s;
        if (++steps == 5000)
            break;
    }
    printf("%lu %u\n", sum, steps);

    signed char c = -100;
    for (int i = 0; i < 1000; i++) {
        c = (signed char)(c + 7);
        sum = sum * 3 + (unsigned long)c;
    }
    printf("%lu\n", sum);

    unsigned index = 0xffffff00u; /* index + offset wraps in 32 bits before it becomes an address */
    for (int i = 0; i < 2000; i++, index++)
        sum += bytes[(unsigned char)(index + 0x1f0u)] ^ (index + 0x1f0u);
    printf("%lu\n", sum);

    unsigned state = 1;
    unsigned long wide = 1;
    for (int i = 0; i < 3000; i++) {
        state = state * 1664525u + 1013904223u;
        wide = wide * 6364136223846793005ul + state;
        sum ^= wide >> (state >> 26);
    }
    printf("%lu %u %lu\n", sum, state, wide);
}
