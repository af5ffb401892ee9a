/* A run that ends in a function with a frame, called by functions without: whatever ends inside, the stack comes back. With
 * a small stack, a frame that is lost each time soon shows. */
#include <stdio.h>

static int table[256], total;
static char *first;

static void work(int turns)
{
    int a[600], s = 0;
    for (int i = 0; i < 600; i++)
        a[i] = i ^ turns;
    for (int k = 0; k < turns; k++)
        for (int i = 1; i < 600; i++) {
            a[i] += a[i - 1] & table[i & 255];
            if (a[i] == -1)
                s++;
        }
    total += a[599] + s;
}

static void __attribute__((noinline)) where(int i)
{
    char c;
    if (!first)
        first = &c;
    printf("%d %d\n", i, (int)(first - &c));
}

static void __attribute__((noinline)) between(int i)
{
    for (int j = 0; j < 256; j++)
        table[j] += i;
    work(10 + i % 7);
    work(3);
}

/* calls itself last, which printed code makes a jump of, and something with a frame before */
static int __attribute__((noinline)) around(int i, int sum)
{
    if (i == 0)
        return sum;
    int a[64];
    for (int k = 0; k < 64; k++)
        a[k] = sum ^ k;
    between(a[i & 63] & 15);
    return around(i - 1, sum + a[i & 63]);
}

static int __attribute__((noinline)) last(int i, int sum)
{
    if (i == 0)
        return sum;
    work(2 + (i & 3));
    return last(i - 1, sum + i);
}

int main(void)
{
    for (int i = 0; i < 120; i++) {
        between(i);
        if (i % 20 == 19)
            where(i);
    }
    printf("%d\n", around(30, 5));
    where(1000);
    for (int i = 0; i < 6; i++)
        printf("%d\n", last(25, i));
    where(2000);
    printf("%d\n", total);
    return 0;
}
