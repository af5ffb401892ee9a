/* Sines and cosines of many angles. */
#include <math.h>

enum { N = 1200 };

double kernel(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += sin(i * 0.01) * cos(i * 0.02);
    return sum;
}
