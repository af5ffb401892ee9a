/* Conversions from integers to floating point and back that do not wait for each other. */
enum { N = 600, TURNS = 6 };
static int whole[N];
static double parts[N];
static volatile int size = N;

double kernel(void)
{
    int n = size;
    for (int i = 0; i < N; i++)
        whole[i] = i;
    for (int t = 0; t < TURNS; t++) {
        for (int i = 0; i < n; i++)
            parts[i] = whole[i];
        for (int i = 0; i < n; i++)
            whole[i] = (int)parts[n - 1 - i];
    }
    return whole[3];
}
