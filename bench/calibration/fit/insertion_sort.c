/* Insertion sort of many short arrays of integers. */
enum { ROWS = 250, LENGTH = 16 };
static int rows[ROWS][LENGTH];

static void sort(int *v, int n)
{
    for (int i = 1; i < n; i++) {
        int value = v[i], j = i - 1;
        while (j >= 0 && v[j] > value) {
            v[j + 1] = v[j];
            j--;
        }
        v[j + 1] = value;
    }
}

double kernel(void)
{
    unsigned state = 5;
    long sum = 0;
    for (int r = 0; r < ROWS; r++) {
        for (int i = 0; i < LENGTH; i++) {
            state = state * 1664525u + 1013904223u;
            rows[r][i] = (int)(state >> 16);
        }
        sort(rows[r], LENGTH);
        sum += rows[r][LENGTH / 2];
    }
    return (double)sum;
}
