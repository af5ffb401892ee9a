/* A struct that is copied from where nothing is, in a function that takes it apart: the copy's line is to blame, and what
 * was stored before it is there. */
#include <stdio.h>
typedef struct Complex { double re, im; } Complex;
static Complex v[2] = {{1, 2}, {3, 4}};
static double sum(const Complex *const *p, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        Complex z;
        printf("%d\n", i);
        z = *p[i];
        s += z.re * z.im;
    }
    return s;
}
int main(void)
{
    const Complex *p[] = {&v[0], &v[1], NULL};
    return (int)sum(p, 3);
}
