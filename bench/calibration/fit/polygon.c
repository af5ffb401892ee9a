/* Finds which points are inside a polygon. */
enum { CORNERS = 24, POINTS = 400 };
static double px[CORNERS], py[CORNERS];

static int inside(double x, double y)
{
    int in = 0;
    for (int i = 0, j = CORNERS - 1; i < CORNERS; j = i++)
        if ((py[i] > y) != (py[j] > y) && x < (px[j] - px[i]) * (y - py[i]) / (py[j] - py[i]) + px[i])
            in = !in;
    return in;
}

double kernel(void)
{
    int count = 0;
    for (int i = 0; i < CORNERS; i++) {
        double r = i % 2 ? 4.0 : 9.0, t = i * 0.2617993877991494, c = 1 - t * t / 2 + t * t * t * t / 24;
        px[i] = 10 + r * (i < 12 ? c : -c) * 0.2;
        py[i] = 10 + r * (i % 12 - 6) / 6.0;
    }
    for (int i = 0; i < POINTS; i++)
        count += inside(i * 7 % 200 / 10.0, i * 13 % 211 / 10.0);
    return count;
}
