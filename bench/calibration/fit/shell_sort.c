/* Shell sort of doubles. */
enum { N = 3000 };
static double numbers[N];

double kernel(void)
{
    unsigned state = 99;
    for (int i = 0; i < N; i++) {
        state = state * 1103515245u + 12345u;
        numbers[i] = state / 65536.0;
    }
    for (int gap = 1093; gap > 0; gap /= 3)
        for (int i = gap; i < N; i++) {
            double value = numbers[i];
            int j = i;
            for (; j >= gap && numbers[j - gap] > value; j -= gap)
                numbers[j] = numbers[j - gap];
            numbers[j] = value;
        }
    return numbers[N / 2];
}
