/* The quotient that has no place, LONG_MIN / -1, as the 500th of a loop; remainders before it are right (6.5.5p6). */
#include <limits.h>
#include <stdio.h>

static long remainders(long dividend, const long *divisors, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 3 + dividend % divisors[i] + dividend / divisors[i];
    return sum;
}

int main(void)
{
    static long divisors[1000];
    for (int i = 0; i < 1000; i++)
        divisors[i] = i == 500 ? -1 : i % 2 ? i + 1 : -i - 2;
    printf("%ld\n", remainders(LONG_MIN + 1, divisors, 1000));
    printf("%ld\n", remainders(LONG_MIN, divisors, 500));
    fflush(stdout);
    printf("%ld\n", remainders(LONG_MIN, divisors, 1000));
}
