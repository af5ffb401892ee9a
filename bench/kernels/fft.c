/* fft.c - radix-2 Fourier transform in place: butterflies over strided doubles. */
#include <stdio.h>
#include <stdlib.h>

enum { LOG = 14, N = 1 << LOG };
#include "../calibration/shared/fft.h"

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 801;
    prepare_roots();
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
