/* A fault many calls inside a recursion that a C compiler puts into itself: all calls are there, with their lines. */
#include <stdio.h>

static int parts[9] = {3, 1, 4, 1, 5, 9, 2, 0, 6};

static int divided(int n, int depth)
{
    if (n < 2)
        return n + 1;
    int first = divided(n - 1, depth + 1) / parts[(n + depth) % 9 ? 0 : 7];
    return first + divided(n - 2, depth + 1);
}

int main(void)
{
    for (int n = 0; n < 30; n++)
        printf("%d\n", divided(n, 0));
    return 0;
}
