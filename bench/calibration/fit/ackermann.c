/* Ackermann's function with a table of known values. */
enum { ROWS = 3, COLUMNS = 600 };
static int known[ROWS][COLUMNS];

static int value(int m, int n)
{
    if (n < COLUMNS && known[m][n])
        return known[m][n];
    int result = m == 0 ? n + 1 : n == 0 ? value(m - 1, 1) : value(m - 1, value(m, n - 1));
    if (n < COLUMNS)
        known[m][n] = result;
    return result;
}

double kernel(void)
{
    for (int m = 0; m < ROWS; m++)
        for (int n = 0; n < COLUMNS; n++)
            known[m][n] = 0;
    long sum = 0;
    for (int n = 0; n < 200; n++)
        sum += value(2, n);
    return (double)sum;
}
