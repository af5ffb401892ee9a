/* Intersects rays with spheres: a quadratic equation each, and the nearest hit. */
#include <math.h>

enum { SPHERES = 16, RAYS = 300 };
typedef struct Sphere {
    double x, y, z, radius;
} Sphere;
static Sphere spheres[SPHERES];

double kernel(void)
{
    double sum = 0.0;
    for (int s = 0; s < SPHERES; s++)
        spheres[s] = (Sphere){s % 4 - 1.5, s / 4 - 1.5, 5.0 + s % 3, 0.4 + 0.02 * s};
    for (int r = 0; r < RAYS; r++) {
        double dx = (r % 20 - 10) * 0.03, dy = (r / 20 - 7) * 0.04, dz = 1.0, nearest = 1e9;
        double a = dx * dx + dy * dy + dz * dz;
        for (int s = 0; s < SPHERES; s++) {
            const Sphere *p = &spheres[s];
            double b = dx * p->x + dy * p->y + dz * p->z;
            double c = p->x * p->x + p->y * p->y + p->z * p->z - p->radius * p->radius;
            double inside = b * b - a * c;
            if (inside < 0.0)
                continue;
            double t = (b - sqrt(inside)) / a;
            if (t > 0.0 && t < nearest)
                nearest = t;
        }
        sum += nearest < 1e8 ? nearest : 0.5;
    }
    return sum;
}
