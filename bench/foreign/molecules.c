/* molecules.c - molecular dynamics: Lennard-Jones forces within a cutoff, cells with lists of particles, lists of
 * neighbours made anew every few steps, velocity Verlet, a periodic box. A mini-application in one file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int n, cells, capacity;
    double box, cutoff, skin;
    double (*x)[3], (*v)[3], (*f)[3];
    int *head, *next;
    int *first, *neighbours;
    double potential;
} System;

static unsigned long long seed = 88172645463325252ull;

static double uniform(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static void create(System *s, int side, double density)
{
    s->n = side * side * side;
    s->box = cbrt(s->n / density);
    s->cutoff = 2.5;
    s->skin = 0.3;
    s->cells = (int)(s->box / (s->cutoff + s->skin));
    s->capacity = s->n * 80;
    s->x = malloc(sizeof *s->x * (size_t)s->n);
    s->v = malloc(sizeof *s->v * (size_t)s->n);
    s->f = malloc(sizeof *s->f * (size_t)s->n);
    s->head = malloc(sizeof *s->head * (size_t)(s->cells * s->cells * s->cells));
    s->next = malloc(sizeof *s->next * (size_t)s->n);
    s->first = malloc(sizeof *s->first * (size_t)(s->n + 1));
    s->neighbours = malloc(sizeof *s->neighbours * (size_t)s->capacity);
    double a = s->box / side;
    for (int i = 0; i < s->n; i++) {
        s->x[i][0] = (i % side + 0.5) * a;
        s->x[i][1] = (i / side % side + 0.5) * a;
        s->x[i][2] = (i / side / side + 0.5) * a;
        for (int d = 0; d < 3; d++)
            s->v[i][d] = uniform() - 0.5;
    }
}

static int cell_of(const System *s, const double *x)
{
    int c[3];
    for (int d = 0; d < 3; d++) {
        c[d] = (int)(x[d] / s->box * s->cells);
        if (c[d] >= s->cells)
            c[d] = s->cells - 1;
    }
    return (c[2] * s->cells + c[1]) * s->cells + c[0];
}

static double image(double d, double box)
{
    if (d > 0.5 * box)
        return d - box;
    if (d < -0.5 * box)
        return d + box;
    return d;
}

static void find_neighbours(System *s)
{
    int m = s->cells, used = 0;
    double reach = (s->cutoff + s->skin) * (s->cutoff + s->skin);
    for (int c = 0; c < m * m * m; c++)
        s->head[c] = -1;
    for (int i = 0; i < s->n; i++) {
        for (int d = 0; d < 3; d++) {
            while (s->x[i][d] < 0)
                s->x[i][d] += s->box;
            while (s->x[i][d] >= s->box)
                s->x[i][d] -= s->box;
        }
        int c = cell_of(s, s->x[i]);
        s->next[i] = s->head[c];
        s->head[c] = i;
    }
    for (int i = 0; i < s->n; i++) {
        s->first[i] = used;
        int c = cell_of(s, s->x[i]), cx = c % m, cy = c / m % m, cz = c / m / m;
        for (int dz = -1; dz <= 1; dz++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int other = ((cz + dz + m) % m * m + (cy + dy + m) % m) * m + (cx + dx + m) % m;
                    for (int j = s->head[other]; j >= 0; j = s->next[j]) {
                        if (j <= i)
                            continue;
                        double r2 = 0;
                        for (int d = 0; d < 3; d++) {
                            double delta = image(s->x[i][d] - s->x[j][d], s->box);
                            r2 += delta * delta;
                        }
                        if (r2 < reach && used < s->capacity)
                            s->neighbours[used++] = j;
                    }
                }
    }
    s->first[s->n] = used;
}

static void forces(System *s)
{
    double cut2 = s->cutoff * s->cutoff;
    s->potential = 0;
    memset(s->f, 0, sizeof *s->f * (size_t)s->n);
    for (int i = 0; i < s->n; i++) {
        double fx = 0, fy = 0, fz = 0;
        for (int k = s->first[i]; k < s->first[i + 1]; k++) {
            int j = s->neighbours[k];
            double dx = image(s->x[i][0] - s->x[j][0], s->box);
            double dy = image(s->x[i][1] - s->x[j][1], s->box);
            double dz = image(s->x[i][2] - s->x[j][2], s->box);
            double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 >= cut2)
                continue;
            double inverse = 1.0 / r2, sixth = inverse * inverse * inverse;
            double force = 48.0 * inverse * sixth * (sixth - 0.5);
            s->potential += 4.0 * sixth * (sixth - 1.0);
            fx += force * dx;
            fy += force * dy;
            fz += force * dz;
            s->f[j][0] -= force * dx;
            s->f[j][1] -= force * dy;
            s->f[j][2] -= force * dz;
        }
        s->f[i][0] += fx;
        s->f[i][1] += fy;
        s->f[i][2] += fz;
    }
}

static double step(System *s, double dt)
{
    double kinetic = 0;
    for (int i = 0; i < s->n; i++)
        for (int d = 0; d < 3; d++) {
            s->v[i][d] += 0.5 * dt * s->f[i][d];
            s->x[i][d] += dt * s->v[i][d];
        }
    forces(s);
    for (int i = 0; i < s->n; i++)
        for (int d = 0; d < 3; d++) {
            s->v[i][d] += 0.5 * dt * s->f[i][d];
            kinetic += 0.5 * s->v[i][d] * s->v[i][d];
        }
    return kinetic;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 200, side = argc > 2 ? atoi(argv[2]) : 13;
    System s;
    double kinetic = 0;
    create(&s, side, 0.8);
    find_neighbours(&s);
    forces(&s);
    for (int t = 0; t < steps; t++) {
        if (t % 10 == 9)
            find_neighbours(&s);
        kinetic = step(&s, 0.004);
    }
    printf("%.6f %.6f %d\n", kinetic, s.potential, s.first[s.n]);
    return 0;
}
