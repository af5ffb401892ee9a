/* Conversions of floating point to integers that do not fit are undefined in C (6.3.1.4p1) and defined in vCode: every
 * tier gives the same, whatever the host's compiler would make of them. */
#include <stdio.h>

static double values[64];
static float narrow[64];

int main(void)
{
    volatile double zero = 0;
    unsigned long hash = 0;
    for (int i = 0; i < 60; i++) {
        double x = 1;
        for (int k = 0; k < i * 2; k++)
            x *= 2;
        values[i] = i % 2 ? -x - 0.5 : x + 0.5;
        narrow[i] = (float)values[i];
    }
    values[60] = 1 / zero;
    values[61] = -1 / zero;
    values[62] = zero / zero;
    values[63] = -(zero / zero);
    for (int i = 60; i < 64; i++)
        narrow[i] = (float)values[i];
    for (int round = 0; round < 10; round++)
        for (int i = 0; i < 64; i++) {
            hash = hash * 31 + (unsigned long)(int)values[i] + (unsigned long)(long)values[i] * 3;
            hash = hash * 31 + (unsigned)values[i] + (unsigned long)values[i] * 5 + (unsigned long)(signed char)values[i];
            hash = hash * 31 + (unsigned long)(int)narrow[i] + (unsigned long)(long)narrow[i] + (unsigned long)narrow[i];
            hash = hash * 31 + (unsigned short)values[i] + (values[i] ? 1 : 0) + (_Bool)narrow[i];
        }
    printf("%lx\n", hash);
    for (int i = 14; i < 64; i += i < 30 ? 1 : i < 58 ? 7 : 1)
        printf("%d %ld %u %lu %d %lu\n", (int)values[i], (long)values[i], (unsigned)values[i], (unsigned long)values[i],
               (short)narrow[i], (unsigned long)narrow[i]);
}
