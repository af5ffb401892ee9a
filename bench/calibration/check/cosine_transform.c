/* The cosine transform of blocks of a picture, and its quantisation, as in picture files. */
#include <math.h>
enum { BLOCKS = 12, S = 8 };
static double cosines[S][S], block[S][S], half[S][S];
static int rounded[BLOCKS][S][S];
static const int steps[S] = {16, 11, 10, 16, 24, 40, 51, 61};

static void transform(int out[S][S])
{
    for (int u = 0; u < S; u++)
        for (int x = 0; x < S; x++) {
            double sum = 0.0;
            for (int k = 0; k < S; k++)
                sum += cosines[u][k] * block[k][x];
            half[u][x] = sum;
        }
    for (int u = 0; u < S; u++)
        for (int v = 0; v < S; v++) {
            double sum = 0.0;
            for (int k = 0; k < S; k++)
                sum += half[u][k] * cosines[v][k];
            out[u][v] = (int)(sum / steps[v] + (sum < 0 ? -0.5 : 0.5));
        }
}

double kernel(void)
{
    long sum = 0;
    for (int u = 0; u < S; u++)
        for (int x = 0; x < S; x++)
            cosines[u][x] = (u ? 0.5 : 0.35355339059327373) * cos((2 * x + 1) * u * 3.14159265358979 / 16);
    for (int b = 0; b < BLOCKS; b++) {
        for (int i = 0; i < S; i++)
            for (int j = 0; j < S; j++)
                block[i][j] = (i * j * (b + 3) + 5 * b) % 256 - 128;
        transform(rounded[b]);
        sum += rounded[b][1][1] + rounded[b][0][0];
    }
    return (double)sum;
}
