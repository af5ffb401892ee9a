/* Values of polynomials at many points, by Horner's rule. */
enum { DEGREE = 12, PLACES = 1500 };

double kernel(void)
{
    static double coefficients[DEGREE + 1];
    double sum = 0.0;
    for (int i = 0; i <= DEGREE; i++)
        coefficients[i] = 1.0 / (i + 1);
    for (int p = 0; p < PLACES; p++) {
        double x = p * (1.0 / PLACES), value = 0.0;
        for (int i = DEGREE; i >= 0; i--)
            value = value * x + coefficients[i];
        sum += value;
    }
    return sum;
}
