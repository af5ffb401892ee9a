/* The median of every three neighbours, by exchanges. */
enum { N = 4000, TURNS = 4 };
static int from[N], to[N];

double kernel(void)
{
    unsigned state = 23;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        from[i] = (int)(state >> 16);
    }
    for (int t = 0; t < TURNS; t++) {
        for (int i = 1; i < N - 1; i++) {
            int a = from[i - 1], b = from[i], c = from[i + 1];
            int low = a < b ? a : b, high = a < b ? b : a;
            int middle = high < c ? high : c;
            to[i] = low > middle ? low : middle;
        }
        from[t] = to[t + 1];
    }
    return to[N / 2];
}
