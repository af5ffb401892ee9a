/* Calls through pointers: integration of small formulas. */
typedef double (*Formula)(double);

static double square(double x)
{
    return x * x;
}

static double line(double x)
{
    return 2.0 * x + 1.0;
}

static double curve(double x)
{
    return x * (1.0 - x) * (0.5 - x);
}

static const Formula formulas[] = {square, line, curve};

static double integrate(Formula f, double from, double to, int steps)
{
    double width = (to - from) / steps, sum = 0.0;
    for (int i = 0; i < steps; i++)
        sum += f(from + (i + 0.5) * width);
    return sum * width;
}

double kernel(void)
{
    double sum = 0.0;
    for (int t = 0; t < 30; t++)
        sum += integrate(formulas[t % 3], 0.0, 1.0 + t, 500);
    return sum;
}
