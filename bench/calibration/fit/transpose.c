/* Transposes a matrix, extents known only at run time. */
enum { N = 60, TURNS = 12 };
static double a[N * N], b[N * N];

static void transpose(const double *from, double *to, int rows, int columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            to[j * rows + i] = from[i * columns + j];
}

static volatile int size = N;

double kernel(void)
{
    for (int i = 0; i < N * N; i++)
        a[i] = i;
    for (int t = 0; t < TURNS / 2; t++) {
        transpose(a, b, size, size);
        transpose(b, a, size, size);
    }
    return a[N + 1];
}
