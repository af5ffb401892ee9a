/* <complex.h> (C11 7.3), to ten digits. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

static void show(const char *name, double complex z)
{
    printf("%s %.10g %.10g\n", name, creal(z) + 0.0, cimag(z) + 0.0);
}

int main(void)
{
    double complex points[] = {1 + 2 * I, -1.5 + 0.5 * I, 0.25 - 0.75 * I, -2 - 3 * I};
    for (int i = 0; i < 4; i++) {
        double complex z = points[i];
        show("z", z);
        show("z*z", z * z);
        show("1/z", 1 / z);
        show("conj", conj(z));
        show("exp", cexp(z));
        show("log", clog(z));
        show("sqrt", csqrt(z));
        show("pow", cpow(z, 1.5 - 0.5 * I));
        show("sin", csin(z));
        show("cos", ccos(z));
        show("tan", ctan(z));
        show("sinh", csinh(z));
        show("cosh", ccosh(z));
        show("tanh", ctanh(z));
        show("asin", casin(z));
        show("acos", cacos(z));
        show("atan", catan(z));
        show("asinh", casinh(z));
        show("acosh", cacosh(z));
        show("atanh", catanh(z));
        printf("abs %.10g arg %.10g\n", cabs(z), carg(z));
    }
    float complex f = 3.0f + 4.0f * I;
    printf("%g %g %g\n", cabsf(f), crealf(f * f), cimagf(f * f));
    double complex made = CMPLX(1.0, -0.0);
    printf("%g %d\n", creal(made), signbit(cimag(made)) != 0);
    return 0;
}
