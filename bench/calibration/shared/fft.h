/* fft.h - fast Fourier transform of N numbers, radix 2, with a table of roots. The including file defines N. */
#include <math.h>

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
    for (int half = 1, step = N / 2; half < N; half *= 2, step /= 2)
        for (int block = 0; block < N; block += 2 * half)
            for (int k = 0; k < half; k++) {
                int a = block + k, b = a + half;
                double wr = cosine[k * step], wi = sine[k * step];
                double r = re[b] * wr - im[b] * wi, i = re[b] * wi + im[b] * wr;
                re[b] = re[a] - r;
                im[b] = im[a] - i;
                re[a] += r;
                im[a] += i;
            }
}

static void prepare_roots(void)
{
    for (int i = 0; i < N / 2; i++) {
        cosine[i] = cos(6.283185307179586 * i / N);
        sine[i] = sin(6.283185307179586 * i / N);
    }
}
