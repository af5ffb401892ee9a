/* Functions of the mathematical library. */
#include <math.h>

enum { N = 1200 };

double kernel(void)
{
    double sum = 0.0;
    for (int i = 1; i <= N; i++) {
        double x = i * (3.0 / N);
        sum += sin(x) * exp(-x) + log(x + 1.0) * cos(x) + pow(x, 1.5);
    }
    return sum;
}
