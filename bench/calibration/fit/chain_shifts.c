/* Shifts and additions of integers that wait for each other. */
enum { STEPS = 8000 };

static volatile unsigned long first = 12345;

double kernel(void)
{
    unsigned long x = first;
    for (int i = 0; i < STEPS; i++) {
        x ^= x << 3;
        x ^= x >> 5;
        x += 99;
        x -= x >> 7;
    }
    return (double)x;
}
