/* The rounding direction that is set when an operation runs is the one that rounds it, and its exceptions are seen
 * afterwards, also where the same operation stands before and after the change (7.6). */
#include <fenv.h>
#include <stdio.h>

#pragma STDC FENV_ACCESS ON

static double __attribute__((noinline)) third(double x)
{
    return x / 3;
}

static float __attribute__((noinline)) to_float(double x)
{
    return (float)x;
}

static double sum(const double *values, int n)
{
    double total = 0;
    for (int i = 0; i < n; i++)
        total += values[i] * 0.1;
    return total;
}

int main(void)
{
    static const int directions[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    static double values[500];
    for (int i = 0; i < 500; i++)
        values[i] = (i % 2 ? -1 : 1) * third(i + 1);
    volatile double one = 1, three = 3; /* nothing to be computed before the program runs */
    for (int round = 0; round < 8; round++) {
        double before = one / three;
        fesetround(directions[round % 4]);
        double after = one / three;
        double seen[] = {before, after, third(2), sum(values, 500), to_float(after)};
        fesetround(FE_TONEAREST);
        for (int i = 0; i < 5; i++)
            printf("%a%c", seen[i], i < 4 ? ' ' : '\n');
    }
    int raised = 0;
    for (int i = 0; i < 400; i++) {
        feclearexcept(FE_ALL_EXCEPT);
        volatile double quotient = one / (i % 4 ? i % 4 : 2);
        raised = raised * 3 % 1000003 + (fetestexcept(FE_INEXACT) != 0);
        quotient = one / (i % 3);
        raised += fetestexcept(FE_DIVBYZERO) != 0;
        (void)quotient;
    }
    printf("%d\n", raised);
}
