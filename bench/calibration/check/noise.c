/* A picture of clouds by interpolation between random slopes (Perlin). */
enum { SIDE = 40, OCTAVES = 3 };
static int table[512];
static float picture[SIDE][SIDE];

static float fade(float t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static float slope(int hash, float x, float y)
{
    float u = hash & 1 ? -x : x, v = hash & 2 ? -y : y;
    return hash & 4 ? u + 2 * v : 2 * u + v;
}

static float mix(float t, float a, float b)
{
    return a + t * (b - a);
}

static float noise(float x, float y)
{
    int i = (int)x, j = (int)y;
    x -= (float)i;
    y -= (float)j;
    float u = fade(x), v = fade(y);
    int a = table[i & 255] + j, b = table[(i + 1) & 255] + j;
    return mix(v, mix(u, slope(table[a & 255], x, y), slope(table[b & 255], x - 1, y)),
               mix(u, slope(table[(a + 1) & 255], x, y - 1), slope(table[(b + 1) & 255], x - 1, y - 1)));
}

double kernel(void)
{
    for (int i = 0; i < 256; i++)
        table[i] = table[i + 256] = (i * 167 + 13) & 255;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            float sum = 0, size = 1, scale = 0.07f;
            for (int o = 0; o < OCTAVES; o++) {
                sum += size * noise((float)x * scale, (float)y * scale);
                size *= 0.5f;
                scale *= 2;
            }
            picture[y][x] = sum;
        }
    return picture[7][9];
}
