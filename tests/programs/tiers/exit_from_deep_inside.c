/* exit() out of loops in loops in calls: buffers are flushed, atexit functions run (with loops of their own), the status is
 * the program's (7.22.4.4). */
#include <stdio.h>
#include <stdlib.h>

static int visits;

static void last_words(void)
{
    long sum = 0;
    for (int i = 0; i < 500; i++)
        sum += i * visits;
    printf("%d visits, %ld\n", visits, sum);
}

static void visit(int depth)
{
    for (int i = 0; i < 4; i++) {
        if (++visits == 3000)
            exit(37);
        if (depth)
            visit(depth - 1);
    }
}

int main(void)
{
    atexit(last_words);
    printf("not yet flushed");
    for (;;)
        visit(5);
}
