/* complex_arithmetic.c - functions that the compiler calls for products and quotients of complex numbers.
 *
 * The compiler's own code computes a product. Only if both parts are NaN, it calls the function here to see whether an
 * infinity was lost (C11 G.5.1p4). Quotients of doubles are computed by Smith's method with scaling, and with the
 * operations in an order in which little underflows (Baudin and Smith 2012; Stewart 1985). Quotients of floats are
 * computed in double.
 */
#include <float.h>

typedef double _Complex wide;
typedef float _Complex narrow;

static wide make(double re, double im)
{
    wide z;
    __real__ z = re;
    __imag__ z = im;
    return z;
}

static int is_infinite(double x)
{
    return __builtin_isinf(x);
}

/* 1 or 0 with the sign of x: the value that a number has when infinities are boxed (G.5.1). */
static double boxed(double x)
{
    return __builtin_copysign(is_infinite(x) ? 1.0 : 0.0, x);
}

static double zero_for_nan(double x)
{
    return __builtin_isnan(x) ? __builtin_copysign(0.0, x) : x;
}

wide __orrery_complex_multiply(double a, double b, double c, double d)
{
    double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    int left = is_infinite(a) || is_infinite(b), right = is_infinite(c) || is_infinite(d);
    int overflowed = is_infinite(ac) || is_infinite(bd) || is_infinite(ad) || is_infinite(bc);
    if (left) {
        a = boxed(a), b = boxed(b);
        c = zero_for_nan(c), d = zero_for_nan(d);
    }
    if (right) {
        c = boxed(c), d = boxed(d);
        a = zero_for_nan(a), b = zero_for_nan(b);
    }
    if (!left && !right && overflowed) {
        a = zero_for_nan(a), b = zero_for_nan(b);
        c = zero_for_nan(c), d = zero_for_nan(d);
    }
    if (left || right || overflowed)
        return make(__builtin_inf() * (a * c - b * d), __builtin_inf() * (a * d + b * c));
    return make(ac - bd, ad + bc);
}

narrow __orrery_complex_multiply_float(float a, float b, float c, float d)
{
    float ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    int infinite = is_infinite(a) || is_infinite(b) || is_infinite(c) || is_infinite(d);
    int overflowed = is_infinite(ac) || is_infinite(bd) || is_infinite(ad) || is_infinite(bc);
    if (!infinite && overflowed) { /* the products overflow only in float */
        float p = (float)zero_for_nan(a), q = (float)zero_for_nan(b), r = (float)zero_for_nan(c),
              s = (float)zero_for_nan(d);
        return make(__builtin_inf() * (p * r - q * s), __builtin_inf() * (p * s + q * r));
    }
    return __orrery_complex_multiply(a, b, c, d);
}

/* Corrects a quotient whose parts are both NaN: a division by zero, by infinity, or of infinity (G.5.1p4). */
static wide recover(double a, double b, double c, double d, double x, double y)
{
    int finite_left = __builtin_isfinite(a) && __builtin_isfinite(b);
    if (c == 0 && d == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b)))
        return make(__builtin_copysign(__builtin_inf(), c) * a, __builtin_copysign(__builtin_inf(), c) * b);
    if ((is_infinite(a) || is_infinite(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
        a = boxed(a), b = boxed(b);
        return make(__builtin_inf() * (a * c + b * d), __builtin_inf() * (b * c - a * d));
    }
    if ((is_infinite(c) || is_infinite(d)) && finite_left) {
        c = boxed(c), d = boxed(d);
        return make(0.0 * (a * c + b * d), 0.0 * (b * c - a * d));
    }
    return make(x, y);
}

/* With q the larger part of the divisor and p the smaller: (u p / q + v) / (p p / q + q). The other part of the
 * quotient has the parts of the dividend exchanged. The ratio p / q may underflow; then p is multiplied by u / q
 * instead. */
static double side(double u, double v, double p, double q, double ratio, double denominator)
{
    double product = __builtin_fabs(ratio) > DBL_MIN ? u * ratio : p * (u / q);
    return (product + v) / denominator;
}

/* Like side(), for the part with the minus sign. */
static double other_side(double u, double v, double p, double q, double ratio, double denominator)
{
    double product = __builtin_fabs(ratio) > DBL_MIN ? u * ratio : p * (u / q);
    return (product - v) / denominator;
}

/* Like side(), for the part that is computed as u - v p / q. */
static double rest(double u, double v, double p, double q, double ratio, double denominator)
{
    double product = __builtin_fabs(ratio) > DBL_MIN ? v * ratio : p * (v / q);
    return (u - product) / denominator;
}

wide __orrery_complex_divide(double a, double b, double c, double d)
{
    static const double big = DBL_MAX / 2, small = DBL_EPSILON, most = DBL_MAX / 2 * DBL_EPSILON;
    int imaginary_larger = __builtin_fabs(c) < __builtin_fabs(d);
    double larger = imaginary_larger ? d : c, scale = 1;
    if (__builtin_fabs(larger) >= big) {
        a /= 2, b /= 2, c /= 2, d /= 2;
        larger /= 2;
    }
    if (__builtin_fabs(larger) < small)
        scale = 1 / DBL_EPSILON;
    else if ((__builtin_fabs(a) < small && __builtin_fabs(b) < most && __builtin_fabs(larger) < most) ||
             (__builtin_fabs(b) < small && __builtin_fabs(a) < most && __builtin_fabs(larger) < most))
        scale = 1 / DBL_EPSILON;
    if (scale != 1)
        a *= scale, b *= scale, c *= scale, d *= scale;
    double x, y;
    if (imaginary_larger) {
        double ratio = c / d, denominator = c * ratio + d;
        x = side(a, b, c, d, ratio, denominator);
        y = other_side(b, a, c, d, ratio, denominator);
    } else {
        double ratio = d / c, denominator = d * ratio + c;
        x = side(b, a, d, c, ratio, denominator);
        y = rest(b, a, d, c, ratio, denominator);
    }
    if (__builtin_isnan(x) && __builtin_isnan(y))
        return recover(a, b, c, d, x, y);
    return make(x, y);
}

narrow __orrery_complex_divide_float(float a, float b, float c, float d)
{
    double wide_a = a, wide_b = b, wide_c = c, wide_d = d, denominator = wide_c * wide_c + wide_d * wide_d;
    double x = (wide_a * wide_c + wide_b * wide_d) / denominator, y = (wide_b * wide_c - wide_a * wide_d) / denominator;
    narrow z;
    __real__ z = (float)x;
    __imag__ z = (float)y;
    if (__builtin_isnan(__real__ z) && __builtin_isnan(__imag__ z))
        return recover(a, b, c, d, x, y);
    return z;
}
