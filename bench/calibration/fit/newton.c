/* Roots of z^3 = 1 by Newton's method from many points of the complex plane. */
enum { SIDE = 24, MOST = 40 };

double kernel(void)
{
    long steps = 0;
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++) {
            double x = -1.5 + 3.0 * (column + 0.5) / SIDE, y = -1.5 + 3.0 * (row + 0.5) / SIDE;
            for (int n = 0; n < MOST; n++) {
                double xx = x * x, yy = y * y;
                double fx = x * (xx - 3.0 * yy) - 1.0, fy = y * (3.0 * xx - yy);
                double gx = 3.0 * (xx - yy), gy = 6.0 * x * y, size = gx * gx + gy * gy + 1e-12;
                double dx = (fx * gx + fy * gy) / size, dy = (fy * gx - fx * gy) / size;
                x -= dx;
                y -= dy;
                steps++;
                if (dx * dx + dy * dy < 1e-16)
                    break;
            }
        }
    return (double)steps;
}
