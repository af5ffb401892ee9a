/* A second-order recursive filter: each sample waits for the last two. */
enum { N = 2000, TURNS = 4 };
static double in[N], out[N];

double kernel(void)
{
    for (int i = 0; i < N; i++)
        in[i] = i % 32 < 16 ? 1.0 : -1.0;
    for (int t = 0; t < TURNS; t++) {
        double a = 0.0, b = 0.0;
        for (int i = 0; i < N; i++) {
            double y = 0.1 * in[i] + 1.6 * a - 0.7 * b;
            b = a;
            a = y;
            out[i] = y;
        }
        in[t] += out[N - 1];
    }
    return out[N / 2];
}
