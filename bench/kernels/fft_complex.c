/* fft_complex.c - Fourier transform by recursion over complex numbers in structures, halves split into a second array.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1 << 13 };
typedef struct Complex {
    double re, im;
} Complex;
static Complex data[MOST], work[MOST], roots[MOST / 2];

static Complex times(Complex a, Complex b)
{
    return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void transform(Complex *v, Complex *spare, int n, int stride)
{
    if (n == 1)
        return;
    int half = n / 2;
    for (int i = 0; i < half; i++) {
        spare[i] = v[2 * i];
        spare[half + i] = v[2 * i + 1];
    }
    transform(spare, v, half, 2 * stride);
    transform(spare + half, v + half, half, 2 * stride);
    for (int i = 0; i < half; i++) {
        Complex even = spare[i], odd = times(roots[i * stride], spare[half + i]);
        v[i] = (Complex){even.re + odd.re, even.im + odd.im};
        v[half + i] = (Complex){even.re - odd.re, even.im - odd.im};
    }
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 1801, n = argc > 2 ? atoi(argv[2]) : MOST;
    double scale = 1 / sqrt(n);
    for (int i = 0; i < n / 2; i++)
        roots[i] = (Complex){cos(6.283185307179586 * i / n), -sin(6.283185307179586 * i / n)};
    for (int i = 0; i < n; i++)
        data[i] = (Complex){i % 17, i % 5};
    for (int turn = 0; turn < turns; turn++) {
        transform(data, work, n, 1);
        for (int i = 0; i < n; i++) {
            data[i].re *= scale;
            data[i].im *= scale;
        }
    }
    printf("%.6f %.6f\n", data[1].re, data[n / 3].im);
    return 0;
}
