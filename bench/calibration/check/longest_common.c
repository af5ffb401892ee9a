/* The longest common subsequence of two sequences, and its length. */
enum { A = 130, B = 120 };
static unsigned char a[A], b[B], common[A];
static unsigned short length[A + 1][B + 1];

double kernel(void)
{
    for (int i = 0; i < A; i++)
        a[i] = (unsigned char)(i * i % 5 + i % 3);
    for (int j = 0; j < B; j++)
        b[j] = (unsigned char)(j * 7 % 6);
    for (int i = 1; i <= A; i++)
        for (int j = 1; j <= B; j++)
            if (a[i - 1] == b[j - 1])
                length[i][j] = (unsigned short)(length[i - 1][j - 1] + 1);
            else
                length[i][j] = length[i - 1][j] > length[i][j - 1] ? length[i - 1][j] : length[i][j - 1];
    int n = length[A][B];
    for (int i = A, j = B; i > 0 && j > 0;)
        if (a[i - 1] == b[j - 1]) {
            common[--n] = a[--i];
            j--;
        } else if (length[i - 1][j] >= length[i][j - 1]) {
            i--;
        } else {
            j--;
        }
    return length[A][B] + common[0];
}
