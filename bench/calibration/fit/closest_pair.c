/* The closest pair of many points, by trying all pairs. */
enum { POINTS = 160 };
static double x[POINTS], y[POINTS];

double kernel(void)
{
    unsigned state = 11;
    for (int i = 0; i < POINTS; i++) {
        state = state * 1103515245u + 12345u;
        x[i] = state >> 16 & 1023;
        state = state * 1103515245u + 12345u;
        y[i] = state >> 16 & 1023;
    }
    double best = 1e30;
    int who = 0;
    for (int i = 0; i < POINTS; i++)
        for (int j = i + 1; j < POINTS; j++) {
            double dx = x[i] - x[j], dy = y[i] - y[j], d = dx * dx + dy * dy;
            if (d < best) {
                best = d;
                who = i * POINTS + j;
            }
        }
    return best + who;
}
