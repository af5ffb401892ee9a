/* Histogram of pseudo-random integers. */
enum { BINS = 256, N = 40000 };
static int bins[BINS];

double kernel(void)
{
    unsigned long state = 88172645463325252ul;
    for (int i = 0; i < BINS; i++)
        bins[i] = 0;
    for (int i = 0; i < N; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bins[state >> 20 & (BINS - 1)]++;
    }
    return bins[17];
}
