/* Breadth-first search through a maze, with a queue. */
enum { WIDTH = 64, HEIGHT = 48, TURNS = 3 };
static unsigned char wall[HEIGHT][WIDTH];
static int distance[HEIGHT][WIDTH], queue[WIDTH * HEIGHT];

static int fill(int start)
{
    int head = 0, tail = 0, last = 0;
    static const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            distance[y][x] = -1;
    queue[tail++] = start;
    distance[start / WIDTH][start % WIDTH] = 0;
    while (head < tail) {
        int place = queue[head++], x = place % WIDTH, y = place / WIDTH;
        last = distance[y][x];
        for (int d = 0; d < 4; d++) {
            int nx = x + dx[d], ny = y + dy[d];
            if (nx < 0 || ny < 0 || nx >= WIDTH || ny >= HEIGHT || wall[ny][nx] || distance[ny][nx] >= 0)
                continue;
            distance[ny][nx] = last + 1;
            queue[tail++] = ny * WIDTH + nx;
        }
    }
    return last;
}

double kernel(void)
{
    int sum = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            wall[y][x] = (x * 7 + y * 11 + x * y % 5) % 4 == 0;
    for (int t = 0; t < TURNS; t++) {
        wall[t][t] = 0;
        sum += fill(t * WIDTH + t);
    }
    return sum;
}
