#include <stdlib.h>
#include <stdio.h>
static int cmp(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
int main(void)
{
    int v[4] = {3, 1, 4, 1};
    qsort(v, 4, sizeof *v, cmp);
    printf("%d\n", v[0]);
    return 0;
}
