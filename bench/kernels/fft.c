/* fft.c - radix-2 Fourier transform in place: butterflies over strided doubles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOG = 14, N = 1 << LOG };
static double re[N], im[N], cosine[N / 2], sine[N / 2];

static void transform(void)
{
    for (int i = 1, j = 0; i < N; i++) {
        int bit = N >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double t = re[i];
            re[i] = re[j];
            re[j] = t;
            t = im[i];
            im[i] = im[j];
            im[j] = t;
        }
    }
    for (int half = 1; half < N; half *= 2)
        for (int start = 0; start < N; start += 2 * half)
            for (int k = 0; k < half; k++) {
                double c = cosine[k * (N / 2 / half)], s = sine[k * (N / 2 / half)];
                int p = start + k, q = p + half;
                double x = re[q] * c - im[q] * s, y = re[q] * s + im[q] * c;
                re[q] = re[p] - x;
                im[q] = im[p] - y;
                re[p] += x;
                im[p] += y;
            }
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 801;
    for (int i = 0; i < N / 2; i++) {
        cosine[i] = cos(6.283185307179586 * i / N);
        sine[i] = sin(6.283185307179586 * i / N);
    }
    for (int i = 0; i < N; i++)
        re[i] = i % 17;
    for (int turn = 0; turn < turns; turn++) {
        transform();
        for (int i = 0; i < N; i++) {
            re[i] /= 128;
            im[i] /= 128;
        }
    }
    printf("%.9g %.9g\n", re[1], im[1]);
    return 0;
}
