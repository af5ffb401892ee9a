/* Pi by the Monte Carlo method, with a linear congruential generator. */
enum { DARTS = 30000 };

double kernel(void)
{
    unsigned long state = 1;
    int inside = 0;
    for (int i = 0; i < DARTS; i++) {
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        double x = (double)(state >> 33) * (1.0 / 2147483648.0);
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        double y = (double)(state >> 33) * (1.0 / 2147483648.0);
        inside += x * x + y * y < 1.0;
    }
    return 4.0 * inside / DARTS;
}
