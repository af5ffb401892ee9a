/* <math.h> gives what the host's library gives (C11 7.12); classification, rounding, special values. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    double values[] = {0.0, -0.0, 0.5, -1.25, 2.0, 10.0, 1e-10, 1e10};
    for (int i = 0; i < 8; i++) {
        double x = values[i];
        printf("%a %a %a %a %a %a\n", sin(x), cos(x), tan(x), atan(x), exp(x / 4), sqrt(fabs(x)));
        printf("%a %a %a %a %a\n", log(fabs(x) + 1), log10(fabs(x) + 1), cbrt(x), tanh(x), erf(x));
        printf("%g %g %g %g %g %g\n", floor(x), ceil(x), round(x), trunc(x), rint(x), fabs(x));
        printf("%a %a %a\n", pow(fabs(x), 1.5), atan2(x, 2), hypot(x, 3));
    }
    printf("%g %g %g %g\n", fmod(10.5, 3), remainder(10.5, 3), fmax(1, 2), fmin(1, 2));
    int exponent, quotient;
    double whole, fraction = frexp(100, &exponent);
    printf("%g %d %g ", fraction, exponent, modf(-3.75, &whole)); /* whole is printed later */
    double rest = remquo(17, 5, &quotient);
    printf("%g %g %g %d\n", whole, ldexp(0.5, 4), rest, quotient);
    printf("%ld %lld %d %g %g\n", lround(2.5), llrint(2.5), ilogb(1000), logb(1000), scalbn(1.5, 3));
    printf("%a %a %a\n", nextafter(1, 2), copysign(1, -0.0), fma(0.1, 10, -1));
    printf("%f %f %d %d %d %d\n", INFINITY, -HUGE_VAL, isnan(NAN), isinf(-INFINITY), isfinite(1.0), signbit(-0.0) != 0);
    printf("%d %d %d %d %d\n", fpclassify(0.0) == FP_ZERO, fpclassify(1e-310) == FP_SUBNORMAL,
           fpclassify(1.0f) == FP_NORMAL, fpclassify(1e-40f) == FP_SUBNORMAL, isnormal(1e-40) != 0);
    printf("%f %f\n", NAN, sqrt(2));
    errno = 0;
    double bad = sqrt(-1.0 * values[4]);
    printf("%d %d\n", isnan(bad) != 0, errno == EDOM);
    double log_gamma = lgamma(-0.5);
    printf("%a %a %d\n", log_gamma, tgamma(5), signgam);
    printf("%a %a %a\n", sinf(0.5f), powf(2, 0.5f), sqrtf(2));
    printf("%g %g %g %a\n", M_PI, M_E, DBL_EPSILON, (double)FLT_MAX);
    printf("%d %d %d\n", isgreater(2.0, 1.0), isunordered(NAN, 1) != 0, islessgreater(1.0, 1.0) != 0);
    return 0;
}
