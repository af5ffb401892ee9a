/* FNV-1a hashes of many short strings. */
enum { N = 600, LENGTH = 24, TURNS = 4 };
static char names[N][LENGTH];

static unsigned hash(const char *text)
{
    unsigned value = 2166136261u;
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * 16777619u;
    return value;
}

double kernel(void)
{
    unsigned sum = 0;
    for (int i = 0; i < N; i++) {
        int length = 4 + i % (LENGTH - 5);
        for (int j = 0; j < length; j++)
            names[i][j] = (char)('a' + (i + j) % 26);
        names[i][length] = 0;
    }
    for (int t = 0; t < TURNS; t++)
        for (int i = 0; i < N; i++)
            sum += hash(names[i]);
    return sum;
}
