/* The logistic map: a chain of multiplications and subtractions. */
enum { STEPS = 8000 };

double kernel(void)
{
    double x = 0.3, y = 0.7;
    for (int i = 0; i < STEPS; i++) {
        x = 3.9 * x * (1.0 - x);
        y = y * (1.2 - 0.4 * y) + 0.01;
    }
    return x + y;
}
