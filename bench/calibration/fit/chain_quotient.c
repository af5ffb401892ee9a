/* Floating-point divisions that wait for each other. */
enum { STEPS = 2000 };

static volatile double first = 1.0;
static volatile double more = 1.7;

double kernel(void)
{
    double x = first, y = more, z = y + 1;
    for (int i = 0; i < STEPS; i++) {
        x = y / x;
        x = z / (x + y);
    }
    return (double)x;
}
