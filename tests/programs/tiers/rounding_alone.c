/* A program that sets rounding directions but never asks for floating-point flags runs natively, too: operations that
 * stand before and after a change, in loops and in callees that change it, and conversions round as the direction that
 * is set when they run says (7.6.3.2). */
#include <fenv.h>
#include <stdint.h>
#include <stdio.h>

#pragma STDC FENV_ACCESS ON

static const int directions[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};

static float __attribute__((noinline)) conversions(int n)
{
    volatile double third = 0x1.5555555555555p-2;
    volatile int word = 16777217;
    volatile uint64_t wide = 0xffffff8000000001;
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += (float)third + (float)word + (float)wide;
    return sum;
}

static double __attribute__((noinline)) third_of(double x)
{
    return x / 3;
}

static double __attribute__((noinline)) change(double x, int direction)
{
    double before = third_of(x);
    fesetround(direction);
    return third_of(x) - before;
}

static float __attribute__((noinline)) hashes(uint64_t n)
{
    float sum = 0;
    for (uint64_t i = 1; i < n; i++)
        sum += (float)(i * 0x9E3779B97F4A7C15u) * 1e-20f - (float)(int64_t)(i * 0x7F4A7C159E3779B9u) * 1e-21f;
    return sum;
}

static double __attribute__((noinline)) both_ways(const volatile double *values, int n)
{
    double total = 0;
    for (int i = 0; i < n; i++) {
        fesetround(i & 1 ? FE_UPWARD : FE_DOWNWARD);
        double up = values[i] * 0.1 + values[(i * 7) % n];
        fesetround(i & 1 ? FE_DOWNWARD : FE_UPWARD);
        total += up - (values[i] * 0.1 + values[(i * 7) % n]);
    }
    return total;
}

int main(void)
{
    static double values[300];
    for (int i = 0; i < 300; i++)
        values[i] = (i % 2 ? -1 : 1) * (i + 1) / 7.0;
    for (int round = 0; round < 12; round++) {
        fesetround(directions[round % 4]);
        float a = conversions(100), b = hashes(5000);
        double sum = 0;
        for (int i = 0; i < 300; i++)
            sum += change(values[i], directions[(round + i) % 4]);
        double both = both_ways(values, 300);
        fesetround(FE_TONEAREST);
        printf("%a %a %a %a %d\n", a, b, sum, both, fegetround());
    }
    return 0;
}
