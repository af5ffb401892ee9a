/* Sparse matrix times vector, compressed rows. */
enum { ROWS = 600, PER_ROW = 9, TURNS = 12 };
static double values[ROWS * PER_ROW], x[ROWS], y[ROWS];
static int columns[ROWS * PER_ROW], starts[ROWS + 1];

static void multiply(int rows, const int *start, const int *column, const double *value, const double *from, double *to)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * from[column[k]];
        to[i] = sum;
    }
}

double kernel(void)
{
    int n = 0;
    for (int i = 0; i < ROWS; i++) {
        starts[i] = n;
        for (int k = 0; k < PER_ROW - i % 4; k++, n++) {
            columns[n] = (i * 7 + k * 83) % ROWS;
            values[n] = 1.0 / (k + 1);
        }
        x[i] = i;
    }
    starts[ROWS] = n;
    for (int t = 0; t < TURNS; t++) {
        multiply(ROWS, starts, columns, values, x, y);
        multiply(ROWS, starts, columns, values, y, x);
    }
    return x[ROWS / 2];
}
