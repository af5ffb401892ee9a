/* Alignment score of two strands (Smith and Waterman), with costs for gaps. */
enum { A = 120, B = 130 };
static char a[A + 1], b[B + 1];
static int score[A + 1][B + 1];

double kernel(void)
{
    unsigned state = 2;
    for (int i = 0; i < A; i++) {
        state = state * 1103515245u + 12345u;
        a[i] = "ACGT"[state >> 20 & 3];
    }
    for (int j = 0; j < B; j++) {
        state = state * 1103515245u + 12345u;
        b[j] = "ACGT"[state >> 20 & 3];
    }
    int best = 0;
    for (int i = 1; i <= A; i++)
        for (int j = 1; j <= B; j++) {
            int s = score[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 3 : -2);
            if (score[i - 1][j] - 2 > s)
                s = score[i - 1][j] - 2;
            if (score[i][j - 1] - 2 > s)
                s = score[i][j - 1] - 2;
            score[i][j] = s > 0 ? s : 0;
            if (score[i][j] > best)
                best = score[i][j];
        }
    return best;
}
