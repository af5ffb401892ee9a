/* Multiplications of integers that wait for each other. */
enum { STEPS = 5000 };

static volatile unsigned long first = 3;

double kernel(void)
{
    unsigned long x = first;
    for (int i = 0; i < STEPS; i++) {
        x = x * 0x9e3779b9ul;
        x = x * x;
        x = (x ^ 5) * 0xc2b2ae35ul;
    }
    return (double)x;
}
