/* Calls without a prototype in scope (C11 6.5.2.2p6): a callee that looks at fewer arguments ignores the others, one
 * that wants more finds 0 in ours, and a variadic one finds them all, through pointers and directly. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
    long first, second;
};

static void nothing()
{
    puts("nothing");
}

static int add(int a, int b)
{
    return a + b;
}

static int old(a, b, c)
int a;
char b;
double c;
{
    return a * 100 + b * 10 + (int)c;
}

static struct pair make(long first, struct pair rest)
{
    return (struct pair){first, rest.first + rest.second};
}

static double total(int n, ...)
{
    va_list list;
    double sum = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        sum += i % 2 ? va_arg(list, double) : va_arg(list, int);
    va_end(list);
    return sum;
}

static long pairs(struct pair first, ...)
{
    va_list list;
    va_start(list, first);
    struct pair second = va_arg(list, struct pair);
    long third = va_arg(list, long);
    va_end(list);
    return first.first * 1000 + first.second * 100 + second.first * 10 + second.second + third;
}

/* Enough calls between that nothing is left in registers by chance. */
static int deep(int n, ...)
{
    int (*self)() = deep;
    return n == 0 ? 0 : 1 + self(n - 1, n, n, n);
}

static int by_value(a, b)
const void *a, *b;
{
    return *(const int *)a - *(const int *)b;
}

int (*table[])() = {add, old, abs, atoi};

int main(void)
{
    void (*quiet)() = nothing;
    quiet(1, 2.5, "three");
    nothing(1, 2);
    int (*sum)() = add;
    printf("%d %d %d\n", sum(3, 4), sum(3, 4, 5, 6.0), sum(3));
    int (*older)() = old;
    printf("%d %d\n", older(1, 2, 3.0), old(4, 5, 6.0, 7, 8));
    struct pair (*making)() = make;
    struct pair some = {2, 3}, made = making(1L, some, 9);
    printf("%ld %ld\n", made.first, made.second);
    double (*totals)() = total;
    printf("%g %g %g\n", totals(0), totals(3, 1, 2.5f, 3), totals(6, 1, 2.0, 3, 4.0, 5, 6.5));
    long (*sums)() = pairs;
    printf("%ld\n", sums(some, (struct pair){4, 5}, 60000L));
    printf("%d\n", deep(200));
    int (*print)() = printf;
    print("%d %s %g %c\n", 7, "seven", 7.5, '7');
    print("plain\n");
    char text[40];
    int (*format)() = snprintf;
    format(text, sizeof text, "<%d>", 12);
    puts(text);
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
        printf("%d\n", i < 3 ? table[i](-4, 3, 2.0, 99) : table[i]("-44", 1));
    int numbers[] = {5, 2, 9, 1}, (*order)() = by_value;
    qsort(numbers, 4, sizeof numbers[0], order);
    printf("%d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);
    /* a variadic type for what is not variadic */
    int (*open_ended)(int, ...) = (int (*)(int, ...))(void (*)(void))add;
    printf("%d %d\n", open_ended(8, 9), open_ended(8, 9, 10));
    return 0;
}
