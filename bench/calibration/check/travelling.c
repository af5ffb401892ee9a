/* Shortens a round trip by reversing parts of it (2-opt). */
enum { CITIES = 48 };
static int x[CITIES], y[CITIES], tour[CITIES], distance[CITIES][CITIES];

static int root(int n)
{
    int r = 0;
    for (int bit = 1 << 10; bit; bit >>= 1)
        if ((r + bit) * (r + bit) <= n)
            r += bit;
    return r;
}

double kernel(void)
{
    unsigned state = 29;
    for (int i = 0; i < CITIES; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = state >> 22;
        y[i] = state >> 12 & 1023;
        tour[i] = i;
    }
    for (int i = 0; i < CITIES; i++)
        for (int j = 0; j < CITIES; j++)
            distance[i][j] = root((x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j]));
    int better = 1, rounds = 0;
    while (better && rounds++ < 6) {
        better = 0;
        for (int i = 1; i < CITIES - 1; i++)
            for (int j = i + 1; j < CITIES; j++) {
                int a = tour[i - 1], b = tour[i], c = tour[j], d = tour[(j + 1) % CITIES];
                if (distance[a][c] + distance[b][d] >= distance[a][b] + distance[c][d])
                    continue;
                for (int l = i, r = j; l < r; l++, r--) {
                    int keep = tour[l];
                    tour[l] = tour[r];
                    tour[r] = keep;
                }
                better = 1;
            }
    }
    int length = 0;
    for (int i = 0; i < CITIES; i++)
        length += distance[tour[i]][tour[(i + 1) % CITIES]];
    return length;
}
