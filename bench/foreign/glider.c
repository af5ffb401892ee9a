/* glider.c - the game of life on a torus of pointers to rows, neighbours counted with a remainder each. */
#include <stdio.h>
#include <stdlib.h>

static char **world, **other;
static int width, height;

static int alive(int y, int x)
{
    return world[(y + height) % height][(x + width) % width] == '#';
}

static int neighbours(int y, int x)
{
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dy || dx)
                n += alive(y + dy, x + dx);
    return n;
}

static int evolve(void)
{
    int living = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int n = neighbours(y, x);
            int lives = n == 3 || (n == 2 && alive(y, x));
            other[y][x] = lives ? '#' : '.';
            living += lives;
        }
    char **t = world;
    world = other;
    other = t;
    return living;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 600;
    width = argc > 2 ? atoi(argv[2]) : 120;
    height = width * 3 / 4;
    world = malloc(sizeof *world * (size_t)height);
    other = malloc(sizeof *other * (size_t)height);
    unsigned seed = 29;
    for (int y = 0; y < height; y++) {
        world[y] = malloc((size_t)width);
        other[y] = malloc((size_t)width);
        for (int x = 0; x < width; x++) {
            seed = seed * 1664525 + 1013904223;
            world[y][x] = seed >> 30 ? '.' : '#';
        }
    }
    long sum = 0;
    for (int t = 0; t < turns; t++)
        sum = sum * 3 % 1000003 + evolve();
    printf("%ld\n", sum);
    return 0;
}
