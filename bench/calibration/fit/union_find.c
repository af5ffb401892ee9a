/* Union-find with path halving. */
enum { N = 1500, JOINS = 1800 };
static int parent[N], sizes[N];

static int find(int x)
{
    while (parent[x] != x) {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    return x;
}

double kernel(void)
{
    unsigned state = 41;
    int sets = N;
    for (int i = 0; i < N; i++) {
        parent[i] = i;
        sizes[i] = 1;
    }
    for (int j = 0; j < JOINS; j++) {
        state = state * 1664525u + 1013904223u;
        int a = find((int)(state >> 8) % N), b = find((int)(state >> 3 & 1023));
        if (a == b)
            continue;
        if (sizes[a] < sizes[b]) {
            int keep = a;
            a = b;
            b = keep;
        }
        parent[b] = a;
        sizes[a] += sizes[b];
        sets--;
    }
    return sets;
}
