/* One mistake for each argument; test_faults.py knows what must be said about it. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

struct point {
    int x, y;
};
static int table[10];
static const int primes[4] = {2, 3, 5, 7};

APART static int get(const int *from, long index)
{
    return from[index];
}
APART static void put(int *to, long index, int value)
{
    to[index] = value;
}
APART static int divide(int a, int b)
{
    return a / b;
}
APART static int weigh(struct point p, const struct point *q, const char *name, double scale, int *to)
{
    *to = p.x + q->y + name[0];
    return scale > 1;
}
APART static long deeper(long n)
{
    volatile char room[1000];
    room[n % 1000] = 1;
    return deeper(n + 1) + room[n % 1000];
}
APART static int never(int n)
{
    if (n > 0)
        return n;
    __builtin_unreachable();
}
APART static int *dangling(void)
{
    int here[4] = {1, 2, 3, 4}, *volatile way = here;
    return way;
}
APART static char *make(size_t size)
{
    return malloc(size);
}
APART static void drop(void *block)
{
    free(block);
}

static int accesses(const char *what, char *block, int *local)
{
    struct point a = {1, 2}, b = {3, 4};
    if (strcmp(what, "null-read") == 0)
        return get(NULL, 3);
    if (strcmp(what, "null-write") == 0)
        put(NULL, 0, 7);
    if (strcmp(what, "wild") == 0)
        return get((int *)0x123456789abc, 0);
    if (strcmp(what, "far-static") == 0)
        put(table, -1000000000, 1);
    if (strcmp(what, "far-heap") == 0)
        put((int *)block, 1000000, 1);
    if (strcmp(what, "far-stack") == 0)
        put(local, -(1 << 22), 1);
    if (strcmp(what, "constant") == 0)
        put((int *)primes, 1, 4);
    if (strcmp(what, "literal") == 0)
        strcpy((char *)"immutable", "x");
    if (strcmp(what, "arguments") == 0)
        return weigh(a, &b, "name", 2.5, NULL);
    if (strcmp(what, "printf") == 0)
        printf("%s\n", (char *)local + LONG_MAX / 2);
    if (strcmp(what, "strcpy") == 0)
        strcpy((char *)get((int *)table, 0), "text");
    return 0;
}

static int others(const char *what, char *block)
{
    int zero = table[3];
    if (strcmp(what, "divide") == 0)
        return divide(7, zero);
    if (strcmp(what, "remainder") == 0)
        return 7 % zero;
    if (strcmp(what, "overflow") == 0)
        return divide(INT_MIN, zero - 1);
    if (strcmp(what, "unreachable") == 0)
        return never(zero);
    if (strcmp(what, "trap") == 0)
        __builtin_trap();
    if (strcmp(what, "abort") == 0)
        abort();
    if (strcmp(what, "null-call") == 0)
        ((void (*)(void))(long)zero)();
    if (strcmp(what, "wild-call") == 0)
        ((void (*)(void))block)();
    if (strcmp(what, "stack") == 0)
        return (int)deeper(0);
    if (strcmp(what, "unaligned") == 0)
        return get((int *)(block + 1), 2);
    return 0;
}

static int heap(const char *what, char *block)
{
    if (strcmp(what, "past-read") == 0)
        return block[20];
    if (strcmp(what, "past-write") == 0)
        put((int *)block, 5, 1);
    if (strcmp(what, "across") == 0)
        return get((int *)(block + 2), 4);
    if (strcmp(what, "before") == 0)
        return get((int *)block, -1);
    if (strcmp(what, "freed-read") == 0) {
        drop(block);
        return get((int *)block, 2);
    }
    if (strcmp(what, "freed-write") == 0) {
        drop(block);
        put((int *)block, 2, make(20) != NULL);
    }
    if (strcmp(what, "freed-printf") == 0) {
        strcpy(block, "text");
        drop(block);
        printf("%s\n", block);
    }
    if (strcmp(what, "moved") == 0) {
        char *larger = realloc(block, 30);
        larger[0] = block[0];
    }
    if (strcmp(what, "memset") == 0)
        memset(block, 0, 21);
    if (strcmp(what, "sprintf") == 0)
        sprintf(block, "%020d", 1);
    if (strcmp(what, "free-twice") == 0)
        drop(block), drop(block);
    if (strcmp(what, "free-inside") == 0)
        drop(block + 4);
    if (strcmp(what, "free-static") == 0)
        drop(table + 1);
    if (strcmp(what, "dangling") == 0)
        return *dangling();
    return 0;
}

int main(int argc, char **argv)
{
    int local[4] = {0};
    const char *what = argc > 1 ? argv[1] : "";
    char *block = make(20);
    int result = accesses(what, block, local) + others(what, block) + heap(what, block);
    if (strcmp(what, "leak") != 0)
        free(block);
    printf("survived\n");
    return result != 0;
}
