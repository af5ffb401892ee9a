/* edit_distance.c - edit distance of two strings: dynamic programming in one row, minimum of three. */
#include <stdio.h>
#include <stdlib.h>

#include "../calibration/shared/edit_distance.h"

enum { MOST = 4000 };
static char a[MOST + 1], b[MOST + 1];
static int row[MOST + 1];

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
        checksum = checksum * 31 + (unsigned)distance(a, n, b, n, row);
    }
    printf("%u\n", checksum);
    return 0;
}
