/* Sums of exponentials and logarithms. */
#include <math.h>

enum { N = 1500 };

double kernel(void)
{
    double sum = 0.0;
    for (int i = 1; i <= N; i++)
        sum += exp(-i * 0.001) * log(i * 0.5);
    return sum;
}
