/* Words at addresses that no type has, overlapping stores and loads of other widths in loops. */
#include <stdio.h>
#include <string.h>

static unsigned char memory[600];

static unsigned long weave(int n)
{
    unsigned long hash = 0;
    for (int i = 0; i < n; i++) {
        unsigned char *p = memory + i * 5 % 500;
        unsigned long wide;
        unsigned word;
        short half;
        memcpy(&wide, p, 8);
        wide = wide * 0x9e3779b97f4a7c15ul + (unsigned)i;
        memcpy(p + 3, &wide, 8);
        memcpy(&word, p + 1, 4);
        word ^= word >> 7;
        memcpy(p + 6, &word, 4);
        memcpy(&half, p + 5, 2);
        hash = hash * 31 + (unsigned long)half + p[9];
        *(p + 8) = (unsigned char)(hash >> 40);
    }
    return hash;
}

static long running(int *values, int n) /* each store is the next trip's load */
{
    for (int i = 1; i < n; i++)
        values[i] = values[i - 1] * 3 + values[i];
    for (int i = 4; i < n; i++)
        values[i] += values[i - 4];
    for (int i = n - 2; i >= 0; i--)
        values[i] ^= values[i + 1] >> 1;
    return values[0];
}

static void overlap(int *to, const int *from, int n) /* may overlap: no order but the written one is right */
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1;
}

int main(void)
{
    static int values[300];
    for (int i = 0; i < 600; i++)
        memory[i] = (unsigned char)(i * i);
    printf("%lx\n", weave(3000));
    for (int i = 0; i < 300; i++)
        values[i] = i * 31 % 97;
    printf("%ld\n", running(values, 300));
    for (int distance = -6; distance <= 6; distance++)
        overlap(values + 20 + distance, values + 20, 200);
    long sum = 0;
    for (int i = 0; i < 300; i++)
        sum = sum * 3 + values[i];
    printf("%ld\n", sum);
}
