/* Products of small matrices, whose loops compilers unroll, and their determinants. */
enum { N = 4, COUNT = 60, TURNS = 4 };
static double all[COUNT][N][N];

static void multiply(double c[N][N], double a[N][N], double b[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0.0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static double determinant(double m[N][N])
{
    double a = m[0][0] * m[1][1] - m[0][1] * m[1][0], b = m[0][0] * m[1][2] - m[0][2] * m[1][0];
    double c = m[0][1] * m[1][2] - m[0][2] * m[1][1], d = m[2][0] * m[3][1] - m[2][1] * m[3][0];
    return a * d + b * (m[2][3] - m[3][3]) - c * (m[2][2] + m[3][2]);
}

double kernel(void)
{
    double sum = 0.0;
    for (int n = 0; n < COUNT; n++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                all[n][i][j] = (i == j) + 0.01 * ((n + i * j) % 7);
    for (int t = 0; t < TURNS; t++)
        for (int n = 0; n + 2 < COUNT; n++) {
            multiply(all[n + 2], all[n], all[n + 1]);
            sum += determinant(all[n + 2]);
            all[n + 2][t][t] = 1.0;
        }
    return sum;
}
