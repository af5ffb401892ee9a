/* A filter of sixteen taps on samples of 16 bits, in fixed point. */
enum { N = 1500, TAPS = 16 };
static short samples[N + TAPS], filtered[N];

static void filter(const short *in, short *out, int n, const int *taps)
{
    for (int i = 0; i < n; i++) {
        int sum = 1 << 14;
        for (int k = 0; k < TAPS; k++)
            sum += taps[k] * in[i + k];
        out[i] = (short)(sum >> 15);
    }
}

double kernel(void)
{
    int taps[TAPS];
    for (int k = 0; k < TAPS; k++)
        taps[k] = (k < 8 ? k + 1 : 16 - k) * 450;
    for (int i = 0; i < N + TAPS; i++)
        samples[i] = (short)(i * 37 % 4000 - 2000);
    filter(samples, filtered, N, taps);
    return filtered[N / 2];
}
