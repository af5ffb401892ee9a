/* Sound through a chain of second-order filters, each of which keeps two values. */
enum { FILTERS = 4, SAMPLES = 1500 };
typedef struct Filter {
    double b0, b1, b2, a1, a2, s1, s2;
} Filter;

double kernel(void)
{
    Filter filters[FILTERS];
    double energy = 0.0;
    for (int f = 0; f < FILTERS; f++)
        filters[f] = (Filter){0.2 + 0.01 * f, 0.4, 0.2, -0.37 - 0.01 * f, 0.19, 0.0, 0.0};
    for (int i = 0; i < SAMPLES; i++) {
        double x = (i * 37 % 101 - 50) / 50.0;
        for (int f = 0; f < FILTERS; f++) {
            Filter *p = &filters[f];
            double y = p->b0 * x + p->s1;
            p->s1 = p->b1 * x - p->a1 * y + p->s2;
            p->s2 = p->b2 * x - p->a2 * y;
            x = y;
        }
        energy += x * x;
    }
    return energy;
}
