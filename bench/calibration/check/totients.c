/* Counts the numbers that are coprime to n, for many n; and sums of divisors. */
enum { N = 1500 };
static int phi[N + 1], divisors[N + 1];

double kernel(void)
{
    long sum = 0;
    for (int i = 0; i <= N; i++) {
        phi[i] = i;
        divisors[i] = 0;
    }
    for (int p = 2; p <= N; p++)
        if (phi[p] == p)
            for (int k = p; k <= N; k += p)
                phi[k] -= phi[k] / p;
    for (int d = 1; d <= N; d++)
        for (int k = d; k <= N; k += d)
            divisors[k] += d;
    for (int i = 1; i <= N; i++)
        sum += phi[i] + (divisors[i] == 2 * i);
    return (double)sum;
}
