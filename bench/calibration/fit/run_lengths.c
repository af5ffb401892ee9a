/* Run-length encoding of bytes, and back. */
enum { N = 8000 };
static unsigned char plain[N], packed[2 * N], again[N];

static int pack(const unsigned char *from, int n, unsigned char *to)
{
    int out = 0;
    for (int i = 0; i < n;) {
        int run = 1;
        while (i + run < n && run < 255 && from[i + run] == from[i])
            run++;
        to[out++] = (unsigned char)run;
        to[out++] = from[i];
        i += run;
    }
    return out;
}

static int unpack(const unsigned char *from, int n, unsigned char *to)
{
    int out = 0;
    for (int i = 0; i < n; i += 2)
        for (int k = from[i]; k > 0; k--)
            to[out++] = from[i + 1];
    return out;
}

double kernel(void)
{
    unsigned state = 9;
    for (int i = 0, value = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        if (state >> 24 < 50)
            value = (int)(state >> 12 & 7);
        plain[i] = (unsigned char)value;
    }
    int length = pack(plain, N, packed);
    return unpack(packed, length, again) + again[N / 2];
}
