/* Rotates points by 3 x 3 matrices. */
enum { N = 600, TURNS = 10 };
static double points[N][3], turned[N][3];

static void turn(double matrix[3][3], double (*from)[3], double (*to)[3], int n)
{
    for (int p = 0; p < n; p++)
        for (int i = 0; i < 3; i++)
            to[p][i] = matrix[i][0] * from[p][0] + matrix[i][1] * from[p][1] + matrix[i][2] * from[p][2];
}

double kernel(void)
{
    double matrix[3][3] = {{0.8, -0.6, 0.0}, {0.6, 0.8, 0.0}, {0.0, 0.0, 1.0}};
    for (int p = 0; p < N; p++)
        for (int i = 0; i < 3; i++)
            points[p][i] = p % (i + 5);
    for (int t = 0; t < TURNS; t++) {
        turn(matrix, points, turned, N);
        turn(matrix, turned, points, N);
    }
    return points[N / 2][0];
}
