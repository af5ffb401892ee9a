/* Division by zero in the middle of a loop: what the loop stored before is there, nothing after it. */
#include <stdio.h>
#include <stdlib.h>

static int quotients[1000], divisors[1000];

static void divide_all(int n)
{
    for (int i = 0; i < n; i++) {
        if (i % 100 == 0)
            printf("%d\n", i);
        quotients[i] = 100000 / divisors[i];
    }
}

int main(void)
{
    for (int i = 0; i < 1000; i++)
        divisors[i] = 777 - i;
    divide_all(777);
    printf("%d\n", quotients[776]);
    divide_all(1000);
}
