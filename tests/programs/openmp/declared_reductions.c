/* declare reduction: several types, operators for structs, block scope. */
#include <stdio.h>
#pragma omp declare reduction(big                                                                                      \
                              : int, long, double                                                                      \
                              : omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = 0)
typedef struct {
    float re, im;
} C;
#pragma omp declare reduction(+ : C : omp_out.re += omp_in.re, omp_out.im += omp_in.im)
int main(void)
{
    int a = 0;
    long b = 0;
    double c = 0;
    C s = {0, 0}, arr[3] = {{0}};
#pragma omp declare reduction(mul : int, short : omp_out *= omp_in) initializer(omp_priv = 1)
    short m = 1;
    int m2 = 2;
#pragma omp parallel for reduction(big : a, b, c) reduction(+ : s, arr) reduction(mul : m, m2)
    for (int i = 1; i < 7; i++) {
        if (i > a)
            a = i;
        if (i * 2L > b)
            b = i * 2;
        if (i / 2. > c)
            c = i / 2.;
        s.re += i;
        s.im -= i;
        m *= i;
        m2 *= i;
        arr[i % 3].re += i;
    }
    printf("%d %ld %g %g %g %d %d %g\n", a, b, c, s.re, s.im, m, m2, arr[2].re);
    return 0;
}
