/* A loop's bound, step or base changes while it runs: by itself, through a pointer that may be the bound, by a call. */
#include <stdio.h>

static int limit = 100;
static int cells[400];

static void widen(int i)
{
    if (i % 50 == 49 && limit < 350)
        limit += 60;
}

static long by_store(int *bound, int *data)
{
    long n = 0;
    for (int i = 0; i < *bound; i++) {
        data[i] = i < 5 ? 120 : 7; /* data may be bound */
        n += *bound;
    }
    return n;
}

static long by_self(int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++) {
        sum += i;
        if (i % 3 == 0)
            n--;
        if (i == 40)
            n += 500;
    }
    return sum;
}

static long by_step(int n)
{
    long sum = 0;
    for (int i = 0, step = 1; i < n; i += step) {
        sum = sum * 7 + i;
        step = step * 2 % 11;
        if (sum & 1)
            i--;
    }
    return sum;
}

static long by_type_puns(long n)
{
    union {
        long all;
        unsigned char part[8];
    } bound = {n};
    long sum = 0;
    for (long i = 0; i < bound.all; i++) {
        if (i == 20)
            bound.part[1] = 3;
        sum += bound.part[0] + bound.all;
    }
    return sum;
}

int main(void)
{
    long n = 0;
    for (int i = 0; i < limit; i++) {
        widen(i);
        n += limit;
    }
    printf("%d %ld\n", limit, n);
    int bound = 60;
    printf("%ld\n", by_store(&bound, cells));
    cells[3] = 60;
    printf("%ld\n", by_store(&cells[3], cells));
    cells[70] = 300;
    printf("%ld\n", by_store(&cells[70], cells));
    printf("%ld %ld %ld\n", by_self(300), by_step(900), by_type_puns(100));
}
