/* Linkage and attributes: constructors and destructors, weak symbols, aliases, inline in its forms, aligned objects. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int order[8], n_order;
__attribute__((constructor)) static void first(void) { order[n_order++] = 1; }
__attribute__((constructor)) static void second(void) { order[n_order++] = 2; }
__attribute__((destructor)) static void last(void) { printf("destructor 1\n"); }
__attribute__((destructor)) static void before_last(void) { printf("destructor 2\n"); }
static void at_exit(void) { printf("atexit\n"); }

__attribute__((weak)) int weak_function(void) { return 5; }
extern int missing(void) __attribute__((weak));
extern int missing_data __attribute__((weak));
__attribute__((weak)) int weak_data = 6;
int real_function(int x) { return x + 1; }
int other_name(int x) __attribute__((alias("real_function")));
int real_data[2] = {3, 4};
extern int data_alias[2] __attribute__((alias("real_data")));
static inline int small(int x) { return x * 2; }
inline int plain(int x) { return x * 3; }
extern inline int plain(int x);
int renamed(void) __asm__("another_name");
int renamed(void) { return 77; }

static _Alignas(64) char cache[10];
struct __attribute__((aligned(32))) Line { int v; };
static struct Line lines[2];

static int aligned_locals(int n)
{
    _Alignas(128) int a[3] = {1, 2, n};
    struct Line l = {n};
    _Alignas(256) char c = (char)n;
    int ok = (uintptr_t)a % 128 == 0 && (uintptr_t)&l % 32 == 0 && (uintptr_t)&c % 256 == 0;
    return n ? ok && aligned_locals(n - 1) && a[2] == n && l.v == n && c == n : ok;
}

static int shadow = 1;
static int scopes(void)
{
    int total = shadow;
    {
        extern int real_data[2];
        int shadow = 10;
        total += shadow + real_data[0];
        for (int shadow = 100; shadow < 101; shadow++)
            total += shadow;
    }
    return total + shadow;
}

static volatile int changing = 1;
static int reads(void)
{
    changing;
    int a = changing + changing;
    changing = a;
    return changing++ + changing;
}

int main(void)
{
    atexit(at_exit);
    printf("%d %d %d\n", n_order, order[0], order[1]);
    printf("%d %d %d %d\n", weak_function(), missing == NULL, &missing_data == NULL, weak_data);
    if (missing)
        missing();
    printf("%d %d %d\n", other_name(1), data_alias[1], data_alias == real_data);
    printf("%d %d %d\n", small(4), plain(5), renamed());
    printf("%d %d %d\n", (int)((uintptr_t)cache % 64), (int)((uintptr_t)lines % 32), (int)sizeof lines);
    printf("%d %d %d\n", aligned_locals(5), scopes(), reads());
}
