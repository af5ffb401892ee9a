/* Distances in a random graph by breadth-first search, neighbours in one array. */
enum { NODES = 1000, DEGREE = 6 };
static int first[NODES + 1], neighbours[NODES * DEGREE], distance[NODES], queue[NODES];

static int search(int start)
{
    int head = 0, tail = 0, farthest = 0;
    for (int i = 0; i < NODES; i++)
        distance[i] = -1;
    distance[start] = 0;
    queue[tail++] = start;
    while (head < tail) {
        int node = queue[head++];
        for (int e = first[node]; e < first[node + 1]; e++) {
            int to = neighbours[e];
            if (distance[to] < 0) {
                distance[to] = farthest = distance[node] + 1;
                queue[tail++] = to;
            }
        }
    }
    return farthest;
}

double kernel(void)
{
    unsigned state = 3;
    int edges = 0, sum = 0;
    for (int i = 0; i < NODES; i++) {
        first[i] = edges;
        for (int k = 0; k < DEGREE - i % 4; k++) {
            state = state * 1664525u + 1013904223u;
            neighbours[edges++] = (int)(state >> 10) % NODES;
        }
    }
    first[NODES] = edges;
    for (int i = 0; i < 4; i++)
        sum += search(i * 200);
    return sum;
}
