/* A cubic spline through points, evaluated at many positions. */
enum { POINTS = 64, READS = 3000 };
static double y[POINTS], second[POINTS], work[POINTS];

double kernel(void)
{
    double sum = 0.0;
    for (int i = 0; i < POINTS; i++)
        y[i] = (i * 37 % 19) * 0.5 - i * 0.1;
    second[0] = work[0] = 0.0;
    for (int i = 1; i < POINTS - 1; i++) {
        double p = 0.5 * second[i - 1] + 2.0;
        second[i] = -0.5 / p;
        work[i] = (3.0 * (y[i + 1] - 2.0 * y[i] + y[i - 1]) - 0.5 * work[i - 1]) / p;
    }
    second[POINTS - 1] = 0.0;
    for (int i = POINTS - 2; i >= 0; i--)
        second[i] = second[i] * second[i + 1] + work[i];
    for (int i = 0; i < READS; i++) {
        double x = (double)(i * 61 % 6299) / 100.0;
        int k = (int)x;
        double b = x - k, a = 1.0 - b;
        sum += a * y[k] + b * y[k + 1] + ((a * a * a - a) * second[k] + (b * b * b - b) * second[k + 1]) / 6.0;
    }
    return sum;
}
