/* Fast Fourier transform, radix 2, with a table of roots. */
enum { N = 1024 };
#include "../shared/fft.h"

double kernel(void)
{
    if (cosine[0] == 0.0)
        prepare_roots();
    for (int i = 0; i < N; i++) {
        re[i] = i % 17;
        im[i] = 0.0;
    }
    for (int t = 0; t < 6; t++)
        transform();
    return re[5];
}
