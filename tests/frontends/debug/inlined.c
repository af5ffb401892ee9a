/* For inlined.cmd: functions that are inlined at -O2, and a struct that is kept in registers. */
#include <stdio.h>

struct point {
    int x, y, unused;
};
static int counter, seed = 5;

static void bump(void)
{
    counter += seed;
    printf("bump\n");
}

static void bump_twice(void)
{
    bump();
    bump();
    counter++;
}

static int measure(void)
{
    struct point p = {seed + 1, seed + 2, 0};
    p.unused = 9;
    bump();
    return p.x * p.y;
}

int main(void)
{
    printf("start\n");
    bump_twice();
    counter += measure();
    printf("%d\n", counter);
    return 0;
}
