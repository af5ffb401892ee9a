/* Two names of one object: what is stored under one is read under the other. GNU attributes alias and weak, asm labels
 * (all of them beyond C11 6.2.2p2, by which different external identifiers are different objects). */
#include <stdio.h>

int row[10];
extern int same_row[10] __attribute__((alias("row")));
extern int third_name[10] __attribute__((alias("same_row")));

static int hidden;
extern int shown __attribute__((alias("hidden")));

int settled = 1;
extern int perhaps __attribute__((weak, alias("settled")));

int labelled;
extern int other_label __asm__("labelled");

extern int absent __attribute__((weak));

static int through_alias(int at)
{
    row[at] = 1;
    same_row[at] = 2;
    third_name[at + 1] = 3;
    return row[at] * 10 + row[at + 1];
}

static int through_static(void)
{
    hidden = 4;
    shown = 5;
    return hidden;
}

static int through_weak(void)
{
    settled = 6;
    perhaps = 7;
    return settled;
}

static int through_label(void)
{
    labelled = 8;
    other_label = 9;
    return labelled;
}

/* A load that no turn of the loop reaches must not move in front of it: its address is 0. */
static int of_nobody(int turns)
{
    int sum = 0;
    for (int i = 0; i < turns; i++)
        if (&absent)
            sum += absent;
    return sum;
}

/* The last value of a loop stays in memory, for the other name. */
static int loop(int turns)
{
    int sum = 0;
    for (int i = 0; i < turns; i++) {
        hidden = i;
        sum += shown;
        shown = -i;
        sum += 3 * hidden;
    }
    return sum;
}

int main(int argc, char **argv)
{
    (void)argv;
    printf("%d %d %d %d\n", through_alias(argc), through_static(), through_weak(), through_label());
    printf("%d %d\n", of_nobody(argc * 3), loop(argc * 5));
    return 0;
}
