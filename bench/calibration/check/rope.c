/* Masses on a rope that swings: forces of springs, Verlet steps. */
enum { N = 64, STEPS = 40 };
typedef struct Mass {
    double x, y, oldx, oldy;
} Mass;
static Mass rope[N];

double kernel(void)
{
    for (int i = 0; i < N; i++)
        rope[i] = (Mass){i, 0.0, i, i == N / 2 ? 0.1 : 0.0};
    for (int t = 0; t < STEPS; t++) {
        double fx[N] = {0}, fy[N] = {0};
        for (int i = 0; i + 1 < N; i++) {
            double dx = rope[i + 1].x - rope[i].x, dy = rope[i + 1].y - rope[i].y;
            double stretch = dx * dx + dy * dy - 1.0;
            fx[i] += stretch * dx;
            fy[i] += stretch * dy;
            fx[i + 1] -= stretch * dx;
            fy[i + 1] -= stretch * dy;
        }
        for (int i = 1; i + 1 < N; i++) {
            double x = rope[i].x, y = rope[i].y;
            rope[i].x += 0.999 * (x - rope[i].oldx) + 0.01 * fx[i];
            rope[i].y += 0.999 * (y - rope[i].oldy) + 0.01 * fy[i] - 0.0001;
            rope[i].oldx = x;
            rope[i].oldy = y;
        }
    }
    return rope[N / 2].y;
}
