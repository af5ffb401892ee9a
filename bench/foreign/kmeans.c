/* kmeans.c - clusters of points with coordinates in floats, as structures. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    float x, y, z;
    int cluster;
} point;

static float distance(const point *a, const point *b)
{
    float dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
    return sqrtf(dx * dx + dy * dy + dz * dz);
}

static int assign(point *points, int n, const point *centres, int k)
{
    int changed = 0;
    for (int i = 0; i < n; i++) {
        float best = FLT_MAX;
        int which = 0;
        for (int c = 0; c < k; c++) {
            float d = distance(&points[i], &centres[c]);
            if (d < best) {
                best = d;
                which = c;
            }
        }
        if (points[i].cluster != which) {
            points[i].cluster = which;
            changed++;
        }
    }
    return changed;
}

static void update(const point *points, int n, point *centres, int k)
{
    int count[32] = {0};
    for (int c = 0; c < k; c++)
        centres[c].x = centres[c].y = centres[c].z = 0;
    for (int i = 0; i < n; i++) {
        point *c = &centres[points[i].cluster];
        c->x += points[i].x;
        c->y += points[i].y;
        c->z += points[i].z;
        count[points[i].cluster]++;
    }
    for (int c = 0; c < k; c++)
        if (count[c]) {
            centres[c].x /= (float)count[c];
            centres[c].y /= (float)count[c];
            centres[c].z /= (float)count[c];
        }
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 30, n = argc > 2 ? atoi(argv[2]) : 10000, k = 16;
    point *points = malloc(sizeof *points * (size_t)n), centres[32];
    unsigned seed = 9;
    long rounds = 0;
    double sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < n; i++) {
            float *v[3] = {&points[i].x, &points[i].y, &points[i].z};
            for (int d = 0; d < 3; d++) {
                seed = seed * 1664525 + 1013904223;
                *v[d] = (float)(seed >> 8) / 16777216.0f;
            }
            points[i].cluster = -1;
        }
        for (int c = 0; c < k; c++)
            centres[c] = points[c * (n / k)];
        for (int round = 0; round < 20 && assign(points, n, centres, k); round++) {
            update(points, n, centres, k);
            rounds++;
        }
        sum += centres[3].x + centres[7].y;
    }
    printf("%ld %.6f\n", rounds, sum);
    return 0;
}
