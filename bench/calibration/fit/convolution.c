/* A 3 x 3 filter of integers on a picture of bytes. */
enum { WIDTH = 96, HEIGHT = 64, TURNS = 3 };
static unsigned char from[HEIGHT][WIDTH], to[HEIGHT][WIDTH];

static void filter(int weights[3][3], int divisor)
{
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++) {
            int sum = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += weights[dy + 1][dx + 1] * from[y + dy][x + dx];
            sum /= divisor;
            to[y][x] = (unsigned char)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
        }
}

double kernel(void)
{
    static int weights[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
    long sum = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            from[y][x] = (unsigned char)(x * y);
    for (int t = 0; t < TURNS; t++) {
        filter(weights, 16 + t);
        sum += to[t + 3][WIDTH / 2];
    }
    return (double)sum;
}
