/* Floating-point divisions and square roots that do not wait for each other. */
#include <math.h>

enum { STEPS = 2000 };
static volatile double first = 3.0;

double kernel(void)
{
    double y = first, sum = 0.0, other = 0.0;
    for (int i = 1; i <= STEPS; i++) {
        sum += y / i;
        other += sqrt(i + y);
        sum += i / (y + i);
    }
    return sum + other;
}
