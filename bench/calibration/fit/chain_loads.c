/* Loads of indices: each load waits for the one before. */
enum { N = 512, STEPS = 12000 };
static int follows[N];

double kernel(void)
{
    int at = 0;
    for (int i = 0; i < N; i++)
        follows[i] = (i * 5 + 3) % N;
    for (int i = 0; i < STEPS; i++)
        at = follows[at];
    return at;
}
