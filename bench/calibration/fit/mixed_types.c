/* Converts integers to floating point and back: scaling and quantising samples. */
enum { N = 4000, TURNS = 8 };
static short samples[N];
static float scaled[N];

double kernel(void)
{
    long sum = 0;
    for (int i = 0; i < N; i++)
        samples[i] = (short)(i * 31 % 20000 - 10000);
    for (int t = 0; t < TURNS; t++)
        for (int i = 0; i < N; i++) {
            scaled[i] = samples[i] * 0.75f;
            double value = scaled[i] * 1.25 + 0.5;
            samples[i] = (short)(int)value;
            sum += samples[i];
        }
    return (double)sum;
}
