/* nbody.c - five bodies under gravity: structures of doubles, division, square root. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 5 };
struct body {
    double x, y, z, vx, vy, vz, mass;
};
static struct body bodies[BODIES];

static void step(double dt)
{
    for (int i = 0; i < BODIES; i++)
        for (int j = i + 1; j < BODIES; j++) {
            struct body *a = &bodies[i], *b = &bodies[j];
            double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
            double d2 = dx * dx + dy * dy + dz * dz + 0.01;
            double magnitude = dt / (d2 * sqrt(d2));
            a->vx -= dx * b->mass * magnitude;
            a->vy -= dy * b->mass * magnitude;
            a->vz -= dz * b->mass * magnitude;
            b->vx += dx * a->mass * magnitude;
            b->vy += dy * a->mass * magnitude;
            b->vz += dz * a->mass * magnitude;
        }
    for (int i = 0; i < BODIES; i++) {
        bodies[i].x += dt * bodies[i].vx;
        bodies[i].y += dt * bodies[i].vy;
        bodies[i].z += dt * bodies[i].vz;
    }
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 3000000;
    for (int i = 0; i < BODIES; i++)
        bodies[i] = (struct body){i, 2 * i + 1, 3 - i, 0.1 * i, -0.2, 0.05 * i, 1.0 / (i + 1)};
    for (int i = 0; i < steps; i++)
        step(0.001);
    printf("%.9f\n", bodies[0].x + bodies[1].y + bodies[2].z);
    return 0;
}
