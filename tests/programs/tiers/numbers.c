/* Floating point in loops: float and double rounded at every step, long double, no contraction, no reassociation, int
 * conversions (6.3.1.4, 6.3.1.5, annex F). */
#include <float.h>
#include <math.h>
#include <stdio.h>

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static float dot_float(const float *a, const float *b, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void axpy(double *y, const double *x, double a, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

static void to_float(float *f, const double *d, int n)
{
    for (int i = 0; i < n; i++)
        f[i] = (float)d[i] * 1.1f - 0.3f;
}

static long to_integers(const double *d, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++) {
        sum = sum * 3 + (int)d[i] + (long)(d[i] * 1e9) + (short)d[i] + (unsigned char)(d[i] < 0 ? -d[i] : d[i]);
        sum += (long)(unsigned)(long)(d[i] * 1e4) + (long)((unsigned long)(d[i] * d[i] * 1e16) >> 3);
    }
    return sum;
}

static double from_integers(int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        unsigned long big = 0x8000000000000401ul + (unsigned long)i * 0x123456789abcul;
        sum += (double)i + (float)(i * 16777217L) + (double)big * 1e-10 + (float)big * 1e-10f + (double)(long)big * 1e-12;
        sum += (double)(unsigned)(-i) * 0.5 + (double)(char)i;
    }
    return sum;
}

int main(void)
{
    static double a[1001], b[1001];
    static float f[1001], g[1001];
    long double wide = 1;
    for (int i = 0; i < 1001; i++) {
        a[i] = (i * 7919 % 1009 - 500) / 7.0;
        b[i] = sin(i) * 10;
    }
    to_float(f, a, 1001);
    to_float(g, b, 1001);
    printf("%.17g %.9g\n", dot(a, b, 1001), dot_float(f, g, 1001));
    axpy(a, b, 1.0 / 3, 1001);
    printf("%.17g %.17g\n", a[17], dot(a, a, 999));
    printf("%ld\n", to_integers(b, 1000));
    printf("%.17g\n", from_integers(700));
    for (int i = 1; i < 400; i++)
        wide = wide * 1.01L + sqrtl(i) / 3;
    printf("%.17Lg\n", wide);
    double tiny = DBL_MIN, huge = DBL_MAX;
    float small = FLT_MIN;
    for (int i = 0; i < 60; i++) {
        tiny /= 3;
        small *= 0.7f;
        huge = huge / 2 * 1.9;
    }
    printf("%g %g %g\n", tiny, small, huge);
    double r = 0;
    for (int i = -300; i < 300; i++) {
        double x = i / 8.0;
        r = r * 0.9 + floor(x) + ceil(x) * 3 + trunc(x) + rint(x) * 5 + round(x) * 7 + fabs(x) + fmin(x, 3) + fmax(x, -3);
        r += sqrt(fabs(x)) + fmod(x, 3) + copysign(1, x) + fma(x, x, 0.1);
    }
    printf("%.17g\n", r);
}
