/* Parses a table of comma-separated numbers and sums it by columns. */
#include <stdio.h>
#include <string.h>
enum { ROWS = 150, COLUMNS = 6, MOST = 16384 };
static char text[MOST];
static int length;
static double sums[COLUMNS];

static const char *number(const char *at, double *value)
{
    int negative = *at == '-';
    double v = 0.0, scale = 1.0;
    if (negative)
        at++;
    while (*at >= '0' && *at <= '9')
        v = 10.0 * v + (*at++ - '0');
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++) {
            scale *= 0.1;
            v += scale * (*at - '0');
        }
    *value = negative ? -v : v;
    return at;
}

double kernel(void)
{
    if (!length)
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLUMNS; c++)
                length += snprintf(text + length, MOST - (size_t)length, "%d.%02d%c", r * 7919 * (c + 1) % 2001 - 1000,
                                   (r * 31 + c) % 100, c + 1 < COLUMNS ? ',' : '\n');
    const char *at = text;
    memset(sums, 0, sizeof sums);
    for (int column = 0; *at; at++) {
        double value;
        at = number(at, &value);
        sums[column] += value;
        column = *at == '\n' ? 0 : column + 1;
    }
    return sums[0] + sums[COLUMNS - 1];
}
