/* Lennard-Jones forces between particles in a periodic box, with a cut-off. */
enum { N = 90, STEPS = 3 };
static double x[N], y[N], z[N], fx[N], fy[N], fz[N];

static double nearest(double d)
{
    return d > 4.0 ? d - 8.0 : d < -4.0 ? d + 8.0 : d;
}

double kernel(void)
{
    double energy = 0.0;
    for (int i = 0; i < N; i++) {
        x[i] = i % 5 * 1.6;
        y[i] = i / 5 % 5 * 1.6;
        z[i] = i / 25 * 1.6 + 0.1 * (i % 3);
    }
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < N; i++)
            fx[i] = fy[i] = fz[i] = 0.0;
        for (int i = 0; i < N; i++)
            for (int j = i + 1; j < N; j++) {
                double dx = nearest(x[i] - x[j]), dy = nearest(y[i] - y[j]), dz = nearest(z[i] - z[j]);
                double square = dx * dx + dy * dy + dz * dz;
                if (square > 9.0)
                    continue;
                double inverse = 1.0 / square, sixth = inverse * inverse * inverse;
                double force = 48.0 * sixth * (sixth - 0.5) * inverse;
                energy += 4.0 * sixth * (sixth - 1.0);
                fx[i] += force * dx;
                fy[i] += force * dy;
                fz[i] += force * dz;
                fx[j] -= force * dx;
                fy[j] -= force * dy;
                fz[j] -= force * dz;
            }
        for (int i = 0; i < N; i++) {
            x[i] += 1e-6 * fx[i];
            y[i] += 1e-6 * fy[i];
            z[i] += 1e-6 * fz[i];
        }
    }
    return energy;
}
