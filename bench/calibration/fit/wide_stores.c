/* Stores to several arrays, extents known only at run time. */
enum { N = 500, TURNS = 12 };
static long a[N], b[N];
static int c[N];
static volatile int size = N;

double kernel(void)
{
    int n = size;
    for (int t = 0; t < TURNS; t++)
        for (int i = 0; i < n; i++) {
            a[i] = i + t;
            b[n - 1 - i] = i;
            c[i] = t;
        }
    return (double)(a[3] + b[4] + c[5]);
}
