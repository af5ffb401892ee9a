/* <tgmath.h> chooses by type (C11 7.25). */
#include <stdio.h>
#include <tgmath.h>

int main(void)
{
    float f = 2.0f;
    double d = 2.0;
    double complex z = -4.0;
    printf("%zu %zu %zu\n", sizeof sqrt(f), sizeof sqrt(d), sizeof sqrt(z));
    printf("%.9g %.17g %.10g\n", (double)sqrt(f), sqrt(d), cimag(sqrt(z)));
    printf("%zu %zu %zu\n", sizeof pow(f, f), sizeof pow(f, d), sizeof pow(f, 2));
    printf("%g %g %g\n", fabs(z), fmax(1, 2.5), creal(exp(z * 0)));
    printf("%ld %g\n", lround(2.5f), ldexp(f, 3));
    return 0;
}
