/* The Mersenne twister and a test of its output. */
enum { N = 624, M = 397, DRAWN = 6000 };
static unsigned state[N];
static int at;

static unsigned draw(void)
{
    if (at == N) {
        for (int i = 0; i < N; i++) {
            unsigned y = (state[i] & 0x80000000u) | (state[(i + 1) % N] & 0x7fffffffu);
            state[i] = state[(i + M) % N] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
        }
        at = 0;
    }
    unsigned y = state[at++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

double kernel(void)
{
    int counts[64] = {0};
    double chi = 0.0;
    state[0] = 5489;
    for (int i = 1; i < N; i++)
        state[i] = 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + (unsigned)i;
    at = N;
    for (int i = 0; i < DRAWN; i++)
        counts[draw() >> 26]++;
    for (int i = 0; i < 64; i++)
        chi += (counts[i] - DRAWN / 64.0) * (counts[i] - DRAWN / 64.0) / (DRAWN / 64.0);
    return chi;
}
