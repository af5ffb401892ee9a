/* PageRank: a graph as lists of edges, scattered additions. */
enum { PAGES = 400, EDGES = 3000, TURNS = 8 };
static int from[EDGES], to[EDGES], degree[PAGES];
static double rank[PAGES], fresh[PAGES];

double kernel(void)
{
    for (int p = 0; p < PAGES; p++) {
        degree[p] = 0;
        rank[p] = 1.0 / PAGES;
    }
    for (int e = 0; e < EDGES; e++) {
        from[e] = e * 7 % PAGES;
        to[e] = (e * 31 + e / 7) % PAGES;
        degree[from[e]]++;
    }
    for (int t = 0; t < TURNS; t++) {
        for (int p = 0; p < PAGES; p++)
            fresh[p] = 0.15 / PAGES;
        for (int e = 0; e < EDGES; e++)
            fresh[to[e]] += 0.85 * rank[from[e]] / degree[from[e]];
        for (int p = 0; p < PAGES; p++)
            rank[p] = fresh[p];
    }
    return rank[3];
}
