/* Nine-point smoothing of a picture of floats, weights in a table, borders as they are. */
enum { W = 72, H = 60, TURNS = 3 };
static float from[H][W], to[H][W];
static const float weights[3][3] = {{0.05f, 0.1f, 0.05f}, {0.1f, 0.4f, 0.1f}, {0.05f, 0.1f, 0.05f}};

static void smooth(float (*in)[W], float (*out)[W])
{
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++) {
            float sum = 0;
            for (int i = -1; i <= 1; i++)
                for (int j = -1; j <= 1; j++)
                    sum += weights[i + 1][j + 1] * in[y + i][x + j];
            out[y][x] = sum;
        }
}

double kernel(void)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            from[y][x] = to[y][x] = (float)((x * 13 + y * 7) % 32);
    for (int t = 0; t < TURNS; t++) {
        smooth(from, to);
        smooth(to, from);
    }
    return from[H / 2][W / 2];
}
