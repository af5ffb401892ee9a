/* The thousandth call through a pointer finds no function there. */
#include <stdio.h>

static long one(long x)
{
    return x + 1;
}

static long apply(long (*const *functions)(long), int n)
{
    long x = 0;
    for (int i = 0; i < n; i++)
        x = functions[i](x) * 2 % 10007;
    return x;
}

int main(void)
{
    static long (*functions[1001])(long);
    for (int i = 0; i < 1000; i++)
        functions[i] = one;
    functions[1000] = (long (*)(long))0x1234567;
    printf("%ld\n", apply(functions, 1000));
    fflush(stdout);
    printf("%ld\n", apply(functions, 1001));
}
