/* Distances of labels in static tables (GNU); case ranges of unsigned long beyond LONG_MAX; lengths of array parameters
 * are evaluated for what they do (6.9.1p10); alignment asked of a variable. */
#include <stdio.h>

static int walk(int state)
{
    static const int short_table[] = {&&zero - &&zero, &&one - &&zero, &&two - &&zero};
    static const long long_table[] = {(char *)&&two - (char *)&&zero};
    int n = 0;
    goto *(&&zero + short_table[state]);
zero:
    n += 1;
one:
    n += 10;
two:
    n += 100;
    return n + (long_table[0] == short_table[2]);
}

static int where(unsigned long x)
{
    switch (x) {
    case 0 ... 9: return 1;
    case 1000000000000000000ul ... 9999999999999999999ul: return 2;
    case 18446744073709551615ul: return 3;
    default: return 4;
    }
}

static int parameters(int a, int b[a++], int c, int d[][c++])
{
    return a * 100 + c * 10 + (int)(sizeof d[0] / sizeof(int));
}

static _Alignas(64) char aligned_variable;

int main(void)
{
    int e[10];
    printf("%d %d %d\n", walk(0), walk(1), walk(2));
    printf("%d %d %d %d %d\n", where(9), where(10), where(9000000000000000000ul), where(9999999999999999999ul),
           where(-1ul));
    printf("%d %zu\n", parameters(1, e, 4, (void *)e), __alignof__(aligned_variable));
    return 0;
}
