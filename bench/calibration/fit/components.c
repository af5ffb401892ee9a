/* Components of a sparse graph by depth-first search with a stack of its own. */
enum { NODES = 1500, EDGES = 1400 };
static int first[NODES], next[2 * EDGES], to[2 * EDGES], stack[NODES];
static unsigned char seen[NODES];

double kernel(void)
{
    unsigned state = 23;
    int components = 0;
    for (int i = 0; i < NODES; i++) {
        first[i] = -1;
        seen[i] = 0;
    }
    for (int e = 0; e < EDGES; e++) {
        state = state * 1664525u + 1013904223u;
        int a = (int)(state >> 8) % NODES, b = (int)(state >> 16) % NODES;
        to[2 * e] = b;
        next[2 * e] = first[a];
        first[a] = 2 * e;
        to[2 * e + 1] = a;
        next[2 * e + 1] = first[b];
        first[b] = 2 * e + 1;
    }
    for (int i = 0; i < NODES; i++) {
        if (seen[i])
            continue;
        int depth = 0;
        components++;
        seen[i] = 1;
        stack[depth++] = i;
        while (depth > 0) {
            int node = stack[--depth];
            for (int e = first[node]; e >= 0; e = next[e])
                if (!seen[to[e]]) {
                    seen[to[e]] = 1;
                    stack[depth++] = to[e];
                }
        }
    }
    return components;
}
