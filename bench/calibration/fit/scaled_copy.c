/* Copies, scales and shifts integers into another array, extent known only at run time. */
enum { N = 1500, TURNS = 40 };
static int from[N], to[N];

static volatile int size = N;

double kernel(void)
{
    int n = size;
    for (int i = 0; i < N; i++)
        from[i] = i * 3;
    for (int t = 0; t < TURNS; t++) {
        for (int i = 0; i < n; i++)
            to[i] = (from[i] * 5 + t) >> 1;
        from[t] = to[n - 1 - t];
    }
    return to[N / 2];
}
