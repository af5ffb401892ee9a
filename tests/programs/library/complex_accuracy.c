/* Every function of <complex.h> (C11 7.3) at ordinary and special points, to the last bit. */
#define _GNU_SOURCE
#include <complex.h>
#include <math.h>
#include <stdio.h>

#define SHOW(name)                                                                                                     \
    do {                                                                                                               \
        double complex r = name(z);                                                                                    \
        float complex f = name##f((float complex)z);                                                                   \
        printf("%-7s %a %a  %a %a\n", #name, creal(r), cimag(r), (double)crealf(f), (double)cimagf(f));                \
    } while (0)

int main(void)
{
    static const double parts[][2] = {{1, 2},        {-0.5, 0.25},      {0, 0},         {-0.0, 0.0},    {3, -4},
                                      {1e-10, 1e10}, {INFINITY, 1},     {1, INFINITY},  {700, 0.1},     {-1, 0},
                                      {1, 0},        {0.9999999, 1e-8}, {1e200, 1e200}, {-2.5, -1e-300}};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        double complex z = CMPLX(parts[i][0], parts[i][1]);
        printf("z = %a %a\n", creal(z), cimag(z));
        SHOW(cacos);
        SHOW(casin);
        SHOW(catan);
        SHOW(ccos);
        SHOW(csin);
        SHOW(ctan);
        SHOW(cacosh);
        SHOW(casinh);
        SHOW(catanh);
        SHOW(ccosh);
        SHOW(csinh);
        SHOW(ctanh);
        SHOW(cexp);
        SHOW(clog);
        SHOW(csqrt);
        SHOW(cproj);
        SHOW(conj);
        double complex p = cpow(z, CMPLX(0.5, -1.5));
        printf("cabs %a carg %a cpow %a %a %a\n", cabs(z), carg(z), creal(p), cimag(p),
               (double)cabsf((float complex)z));
    }
    return 0;
}
