/* Running sums in place, up and down. */
enum { N = 2000, TURNS = 12 };
static long sums[N];

double kernel(void)
{
    for (int i = 0; i < N; i++)
        sums[i] = i & 15;
    for (int t = 0; t < TURNS; t++) {
        for (int i = 1; i < N; i++)
            sums[i] += sums[i - 1];
        for (int i = N - 2; i >= 0; i--)
            sums[i] = (sums[i] - sums[i + 1]) & 0xffff;
    }
    return (double)sums[N / 2];
}
