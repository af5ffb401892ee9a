/* math.c - the parts of <math.h> that are no host functions: classification by bits (C11 7.12.3), signgam. */
#define _GNU_SOURCE
#include <math.h>

typedef union {
    double real;
    unsigned long bits;
} double_bits;

typedef union {
    float real;
    unsigned bits;
} float_bits;

#define DOUBLE_INFINITY  0x7ff0000000000000UL
#define DOUBLE_MAGNITUDE 0x7fffffffffffffffUL

static unsigned long magnitude(double x)
{
    double_bits value;
    value.real = x;
    return value.bits & DOUBLE_MAGNITUDE;
}

int __orrery_signbit(double x)
{
    double_bits value;
    value.real = x;
    return (int)(value.bits >> 63);
}

int __orrery_isnan(double x)
{
    return magnitude(x) > DOUBLE_INFINITY;
}

/* Returns -1 for minus infinity, as glibc's macro does. */
int __orrery_isinf(double x)
{
    return magnitude(x) != DOUBLE_INFINITY ? 0 : __orrery_signbit(x) ? -1 : 1;
}

int __orrery_isfinite(double x)
{
    return magnitude(x) < DOUBLE_INFINITY;
}

/* Whether x and y are in one of the given orders (bits: 1 greater, 2 equal, 4 less). Raises no flag for NaNs (C11
 * 7.12.14). */
int __orrery_ordered(double x, double y, int orders)
{
    if (__orrery_isnan(x) || __orrery_isnan(y))
        return 0;
    return (orders & (x > y ? 1 : x < y ? 4 : 2)) != 0;
}

int __orrery_fpclassify(double x)
{
    unsigned long bits = magnitude(x);
    if (bits >= DOUBLE_INFINITY)
        return bits > DOUBLE_INFINITY ? FP_NAN : FP_INFINITE;
    return bits == 0 ? FP_ZERO : bits < 0x0010000000000000UL ? FP_SUBNORMAL : FP_NORMAL;
}

int __orrery_fpclassifyf(float x)
{
    float_bits value;
    value.real = x;
    unsigned bits = value.bits & 0x7fffffffU;
    if (bits >= 0x7f800000U)
        return bits > 0x7f800000U ? FP_NAN : FP_INFINITE;
    return bits == 0 ? FP_ZERO : bits < 0x00800000U ? FP_SUBNORMAL : FP_NORMAL;
}

int signgam;

double lgamma(double x)
{
    return lgamma_r(x, &signgam);
}

float lgammaf(float x)
{
    return lgammaf_r(x, &signgam);
}

long double lgammal(long double x)
{
    return lgamma_r(x, &signgam);
}

long double lgammal_r(long double x, int *sign)
{
    return lgamma_r(x, sign);
}

/* -- old names --------------------------------------------------------------------------------- */

#define OLD_NAMES(suffix, type)                                                                                        \
    type gamma##suffix(type x)                                                                                         \
    {                                                                                                                  \
        return lgamma##suffix(x);                                                                                      \
    }                                                                                                                  \
    type drem##suffix(type x, type y)                                                                                  \
    {                                                                                                                  \
        return remainder##suffix(x, y);                                                                                \
    }                                                                                                                  \
    type pow10##suffix(type x)                                                                                         \
    {                                                                                                                  \
        return exp10##suffix(x);                                                                                       \
    }                                                                                                                  \
    int finite##suffix(type x)                                                                                         \
    {                                                                                                                  \
        return __orrery_isfinite(x);                                                                                   \
    }                                                                                                                  \
    int isinf##suffix(type x)                                                                                          \
    {                                                                                                                  \
        return __orrery_isinf(x);                                                                                      \
    }                                                                                                                  \
    int isnan##suffix(type x)                                                                                          \
    {                                                                                                                  \
        return __orrery_isnan(x);                                                                                      \
    }

#undef isinf
#undef isnan
OLD_NAMES(, double)
OLD_NAMES(f, float)
OLD_NAMES(l, long double)

void sincosl(long double x, long double *sine, long double *cosine)
{
    *sine = sin(x);
    *cosine = cos(x);
}
