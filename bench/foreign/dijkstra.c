/* dijkstra.c - shortest paths from one node: lists of edges, a binary heap of records. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

struct edge {
    int to, weight;
    struct edge *next;
};
struct place {
    int node;
    long distance;
};

static struct place *heap;
static int heap_size;

static void swap(struct place *a, struct place *b)
{
    struct place t = *a;
    *a = *b;
    *b = t;
}

static void insert(int node, long distance)
{
    int i = heap_size++;
    heap[i] = (struct place){node, distance};
    while (i && heap[(i - 1) / 2].distance > heap[i].distance) {
        swap(&heap[i], &heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
}

static struct place extract(void)
{
    struct place top = heap[0];
    heap[0] = heap[--heap_size];
    for (int i = 0;;) {
        int smallest = i, left = 2 * i + 1, right = left + 1;
        if (left < heap_size && heap[left].distance < heap[smallest].distance)
            smallest = left;
        if (right < heap_size && heap[right].distance < heap[smallest].distance)
            smallest = right;
        if (smallest == i)
            return top;
        swap(&heap[i], &heap[smallest]);
        i = smallest;
    }
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 110, n = argc > 2 ? atoi(argv[2]) : 10000, degree = 5;
    struct edge **graph = calloc((size_t)n, sizeof *graph);
    long *distance = malloc(sizeof *distance * (size_t)n), sum = 0;
    heap = malloc(sizeof *heap * (size_t)(n * degree + 1));
    unsigned seed = 11;
    for (int i = 0; i < n; i++)
        for (int d = 0; d < degree; d++) {
            struct edge *e = malloc(sizeof *e);
            seed = seed * 1664525 + 1013904223;
            e->to = d ? (int)((seed >> 8) % (unsigned)n) : (i + 1) % n;
            e->weight = (int)(seed >> 20) % 1000 + 1;
            e->next = graph[i];
            graph[i] = e;
        }
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < n; i++)
            distance[i] = LONG_MAX;
        int start = turn * 37 % n;
        distance[start] = 0;
        insert(start, 0);
        while (heap_size) {
            struct place p = extract();
            if (p.distance > distance[p.node])
                continue;
            for (const struct edge *e = graph[p.node]; e; e = e->next)
                if (p.distance + e->weight < distance[e->to]) {
                    distance[e->to] = p.distance + e->weight;
                    insert(e->to, distance[e->to]);
                }
        }
        for (int i = 0; i < n; i += 97)
            sum += distance[i];
    }
    printf("%ld\n", sum);
    return 0;
}
