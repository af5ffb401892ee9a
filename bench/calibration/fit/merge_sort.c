/* Merge sort of doubles, bottom up. */
enum { N = 3000 };
static double one[N], two[N];

static void merge(const double *from, double *to, int low, int middle, int high)
{
    int i = low, j = middle;
    for (int k = low; k < high; k++)
        to[k] = i < middle && (j >= high || from[i] <= from[j]) ? from[i++] : from[j++];
}

double kernel(void)
{
    double *from = one, *to = two;
    unsigned state = 31;
    for (int i = 0; i < N; i++) {
        state = state * 1103515245u + 12345u;
        one[i] = state / 4096.0;
    }
    for (int width = 1; width < N; width *= 2) {
        for (int low = 0; low < N; low += 2 * width) {
            int middle = low + width < N ? low + width : N, high = low + 2 * width < N ? low + 2 * width : N;
            merge(from, to, low, middle, high);
        }
        double *keep = from;
        from = to;
        to = keep;
    }
    return from[N / 2];
}
