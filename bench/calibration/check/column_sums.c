/* Means and deviations of the columns of a table, and its values standardised. */
#include <math.h>
enum { ROWS = 300, COLUMNS = 12 };
static float table[ROWS][COLUMNS];

double kernel(void)
{
    unsigned state = 12;
    double check = 0.0;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            state = state * 1103515245u + 12345u;
            table[r][c] = (float)(state >> 16 & 1023) * 0.25f;
        }
    for (int c = 0; c < COLUMNS; c++) {
        double sum = 0.0, squares = 0.0;
        for (int r = 0; r < ROWS; r++) {
            sum += table[r][c];
            squares += (double)table[r][c] * table[r][c];
        }
        double mean = sum / ROWS, deviation = sqrt(squares / ROWS - mean * mean);
        for (int r = 0; r < ROWS; r++)
            table[r][c] = (float)((table[r][c] - mean) / deviation);
        check += table[c][c];
    }
    return check;
}
