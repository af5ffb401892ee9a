/* complex.c - <complex.h> (C11 7.3, G.6): complex functions by their real and imaginary parts.
 *
 * Everything is computed in double; the float functions round the result, long double is double. The formulas are the
 * textbook ones (Kahan, "Branch cuts for complex elementary functions", 1987, for the inverse functions); special
 * values follow Annex G where a plain formula gives them. Parts are read through pointers: a complex number is an array
 * of two reals (C11 6.2.5 p13).
 */
#include <complex.h>
#include <math.h>

#define RE(z) (((double *)&(z))[0])
#define IM(z) (((double *)&(z))[1])

typedef double _Complex number;

number __orrery_complex(double real, double imaginary)
{
    number z;
    RE(z) = real;
    IM(z) = imaginary;
    return z;
}

float _Complex __orrery_complexf(float real, float imaginary)
{
    float _Complex z;
    ((float *)&z)[0] = real;
    ((float *)&z)[1] = imaginary;
    return z;
}

#define make __orrery_complex

double creal(number z)
{
    return RE(z);
}

double cimag(number z)
{
    return IM(z);
}

float crealf(float _Complex z)
{
    return ((float *)&z)[0];
}

float cimagf(float _Complex z)
{
    return ((float *)&z)[1];
}

double cabs(number z)
{
    return hypot(RE(z), IM(z));
}

double carg(number z)
{
    return atan2(IM(z), RE(z));
}

number conj(number z)
{
    return make(RE(z), -IM(z));
}

number cproj(number z)
{
    return isinf(RE(z)) || isinf(IM(z)) ? make(HUGE_VAL, copysign(0.0, IM(z))) : z;
}

number cexp(number z)
{
    double scale = exp(RE(z));
    if (IM(z) == 0)
        return make(scale, IM(z));
    return make(scale * cos(IM(z)), scale * sin(IM(z)));
}

number clog(number z)
{
    return make(log(cabs(z)), carg(z));
}

/* Root of the larger part first, so that nothing cancels. */
number csqrt(number z)
{
    double a = RE(z), b = IM(z);
    if (a == 0 && b == 0)
        return make(0, b);
    if (isinf(b))
        return make(HUGE_VAL, b);
    double root = sqrt((fabs(a) + hypot(a, b)) / 2);
    if (a >= 0)
        return make(root, b / (2 * root));
    return make(fabs(b) / (2 * root), copysign(root, b));
}

number cpow(number x, number y)
{
    if (RE(x) == 0 && IM(x) == 0)
        return RE(y) == 0 && IM(y) == 0 ? make(1, 0) : make(0, 0);
    return cexp(y * clog(x));
}

number ccosh(number z)
{
    return make(cosh(RE(z)) * cos(IM(z)), sinh(RE(z)) * sin(IM(z)));
}

number csinh(number z)
{
    return make(sinh(RE(z)) * cos(IM(z)), cosh(RE(z)) * sin(IM(z)));
}

/* sinh 2a + i sin 2b over cosh 2a + cos 2b; for large a the quotient is +-1. */
number ctanh(number z)
{
    double a = 2 * RE(z), b = 2 * IM(z);
    if (fabs(a) > 44)
        return make(copysign(1.0, a), copysign(0.0, sin(b)));
    double divisor = cosh(a) + cos(b);
    return make(sinh(a) / divisor, sin(b) / divisor);
}

/* f(z) of the circular functions is -i g(iz) of the hyperbolic ones. */
static number times_i(number z)
{
    return make(-IM(z), RE(z));
}

static number over_i(number z)
{
    return make(IM(z), -RE(z));
}

number ccos(number z)
{
    return ccosh(times_i(z));
}

number csin(number z)
{
    return over_i(csinh(times_i(z)));
}

number ctan(number z)
{
    return over_i(ctanh(times_i(z)));
}

number casinh(number z)
{
    number root_plus = csqrt(make(1 - IM(z), RE(z))), root_minus = csqrt(make(1 + IM(z), -RE(z)));
    double real = asinh(RE(root_plus) * IM(root_minus) - IM(root_plus) * RE(root_minus));
    number product = root_plus * root_minus;
    return make(-real, atan2(IM(z), RE(product)));
}

number cacosh(number z)
{
    number below = csqrt(make(RE(z) - 1, IM(z))), above = csqrt(make(RE(z) + 1, IM(z)));
    double real = asinh(RE(below) * RE(above) + IM(below) * IM(above));
    return make(real, 2 * atan2(IM(below), RE(above)));
}

/* log((1 + z) / (1 - z)) / 2 by parts. */
number catanh(number z)
{
    double a = RE(z), b = IM(z);
    double real = log1p(4 * a / ((1 - a) * (1 - a) + b * b)) / 4;
    double imaginary = atan2(2 * b, (1 - a) * (1 + a) - b * b) / 2;
    return make(real, imaginary);
}

number casin(number z)
{
    return over_i(casinh(times_i(z)));
}

number cacos(number z)
{
    number minus = csqrt(make(1 - RE(z), -IM(z))), plus = csqrt(make(1 + RE(z), IM(z)));
    double real = 2 * atan2(RE(minus), RE(plus));
    double imaginary = asinh(RE(plus) * IM(minus) - IM(plus) * RE(minus));
    return make(real, imaginary);
}

number catan(number z)
{
    return over_i(catanh(times_i(z)));
}

/* -- float and long double ----------------------------------------------------------------------------- */

#define FLOAT_AND_LONG(name)                                                                                           \
    float _Complex name##f(float _Complex z)                                                                           \
    {                                                                                                                  \
        return (float _Complex)name(z);                                                                                \
    }                                                                                                                  \
    long double _Complex name##l(long double _Complex z)                                                               \
    {                                                                                                                  \
        return name(z);                                                                                                \
    }

FLOAT_AND_LONG(cacos)
FLOAT_AND_LONG(casin)
FLOAT_AND_LONG(catan)
FLOAT_AND_LONG(ccos)
FLOAT_AND_LONG(csin)
FLOAT_AND_LONG(ctan)
FLOAT_AND_LONG(cacosh)
FLOAT_AND_LONG(casinh)
FLOAT_AND_LONG(catanh)
FLOAT_AND_LONG(ccosh)
FLOAT_AND_LONG(csinh)
FLOAT_AND_LONG(ctanh)
FLOAT_AND_LONG(cexp)
FLOAT_AND_LONG(clog)
FLOAT_AND_LONG(csqrt)
FLOAT_AND_LONG(cproj)
FLOAT_AND_LONG(conj)

float _Complex cpowf(float _Complex x, float _Complex y)
{
    return (float _Complex)cpow(x, y);
}

long double _Complex cpowl(long double _Complex x, long double _Complex y)
{
    return cpow(x, y);
}

float cabsf(float _Complex z)
{
    return hypotf(crealf(z), cimagf(z));
}

float cargf(float _Complex z)
{
    return atan2f(cimagf(z), crealf(z));
}

long double cabsl(long double _Complex z)
{
    return cabs(z);
}

long double cargl(long double _Complex z)
{
    return carg(z);
}

long double creall(long double _Complex z)
{
    return creal(z);
}

long double cimagl(long double _Complex z)
{
    return cimag(z);
}

long double _Complex __orrery_complexl(long double real, long double imaginary)
{
    return make(real, imaginary);
}
