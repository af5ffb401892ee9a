/* life.c - Conway's game on a torus of bytes: eight neighbouring byte loads, integer sums, a rule. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 256 };
static unsigned char world[2][MOST][MOST];

static void generation(unsigned char (*now)[MOST], unsigned char (*next)[MOST], int n)
{
    for (int i = 0; i < n; i++) {
        const unsigned char *above = now[i ? i - 1 : n - 1], *here = now[i], *below = now[i < n - 1 ? i + 1 : 0];
        for (int j = 0; j < n; j++) {
            int left = j ? j - 1 : n - 1, right = j < n - 1 ? j + 1 : 0;
            int neighbours = above[left] + above[j] + above[right] + here[left] + here[right] + below[left] + below[j] +
                             below[right];
            next[i][j] = neighbours == 3 || (neighbours == 2 && here[j]);
        }
    }
}

int main(int argc, char **argv)
{
    int generations = argc > 1 ? atoi(argv[1]) : 1500, n = argc > 2 ? atoi(argv[2]) : 240;
    unsigned state = 7;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            state = state * 1664525 + 1013904223;
            world[0][i][j] = state >> 30 == 0;
        }
    for (int g = 0; g < generations; g++)
        generation(world[g % 2], world[1 - g % 2], n);
    int alive = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            alive += world[generations % 2][i][j];
    printf("%d\n", alive);
    return 0;
}
