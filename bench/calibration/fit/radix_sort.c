/* Radix sort of unsigned integers, eight bits at a time. */
enum { N = 4000 };
static unsigned one[N], two[N];

double kernel(void)
{
    unsigned *from = one, *to = two, state = 17;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        one[i] = state;
    }
    for (int shift = 0; shift < 32; shift += 8) {
        int starts[257] = {0};
        for (int i = 0; i < N; i++)
            starts[(from[i] >> shift & 255) + 1]++;
        for (int d = 0; d < 256; d++)
            starts[d + 1] += starts[d];
        for (int i = 0; i < N; i++)
            to[starts[from[i] >> shift & 255]++] = from[i];
        unsigned *keep = from;
        from = to;
        to = keep;
    }
    return from[N / 2];
}
