/* All permutations of a few numbers, by recursion and exchange. */
enum { N = 7 };
static int order[N];
static long sum;

static void permute(int from)
{
    if (from == N) {
        sum += order[0] * 3 + order[N - 1];
        return;
    }
    for (int i = from; i < N; i++) {
        int keep = order[from];
        order[from] = order[i];
        order[i] = keep;
        permute(from + 1);
        order[i] = order[from];
        order[from] = keep;
    }
}

double kernel(void)
{
    sum = 0;
    for (int i = 0; i < N; i++)
        order[i] = i;
    permute(0);
    return (double)sum;
}
