/* nbody_all.c - gravity among all pairs of many bodies, coordinates in separate arrays: long loops over doubles with a
 * division and a square root each.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 2048 };
static double x[MOST], y[MOST], z[MOST], vx[MOST], vy[MOST], vz[MOST], mass[MOST];

static void accelerate(int n, double dt)
{
    for (int i = 0; i < n; i++) {
        double ax = 0, ay = 0, az = 0;
        for (int j = 0; j < n; j++) {
            double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            double d2 = dx * dx + dy * dy + dz * dz + 1e-3;
            double pull = mass[j] / (d2 * sqrt(d2));
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        vx[i] += dt * ax;
        vy[i] += dt * ay;
        vz[i] += dt * az;
    }
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 90, n = argc > 2 ? atoi(argv[2]) : 1000;
    for (int i = 0; i < n; i++) {
        x[i] = i % 10 + 0.1 * (i % 7);
        y[i] = i / 10 % 10 - 0.2 * (i % 3);
        z[i] = i / 100 + 0.3 * (i % 11);
        mass[i] = 1.0 / (1 + i % 4);
    }
    for (int s = 0; s < steps; s++) {
        accelerate(n, 0.001);
        for (int i = 0; i < n; i++) {
            x[i] += 0.001 * vx[i];
            y[i] += 0.001 * vy[i];
            z[i] += 0.001 * vz[i];
        }
    }
    double energy = 0;
    for (int i = 0; i < n; i++)
        energy += mass[i] * (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]);
    printf("%.9g\n", energy);
    return 0;
}
