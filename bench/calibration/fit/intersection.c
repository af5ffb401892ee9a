/* Common numbers of sorted lists. */
enum { N = 1500, LISTS = 4 };
static int lists[LISTS][N];

static int common(const int *a, const int *b, int n)
{
    int i = 0, j = 0, found = 0;
    while (i < n && j < n) {
        if (a[i] < b[j]) {
            i++;
        } else if (a[i] > b[j]) {
            j++;
        } else {
            found++;
            i++;
            j++;
        }
    }
    return found;
}

double kernel(void)
{
    unsigned state = 4;
    int sum = 0;
    for (int l = 0; l < LISTS; l++)
        for (int i = 0, value = 0; i < N; i++) {
            state = state * 1664525u + 1013904223u;
            value += 1 + (int)(state >> 28);
            lists[l][i] = value;
        }
    for (int l = 1; l < LISTS; l++)
        sum += common(lists[l - 1], lists[l], N);
    return sum;
}
