/* Spins on a torus that flip at random (Ising and Metropolis). */
enum { N = 32, SWEEPS = 4 };
static signed char spin[N][N];
static unsigned state;

static unsigned draw(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

double kernel(void)
{
    static const unsigned chance[9] = {~0u, ~0u, ~0u, ~0u, ~0u, 0, 760000000u, 0, 140000000u};
    int magnet = 0;
    state = 2463534242u;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            spin[i][j] = draw() & 1 ? 1 : -1;
    for (int t = 0; t < SWEEPS * N * N; t++) {
        int i = (int)(draw() % N), j = (int)(draw() % N);
        int around = spin[(i + 1) % N][j] + spin[(i + N - 1) % N][j] + spin[i][(j + 1) % N] + spin[i][(j + N - 1) % N];
        int gain = spin[i][j] * around;
        if (draw() <= chance[gain + 4])
            spin[i][j] = (signed char)-spin[i][j];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            magnet += spin[i][j];
    return magnet;
}
