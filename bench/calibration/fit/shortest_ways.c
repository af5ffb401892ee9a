/* Shortest paths from one vertex, by relaxing every edge (Bellman and Ford). */
enum { PLACES = 300, EDGES = 2000, TURNS = 8 };
static int from[EDGES], to[EDGES], length[EDGES], distance[PLACES];

double kernel(void)
{
    unsigned state = 19;
    for (int e = 0; e < EDGES; e++) {
        state = state * 1664525u + 1013904223u;
        from[e] = (int)(state >> 8) % PLACES;
        to[e] = (int)(state >> 3 & 0xffff) % PLACES;
        length[e] = 1 + (int)(state >> 20) % 50;
    }
    for (int p = 0; p < PLACES; p++)
        distance[p] = p ? 1000000 : 0;
    for (int t = 0; t < TURNS; t++)
        for (int e = 0; e < EDGES; e++)
            if (distance[from[e]] + length[e] < distance[to[e]])
                distance[to[e]] = distance[from[e]] + length[e];
    return distance[PLACES - 1];
}
