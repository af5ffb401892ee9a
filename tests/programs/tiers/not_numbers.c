/* Infinities, NaNs, zeros with signs and comparisons with them, in loops; printed as bits where the standard leaves
 * the sign of a NaN open (annex F, 6.5.8, 7.12.14). */
#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned long bits(double x)
{
    unsigned long b;
    memcpy(&b, &x, 8);
    return b;
}

static int relations(double a, double b)
{
    return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | !(a < b) << 6 |
           !(a >= b) << 7 | (a > b ? 0 : 256);
}

int main(void)
{
    static double values[] = {0.0, 1, 1e308, 4.9e-324, 0, 0, 0, 0};
    int n = 8;
    volatile double zero = 0;
    values[4] = -zero;
    values[5] = 1 / zero;
    values[6] = -1 / zero;
    values[7] = nan("");
    unsigned long hash = 0, signs = 0;
    long codes = 0;
    for (int round = 0; round < 10; round++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double a = values[i], b = values[j], all[] = {a + b, a - b, a * b, a / b, -a, fabs(b), sqrt(fabs(a))};
                codes = codes * 5 + relations(a, b) + (isnan(a) != 0) + isunordered(a, b) * 2 + (signbit(b) != 0) * 4;
                for (int k = 0; k < 7; k++)
                    if (isnan(all[k]))
                        signs++;
                    else
                        hash = hash * 31 + bits(all[k]);
                float f = (float)a * (float)b;
                hash += f == f && f != 0 ? (unsigned long)(f > 0) : 3;
            }
    printf("%lu %lu %ld\n", hash, signs, codes);
    double low = 1 / zero, high = -1 / zero;
    for (int i = 0; i < 64; i++) {
        double x = values[i % n];
        low = x < low ? x : low;
        high = !(x <= high) ? x : high;
    }
    printf("%g %d\n", low, isnan(high) != 0 || high > 0);
    int trips = 0;
    for (double x = 0; x != 10; x += 0.1) /* never equal */
        if (++trips == 3000)
            break;
    for (double x = zero / zero; !(x >= 1); x += 1)
        if (++trips == 5000)
            break;
    for (float x = 16777200; x < 16777300; x += 1) /* stands still at 2^24 */
        if (++trips == 7000)
            break;
    printf("%d\n", trips);
}
