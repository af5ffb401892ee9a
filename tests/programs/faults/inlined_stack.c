/* The call stack of a fault is the same at every optimisation level: functions that were inlined are in it. */
#include <stdio.h>
struct point {
    int x, y;
};
static inline int first(const int *values)
{
    return values[0];
}
static int sum(const struct point *p, const int *values)
{
    int total = p->x + p->y;
    return total + first(values);
}
static int only_call(const int *values)
{
    struct point p = {1, 2};
    int result = sum(&p, values);
    return result + 1;
}
int main(int argc, char **argv)
{
    int here[] = {7};
    (void)argv;
    printf("%d\n", only_call(here));
    const int *nowhere = argc > 100 ? here : NULL;
    printf("%d\n",
           only_call(nowhere));
    return 0;
}
