/* fft_recursive.c - Fourier transform that calls itself, with complex numbers as structures by value. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double re, im;
} cplx;

static cplx add(cplx a, cplx b)
{
    return (cplx){a.re + b.re, a.im + b.im};
}

static cplx sub(cplx a, cplx b)
{
    return (cplx){a.re - b.re, a.im - b.im};
}

static cplx mul(cplx a, cplx b)
{
    return (cplx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void fft(cplx *buffer, cplx *out, int n, int step)
{
    if (step >= n)
        return;
    fft(out, buffer, n, step * 2);
    fft(out + step, buffer + step, n, step * 2);
    for (int i = 0; i < n; i += 2 * step) {
        double angle = -3.14159265358979323846 * i / n;
        cplx w = {cos(angle), sin(angle)}, t = mul(w, out[i + step]);
        buffer[i / 2] = add(out[i], t);
        buffer[(i + n) / 2] = sub(out[i], t);
    }
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 90, n = argc > 2 ? atoi(argv[2]) : 16384;
    cplx *a = malloc(sizeof *a * (size_t)n), *b = malloc(sizeof *b * (size_t)n);
    double sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < n; i++)
            a[i] = b[i] = (cplx){(i * 7 + turn) % 31 / 31.0, 0};
        fft(a, b, n, 1);
        sum += a[turn % n].re + a[n / 3].im;
    }
    printf("%.6f\n", sum);
    return 0;
}
