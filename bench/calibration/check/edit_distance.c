/* Edit distance of two strings, by dynamic programming. */
enum { N = 150, M = 160 };
static char a[N], b[M];
static int row[M + 1];

double kernel(void)
{
    for (int i = 0; i < N; i++)
        a[i] = (char)('a' + i * i % 7);
    for (int j = 0; j < M; j++)
        b[j] = (char)('a' + j * 3 % 7);
    for (int j = 0; j <= M; j++)
        row[j] = j;
    for (int i = 1; i <= N; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= M; j++) {
            int best = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[M];
}
