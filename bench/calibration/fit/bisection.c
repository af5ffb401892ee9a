/* Roots of cubics by halving intervals. */
static double cubic(const double *c, double x)
{
    return ((c[3] * x + c[2]) * x + c[1]) * x + c[0];
}

static double root(const double *c, double low, double high)
{
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + high);
        if (cubic(c, middle) < 0.0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double kernel(void)
{
    double sum = 0.0;
    for (int i = 1; i <= 100; i++) {
        double c[] = {-1.0 - i * 0.37, 0.5 + i % 5, 0.25 * (i % 3), 1.0};
        sum += root(c, 0.0, 40.0);
    }
    return sum;
}
