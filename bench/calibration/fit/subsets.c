/* Subsets with a given sum, by recursion that stops early. */
enum { N = 22 };
static int weights[N], rest[N + 1];

static int choose(int i, int left)
{
    if (left == 0)
        return 1;
    if (i == N || left < 0 || left > rest[i])
        return 0;
    return choose(i + 1, left - weights[i]) + choose(i + 1, left);
}

double kernel(void)
{
    for (int i = 0; i < N; i++)
        weights[i] = 20 + i * i * 7 % 45;
    for (int i = N; i-- > 0;)
        rest[i] = weights[i] + rest[i + 1];
    return choose(0, 150);
}
