/* Multiplications of integers that do not wait for each other. */
enum { STEPS = 5000 };
static volatile unsigned first = 7;

double kernel(void)
{
    unsigned a = first, sum = 0;
    for (unsigned i = 0; i < STEPS; i++) {
        unsigned p = i * a, q = (i + 3) * (i + 5), r = (i ^ a) * (i + a);
        sum += (p ^ q) + r * 12347u;
    }
    return sum;
}
