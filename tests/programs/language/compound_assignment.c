/* op= and ++ on every kind of lvalue, computed in the common type (C11 6.5.16.2). */
#include <stdio.h>

#define TRY(T, F, start, op, by)                                                                                       \
    do {                                                                                                               \
        T x = start;                                                                                                   \
        T *p = &x;                                                                                                     \
        T y = start;                                                                                                   \
        *p op by;                                                                                                      \
        T z = y op by;                                                                                                 \
        printf(#T " " #op " " #by ": " F " " F " " F "\n", x, y, z);                                                   \
    } while (0)

#define INTEGERS(op, by)                                                                                               \
    TRY(signed char, "%d", 100, op, by);                                                                               \
    TRY(unsigned char, "%d", 200, op, by);                                                                             \
    TRY(short, "%d", 30000, op, by);                                                                                   \
    TRY(unsigned short, "%d", 60000, op, by);                                                                          \
    TRY(int, "%d", 100000, op, by);                                                                                    \
    TRY(unsigned, "%u", 3000000000u, op, by);                                                                          \
    TRY(long, "%ld", 1L << 40, op, by);                                                                                \
    TRY(unsigned long, "%lu", 1UL << 63, op, by)

#define REALS(op, by)                                                                                                  \
    TRY(float, "%.9g", 0.1f, op, by);                                                                                  \
    TRY(double, "%.17g", 0.1, op, by)

struct S { int i; double d; unsigned char c; int *p; int a[4]; };
static int g = 5;
static double gd = 1.5;
static unsigned char gc = 250;
static int garray[5] = {1, 2, 3, 4, 5};

static int *where(int *calls)
{
    ++*calls;
    return &garray[2];
}

int main(void)
{
    INTEGERS(+=, 77);
    INTEGERS(-=, 123);
    INTEGERS(*=, 3);
    INTEGERS(/=, 7);
    INTEGERS(%=, 13);
    INTEGERS(&=, 0xf5);
    INTEGERS(|=, 0x0a);
    INTEGERS(^=, 0xff);
    INTEGERS(<<=, 3);
    INTEGERS(>>=, 2);
    INTEGERS(+=, 0.75);
    INTEGERS(*=, 1.5);
    INTEGERS(-=, 1L);
    REALS(+=, 1);
    REALS(-=, 0.2f);
    REALS(*=, 3L);
    REALS(/=, 3.0);
    int calls = 0;
    *where(&calls) += 10;
    (*where(&calls))++;
    --*where(&calls);
    printf("%d %d\n", garray[2], calls);
    struct S s = {1, 2.5, 255, garray, {1, 2, 3, 4}}, *p = &s;
    p->i <<= 4;
    s.d *= p->i;
    p->c++;
    p->c -= 2;
    p->p += 2;
    *p->p++ += 100;
    p->a[p->i & 3]--;
    s.a[1] ^= s.a[2] |= 8;
    printf("%d %g %d %d %d %d %d\n", s.i, s.d, s.c, *p->p, garray[2], s.a[0], s.a[1]);
    g += 2, gd /= 4, gc += 10;
    printf("%d %g %d\n", g, gd, gc);
    char *text = "compound", *t = text;
    t += 3;
    t -= 1;
    printf("%c", *t++);
    printf("%c", *++t);
    printf("%c %ld\n", *--t, (long)(t - text));
    float f = 3;
    f++;
    double d = f--;
    ++d;
    printf("%g %g\n", f, d);
    long l = 5;
    l += 3.99;
    printf("%ld\n", l);
    int shift = 1;
    shift <<= 31UL;
    printf("%d\n", shift);
    return 0;
}
