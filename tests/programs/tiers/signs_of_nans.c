/* Which NaN an operation gives is open in C, but it must be the same one in every tier: sign and payload of what is made of
 * one NaN, also where algebra would allow another operation, of quotients and differences of two, and of new ones. (Sums
 * and products of two different NaNs may be either: host compilers exchange their operands.) */
#include <stdio.h>
#include <string.h>

static double from_bits(unsigned long b)
{
    double d;
    memcpy(&d, &b, 8);
    return d;
}

static unsigned long bits(double d)
{
    unsigned long b;
    memcpy(&b, &d, 8);
    return b;
}

static unsigned bits_float(float f)
{
    unsigned b;
    memcpy(&b, &f, 4);
    return b;
}

static double values[8];
static double results[4][64];

static double commuted[2][64]; /* sums and products, where they are defined */
static double single[10][8];

static void all_pairs(void)
{
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            results[0][i * 8 + j] = values[i] - values[j];
            results[1][i * 8 + j] = values[i] / values[j];
            results[2][i * 8 + j] = values[i] - -values[7];
            results[3][i * 8 + j] = values[i] / -values[5];
        }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            if (values[i] == values[i] || values[j] == values[j]) {
                commuted[0][i * 8 + j] = values[i] + values[j];
                commuted[1][i * 8 + j] = values[i] * values[j];
            }
}

static void all_single(void)
{
    for (int i = 0; i < 8; i++) {
        double x = values[i];
        single[0][i] = x * -1.0;
        single[1][i] = 3.0 - -x;
        single[2][i] = -x * 2.0;
        single[3][i] = -x * -x;
        single[4][i] = -(x * 3.0);
        single[5][i] = -(x - 1.0);
        single[6][i] = -(-x);
        single[7][i] = x / -2.0;
        single[8][i] = 0.0 - x;
        single[9][i] = x + x;
    }
}

static void accumulate(void) /* one NaN meets numbers only */
{
    for (int start = 0; start < 8; start++) {
        double sum = values[start], product = values[start];
        float narrow = (float)values[start];
        for (int i = 1; i < 40; i++) {
            sum = i * 0.5 + sum;
            product *= -i;
            narrow = narrow + (float)i;
        }
        printf("%lx %lx %x\n", bits(sum), bits(product), bits_float(narrow));
    }
}

int main(void)
{
    static const unsigned long patterns[] = {0x7ff8000000000001, 0xfff8000000000002, 0x7ff0000000000000, 0,
                                             0xfff0000000000000, 0x3ff0000000000000, 0x7ffc000000000003, 0x8000000000000000};
    for (int i = 0; i < 8; i++)
        values[i] = from_bits(patterns[i]);
    unsigned long hash = 0;
    for (int round = 0; round < 20; round++) {
        all_pairs();
        all_single();
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 64; i++)
                hash = hash * 31 + bits(results[k][i]);
    }
    for (int i = 0; i < 80; i++)
        hash = hash * 31 + bits(single[i / 8][i % 8]);
    for (int i = 0; i < 128; i++)
        hash = hash * 31 + bits(commuted[i / 64][i % 64]);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 64; i++)
            if (results[k][i] != results[k][i])
                printf("%d %d %lx\n", k, i, bits(results[k][i]));
    printf("%lx\n", hash);
    accumulate();
}
