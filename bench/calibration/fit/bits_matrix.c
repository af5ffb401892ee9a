/* Transitive closure of a graph in rows of bits (Warshall), and its size. */
enum { N = 128, WORDS = N / 64 };
static unsigned long reach[N][WORDS];

static int count(unsigned long x)
{
    x -= x >> 1 & 0x5555555555555555ul;
    x = (x & 0x3333333333333333ul) + (x >> 2 & 0x3333333333333333ul);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0ful;
    return (int)(x * 0x0101010101010101ul >> 56);
}

double kernel(void)
{
    int sum = 0;
    unsigned state = 21;
    for (int i = 0; i < N; i++)
        for (int w = 0; w < WORDS; w++)
            reach[i][w] = 0;
    for (int e = 0; e < 160; e++) {
        state = state * 1664525u + 1013904223u;
        reach[state >> 25][state >> 24 & 1] |= 1ul << (state >> 12 & 63);
    }
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            if (reach[i][k / 64] >> k % 64 & 1)
                for (int w = 0; w < WORDS; w++)
                    reach[i][w] |= reach[k][w];
    for (int i = 0; i < N; i++)
        for (int w = 0; w < WORDS; w++)
            sum += count(reach[i][w]);
    return sum;
}
