/* The number pi as the area under a curve. */
static volatile int steps = 20000;

double kernel(void)
{
    int n = steps;
    double h = 1.0 / n, sum = 0.0;
    for (int i = 1; i <= n; i++) {
        double x = h * (i - 0.5);
        sum += 4.0 / (1.0 + x * x);
    }
    return h * sum;
}
