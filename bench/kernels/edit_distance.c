/* edit_distance.c - how many letters two strings differ by: dynamic programming in one row, minimum of three. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4000 };
static char a[MOST + 1], b[MOST + 1];
static int row[MOST + 1];

static int distance(const char *from, const char *to, int n)
{
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; i <= n; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int changed = corner + (from[i - 1] != to[j - 1]), best = row[j] < row[j - 1] ? row[j] : row[j - 1];
            corner = row[j];
            row[j] = best + 1 < changed ? best + 1 : changed;
        }
    }
    return row[n];
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 20, n = argc > 2 ? atoi(argv[2]) : 3000;
    unsigned state = 1, checksum = 0;
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < n; i++) {
            state = state * 1664525 + 1013904223;
            a[i] = (char)('a' + (state >> 24) % 4);
            b[i] = (char)('a' + (state >> 16) % 4);
        }
        checksum = checksum * 31 + (unsigned)distance(a, b, n);
    }
    printf("%u\n", checksum);
    return 0;
}
