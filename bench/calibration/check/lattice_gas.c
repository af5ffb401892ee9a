/* Flow by the lattice Boltzmann method with two dimensions and nine directions. */
enum { W = 24, H = 24, Q = 9, STEPS = 3 };
static double now[H][W][Q], next[H][W][Q];
static const int dx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double weight[Q] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

static void collide(double *f)
{
    double rho = 0.0, ux = 0.0, uy = 0.0;
    for (int q = 0; q < Q; q++) {
        rho += f[q];
        ux += f[q] * dx[q];
        uy += f[q] * dy[q];
    }
    ux /= rho;
    uy /= rho;
    double square = 1.5 * (ux * ux + uy * uy);
    for (int q = 0; q < Q; q++) {
        double cu = 3.0 * (dx[q] * ux + dy[q] * uy);
        f[q] += 0.6 * (weight[q] * rho * (1.0 + cu + 0.5 * cu * cu - square) - f[q]);
    }
}

double kernel(void)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            for (int q = 0; q < Q; q++)
                now[y][x][q] = weight[q] * (1.0 + 0.01 * (x == W / 2 && y == H / 2));
    for (int t = 0; t < STEPS; t++) {
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                collide(now[y][x]);
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                for (int q = 0; q < Q; q++)
                    next[(y + dy[q] + H) % H][(x + dx[q] + W) % W][q] = now[y][x][q];
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                for (int q = 0; q < Q; q++)
                    now[y][x][q] = next[y][x][q];
    }
    return now[3][4][5];
}
