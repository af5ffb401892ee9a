/* Functions that call themselves last, directly and in circles, deeper than any log of frames of native code goes; what they
 * compute and what it costs are the interpreter's. */
#include <stdio.h>
#include <time.h>

static long count(long n, long sum)
{
    if (n == 0)
        return sum;
    if (n % 3 == 0)
        return count(n - 1, sum + 2);
    return count(n - 1, sum + 1);
}

static unsigned gcd(unsigned a, unsigned b)
{
    return b ? gcd(b, a % b) : a;
}

static int moves;
static void hanoi(int n, int from, int to, int over)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, over, to);
    moves += from * to;
    hanoi(n - 1, over, to, from);
}

static int odd(int n);
static int even(int n)
{
    return n == 0 ? 1 : odd(n - 1);
}
static int odd(int n)
{
    return n == 0 ? 0 : even(n - 1);
}

static int (*through)(int, int);
static int pointed(int n, int x)
{
    return n == 0 ? x : through(n - 1, x * 3 + 1);
}

static int clocked(int n)
{
    return n == 0 ? (int)(clock() > 0) : clocked(n - 1);
}

int main(void)
{
    through = pointed;
    printf("%ld %u\n", count(300000, 0), gcd(1134903170, 701408733));
    for (int i = 0; i < 3; i++)
        hanoi(14, 1, 2, 3);
    printf("%d %d %d\n", moves, even(100001), odd(70001));
    printf("%d %d\n", pointed(5000, 1), clocked(20000));
    printf("%d\n", clock() > 1000);
    return 0;
}
