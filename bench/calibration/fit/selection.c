/* The k-th smallest of many numbers, by partition. */
enum { N = 3000 };
static int numbers[N];

static int select_kth(int *v, int n, int k)
{
    int low = 0, high = n - 1;
    while (low < high) {
        int pivot = v[k], i = low, j = high;
        do {
            while (v[i] < pivot)
                i++;
            while (pivot < v[j])
                j--;
            if (i <= j) {
                int keep = v[i];
                v[i++] = v[j];
                v[j--] = keep;
            }
        } while (i <= j);
        if (j < k)
            low = i;
        if (k < i)
            high = j;
    }
    return v[k];
}

double kernel(void)
{
    unsigned state = 8;
    long sum = 0;
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < N; i++) {
            state = state * 1664525u + 1013904223u;
            numbers[i] = (int)(state >> 8);
        }
        sum += select_kth(numbers, N, N / 5 * (t + 1));
    }
    return (double)sum;
}
