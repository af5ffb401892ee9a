/* Bodies that attract each other, in three dimensions. */
#include <math.h>

enum { BODIES = 40, STEPS = 12 };
typedef struct Body {
    double x[3], v[3], mass;
} Body;
static Body bodies[BODIES];

static void step(double dt)
{
    for (int i = 0; i < BODIES; i++)
        for (int j = i + 1; j < BODIES; j++) {
            Body *a = &bodies[i], *b = &bodies[j];
            double dx = b->x[0] - a->x[0], dy = b->x[1] - a->x[1], dz = b->x[2] - a->x[2];
            double square = dx * dx + dy * dy + dz * dz + 0.01;
            double pull = dt / (square * sqrt(square));
            a->v[0] += dx * b->mass * pull;
            a->v[1] += dy * b->mass * pull;
            a->v[2] += dz * b->mass * pull;
            b->v[0] -= dx * a->mass * pull;
            b->v[1] -= dy * a->mass * pull;
            b->v[2] -= dz * a->mass * pull;
        }
    for (int i = 0; i < BODIES; i++)
        for (int d = 0; d < 3; d++)
            bodies[i].x[d] += dt * bodies[i].v[d];
}

double kernel(void)
{
    for (int i = 0; i < BODIES; i++)
        bodies[i] = (Body){{i % 7, i % 5, i % 3}, {0, 0, 0}, 1.0 + i % 4};
    for (int t = 0; t < STEPS; t++)
        step(0.01);
    return bodies[0].x[0];
}
