/* Counters in memory: each iteration loads what the one before has stored. */
enum { N = 8, STEPS = 8000 };
static long counters[N];
static volatile int which = 3;

double kernel(void)
{
    int a = which;
    for (int i = 0; i < N; i++)
        counters[i] = i;
    for (int i = 0; i < STEPS; i++) {
        long value = counters[a];
        counters[a] = value + 3;
        counters[a + 1] += value & i;
    }
    return (double)counters[4];
}
