/* Dot products: every addition waits for the one before. */
enum { N = 1000, TURNS = 150 };
static double x[N], y[N];

double kernel(void)
{
    double all = 0.0;
    for (int i = 0; i < N; i++) {
        x[i] = i * 0.5;
        y[i] = N - i;
    }
    for (int t = 0; t < TURNS; t++) {
        double sum = 0.0;
        for (int i = 0; i < N; i++)
            sum += x[i] * y[i];
        x[t] = sum * 1e-9;
        all += sum;
    }
    return all;
}
