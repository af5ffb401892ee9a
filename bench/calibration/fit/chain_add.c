/* Floating-point additions that wait for each other. */
enum { STEPS = 8000 };

static volatile double first = 1.0;
static volatile double more = 0.125;

double kernel(void)
{
    double x = first, y = more, z = y + 1;
    for (int i = 0; i < STEPS; i++) {
        x += y;
        x = z - x;
        x += y;
    }
    return (double)x;
}
