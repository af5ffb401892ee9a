/* Bitonic sorting network, as on parallel computers. */
enum { N = 1024 };
static int keys[N];

static void exchange(int i, int j, int up)
{
    if ((keys[i] > keys[j]) == up) {
        int keep = keys[i];
        keys[i] = keys[j];
        keys[j] = keep;
    }
}

double kernel(void)
{
    unsigned state = 77;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        keys[i] = (int)(state >> 12);
    }
    for (int size = 2; size <= N; size *= 2)
        for (int distance = size / 2; distance > 0; distance /= 2)
            for (int i = 0; i < N; i++) {
                int partner = i ^ distance;
                if (partner > i)
                    exchange(i, partner, (i & size) == 0);
            }
    return keys[N / 3];
}
