/* Products and sums of numbers that do not wait for each other. */
enum { STEPS = 3000 };
static volatile double first = 1.0;

double kernel(void)
{
    double a = first, b = a, c = a, d = a, e = a, f = a, x = first * 0.5, y = x + 0.1;
    for (int i = 0; i < STEPS; i++) {
        a = a * x + y;
        b = b * y + x;
        c = c * x - y;
        d = d * y - x;
        e = e * x + x;
        f = f * y + y;
    }
    return a + b + c + d + e + f;
}
