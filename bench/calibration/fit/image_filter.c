/* Edges of a picture (Sobel) and how bright they are. */
enum { WIDTH = 90, HEIGHT = 70 };
static unsigned char picture[HEIGHT][WIDTH], edges[HEIGHT][WIDTH];
static int histogram[256];

double kernel(void)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            picture[y][x] = (unsigned char)((x * x + y * 3 * x + y * y / 2) >> 3);
    for (int i = 0; i < 256; i++)
        histogram[i] = 0;
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++) {
            int h = picture[y - 1][x + 1] + 2 * picture[y][x + 1] + picture[y + 1][x + 1] - picture[y - 1][x - 1] -
                    2 * picture[y][x - 1] - picture[y + 1][x - 1];
            int v = picture[y + 1][x - 1] + 2 * picture[y + 1][x] + picture[y + 1][x + 1] - picture[y - 1][x - 1] -
                    2 * picture[y - 1][x] - picture[y - 1][x + 1];
            int sum = (h < 0 ? -h : h) + (v < 0 ? -v : v);
            edges[y][x] = (unsigned char)(sum > 255 ? 255 : sum);
            histogram[edges[y][x]]++;
        }
    return histogram[0] + histogram[255] * 3 + edges[5][7];
}
