/* _Complex: arithmetic, mixed operands, parts, arguments, results, arrays (C11 6.2.5p13, annex G). */
#include <complex.h>
#include <stdio.h>

#define SHOW(z) printf("%.10g %.10g\n", creal(z), cimag(z))

static double complex square(double complex z) { return z * z; }
static float complex half(float complex z) { return z / 2; }
static double complex sum(int n, const double complex *v)
{
    double complex total = 0;
    for (int i = 0; i < n; i++)
        total += v[i];
    return total;
}
struct Wave { double complex z; int n; };
static struct Wave wave(double complex z, int n) { return (struct Wave){z, n}; }
static double complex constant = 1 + 2 * I, table[2] = {3, 4 * I};
static float complex narrow = 1.5f;

int main(void)
{
    double complex a = 3 + 4 * I, b = 1 - 2 * I, c;
    SHOW(a + b);
    SHOW(a - b);
    SHOW(a * b);
    SHOW(a / b);
    SHOW(b / a);
    SHOW(-a);
    SHOW(~a);
    SHOW(2 * a);
    SHOW(a / 2);
    SHOW(1 / a);
    SHOW(a + 1);
    SHOW(1 - a);
    c = a;
    c *= b;
    c += 1;
    c /= 2 * I;
    c -= I;
    SHOW(c);
    SHOW(square(a + b));
    SHOW(half(5 + 7 * I));
    printf("%d %d %d %d\n", a == b, a != b, a == 3 + 4 * I, !a);
    printf("%g %g %g\n", cabs(a), creal(conj(a)), cimag(conj(a)));
    __real__ c = 10;
    __imag__ c += 5;
    SHOW(c);
    double complex v[4] = {1, I, 2 + I};
    SHOW(sum(4, v));
    SHOW(constant + table[1]);
    SHOW(narrow);
    struct Wave w = wave(a, 3);
    SHOW(w.z);
    w.z *= w.n;
    SHOW(w.z);
    double d = a;
    int i = b;
    float complex f = a;
    float complex g = f / (1 + 1 * I);
    SHOW(g);
    f *= f;
    SHOW(f);
    d *= 2;
    printf("%g %d %g\n", d, i, (double)__real__ f);
    SHOW(a == b ? a : 5);
    SHOW((a, b));
    c++;
    --c;
    SHOW(c);
    double complex *p = &v[2];
    *p++ = 7 * I;
    SHOW(p[-1]);
    if (a && !(0 * I) && (b || 0))
        printf("true\n");
    _Bool t = 0.0 * I, u = I;
    printf("%d %d\n", t, u);
    double complex z = 0;
    for (int k = 0; k < 20; k++)
        z = z * z + (-0.4 + 0.6 * I);
    SHOW(z);
    SHOW(({ double complex q = a; q + 1; }));
    SHOW(((double complex){1, 2}));
    SHOW(1e200 / (1e-100 + 3e50 * I));
    return 0;
}
