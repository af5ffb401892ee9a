/* A fault below functions that call themselves last: all their frames are there, with their arguments. */
#include <stdio.h>

static int read_at(const int *place, int n)
{
    if (n == 0)
        return *place;
    if (n % 2)
        return read_at(place + 1, n - 1);
    return read_at(place - 1, n - 1);
}

int main(void)
{
    int here = 5;
    for (int i = 0; i < 100; i++)
        printf("%d", read_at(&here, 10));
    printf("\n");
    return read_at(0, 6);
}
