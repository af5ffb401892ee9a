/* A histogram of two measured quantities, its margins, and their mutual information. */
#include <math.h>
enum { SAMPLES = 3000, BINS = 16 };
static int joint[BINS][BINS], rows[BINS], columns[BINS];

double kernel(void)
{
    unsigned state = 19;
    double information = 0.0;
    for (int i = 0; i < BINS; i++) {
        rows[i] = columns[i] = 0;
        for (int j = 0; j < BINS; j++)
            joint[i][j] = 0;
    }
    for (int k = 0; k < SAMPLES; k++) {
        state = state * 1103515245u + 12345u;
        int x = state >> 16 & 255, y = (x + (int)(state >> 24 & 127)) / 2;
        joint[x * BINS / 256][y * BINS / 256]++;
    }
    for (int i = 0; i < BINS; i++)
        for (int j = 0; j < BINS; j++) {
            rows[i] += joint[i][j];
            columns[j] += joint[i][j];
        }
    for (int i = 0; i < BINS; i++)
        for (int j = 0; j < BINS; j++)
            if (joint[i][j]) {
                double p = joint[i][j] / (double)SAMPLES;
                information += p * log(p * SAMPLES * SAMPLES / ((double)rows[i] * columns[j]));
            }
    return information;
}
