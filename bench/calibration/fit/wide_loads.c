/* Loads from many addresses, and their sum. */
enum { N = 64, STEPS = 4000 };
static long a[N], b[N], c[N], d[N];

double kernel(void)
{
    long sum = 0;
    for (int i = 0; i < N; i++)
        a[i] = b[i] = c[i] = d[i] = i;
    for (int i = 0; i < STEPS; i++) {
        int k = i & (N - 1), m = k ^ 5;
        sum += a[k] + b[m] + c[k] + d[m] + a[m] + c[m];
    }
    return (double)sum;
}
