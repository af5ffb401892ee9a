/* complex.c - <complex.h> (C11 7.3): gives the host functions (vm/library/complex.c) the signatures that C has for
 * them. */
#define _GNU_SOURCE
#include <complex.h>
#include <math.h>

typedef union {
    double _Complex whole;
    double part[2];
} number;

typedef union {
    float _Complex whole;
    float part[2];
} short_number;

#define COMPLEX_1(name)                                                                                                \
    void __orrery_##name(double real, double imaginary, double *result);                                               \
    void __orrery_##name##f(float real, float imaginary, float *result);                                               \
    double _Complex name(double _Complex z)                                                                            \
    {                                                                                                                  \
        number result;                                                                                                 \
        __orrery_##name(__real__ z, __imag__ z, result.part);                                                          \
        return result.whole;                                                                                           \
    }                                                                                                                  \
    float _Complex name##f(float _Complex z)                                                                           \
    {                                                                                                                  \
        short_number result;                                                                                           \
        __orrery_##name##f(__real__ z, __imag__ z, result.part);                                                       \
        return result.whole;                                                                                           \
    }                                                                                                                  \
    long double _Complex name##l(long double _Complex z)                                                               \
    {                                                                                                                  \
        return name(z);                                                                                                \
    }

COMPLEX_1(cacos)
COMPLEX_1(cacosh)
COMPLEX_1(casin)
COMPLEX_1(casinh)
COMPLEX_1(catan)
COMPLEX_1(catanh)
COMPLEX_1(ccos)
COMPLEX_1(ccosh)
COMPLEX_1(cexp)
COMPLEX_1(clog)
COMPLEX_1(clog10)
COMPLEX_1(csin)
COMPLEX_1(csinh)
COMPLEX_1(csqrt)
COMPLEX_1(ctan)
COMPLEX_1(ctanh)

void __orrery_cpow(double, double, double, double, double *result);
void __orrery_cpowf(float, float, float, float, float *result);

double _Complex cpow(double _Complex x, double _Complex y)
{
    number result;
    __orrery_cpow(__real__ x, __imag__ x, __real__ y, __imag__ y, result.part);
    return result.whole;
}

float _Complex cpowf(float _Complex x, float _Complex y)
{
    short_number result;
    __orrery_cpowf(__real__ x, __imag__ x, __real__ y, __imag__ y, result.part);
    return result.whole;
}

long double _Complex cpowl(long double _Complex x, long double _Complex y)
{
    return cpow(x, y);
}

/* -- parts ------------------------------------------------------------------------------------- */

double _Complex __orrery_complex(double real, double imaginary)
{
    number result;
    result.part[0] = real;
    result.part[1] = imaginary;
    return result.whole;
}

float _Complex __orrery_complexf(float real, float imaginary)
{
    short_number result;
    result.part[0] = real;
    result.part[1] = imaginary;
    return result.whole;
}

long double _Complex __orrery_complexl(long double real, long double imaginary)
{
    return __orrery_complex(real, imaginary);
}

#define PARTS(suffix, type)                                                                                            \
    type cabs##suffix(type _Complex z)                                                                                 \
    {                                                                                                                  \
        return hypot##suffix(__real__ z, __imag__ z);                                                                  \
    }                                                                                                                  \
    type carg##suffix(type _Complex z)                                                                                 \
    {                                                                                                                  \
        return atan2##suffix(__imag__ z, __real__ z);                                                                  \
    }                                                                                                                  \
    type creal##suffix(type _Complex z)                                                                                \
    {                                                                                                                  \
        return __real__ z;                                                                                             \
    }                                                                                                                  \
    type cimag##suffix(type _Complex z)                                                                                \
    {                                                                                                                  \
        return __imag__ z;                                                                                             \
    }                                                                                                                  \
    type _Complex conj##suffix(type _Complex z)                                                                        \
    {                                                                                                                  \
        return __orrery_complex##suffix(__real__ z, -__imag__ z);                                                      \
    }                                                                                                                  \
    type _Complex cproj##suffix(type _Complex z)                                                                       \
    {                                                                                                                  \
        if (!isinf(__real__ z) && !isinf(__imag__ z))                                                                  \
            return z;                                                                                                  \
        return __orrery_complex##suffix((type)INFINITY, copysign##suffix(0, __imag__ z));                              \
    }

PARTS(, double)
PARTS(f, float)
PARTS(l, long double)
