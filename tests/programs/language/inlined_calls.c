/* Inlining and taking objects apart change nothing that a program can see: structs by value and by address, results in
 * buffers, padding, bit-fields, unions, narrow types, unset variables in loops, recursion, several returns. */
#include <complex.h>
#include <stdio.h>
#include <string.h>
struct pair {
    float x, y;
};
struct wide {
    int a;
    struct pair v;
    char c;
    double d;
};
union number {
    int i;
    float f;
};
struct padded {
    char c;
    int i;
};
struct bits {
    unsigned a : 3, b : 7;
    int c : 9;
};
static struct pair add(struct pair a, struct pair b)
{
    return (struct pair){a.x + b.x, a.y + b.y};
}
static struct pair scale(const struct pair *a, float k)
{
    struct pair r = *a;
    r.x *= k;
    r.y *= k;
    return r;
}
static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}
static inline int divide(int a, int b, int *rest)
{
    if (rest)
        *rest = a % b;
    return a / b;
}
static struct wide make(int n)
{
    struct wide w = {n, {(float)n, (float)n + 1}, (char)n, n * 2.0};
    return w;
}
static double complex turn(double complex z)
{
    return z * I;
}
static int picture(float f)
{
    union number u;
    u.f = f;
    return u.i;
}
static unsigned char low(int x)
{
    unsigned char b[4];
    b[0] = (unsigned char)x;
    b[1] = (unsigned char)(x >> 8);
    b[2] = 7;
    b[3] = (unsigned char)(b[0] + b[1]);
    return b[3];
}
static struct padded next(const struct padded *p)
{
    struct padded q = *p;
    q.i++;
    return q;
}
static struct bits fields(int x)
{
    struct bits b = {(unsigned)x & 7, (unsigned)x & 127, x};
    b.c -= 3;
    return b;
}
static int sum(const int *v, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}
static int sometimes(int k)
{
    int x;
    if (k & 1)
        x = k;
    if (k > 2)
        x = 100;
    return k & 1 ? x : k > 2 ? x + 1 : -1;
}
static int factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
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
static int kind(int c)
{
    switch (c) {
    case 'a': return 1;
    case 'b': return 2;
    case 'c': return 3;
    case 'd': return 4;
    case 'e': return 5;
    default: break;
    }
    for (int i = 0; i < 3; i++)
        if (c == i)
            return i + 10;
    return -1;
}
__attribute__((always_inline)) static inline int counted(void)
{
    static int calls;
    return ++calls;
}
__attribute__((noinline)) static int apart(int x)
{
    return x + counted();
}
int main(int argc, char **argv)
{
    static struct pair table[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    (void)argv;
    struct pair s = {0, 0};
    for (int i = 0; i < 4; i++) {
        s = add(s, table[i]);
        s = scale(&s, 0.5f);
        table[i] = s;
    }
    printf("%g %g %g\n", s.x, s.y, table[2].x);
    int a = argc, b = 9, rest = -1;
    swap(&a, &b);
    int quotient = divide(17, 5, &rest), other = divide(9, 2, NULL);
    printf("%d %d, %d %d %d\n", a, b, quotient, rest, other);
    struct wide w = make(argc + 300), copy = w;
    copy.v = add(w.v, copy.v);
    copy.c++;
    printf("%d %g %g %d %g, %d\n", copy.a, copy.v.x, copy.v.y, copy.c, copy.d, w.c);
    double complex z = turn(1 + 2 * I);
    printf("%g %g %d %d\n", creal(z), cimag(z), picture(1.5f), low(0x1234));
    struct padded p, q;
    memset(&p, 0x55, sizeof p);
    p.c = 1;
    p.i = 2;
    q = next(&p);
    const unsigned char *raw = (const unsigned char *)&q;
    printf("%d %d %02x\n", q.c, q.i, raw[4]);
    struct bits f = fields(argc + 100);
    printf("%u %u %d\n", f.a, f.b, f.c);
    int values[3] = {argc, 2, 3};
    values[1] += values[0];
    printf("%d\n", sum(values, 3));
    for (int i = 0; i < 6; i++)
        printf("%d ", sometimes(i));
    signed char small[2];
    small[0] = (signed char)(argc + 200);
    small[1] = (signed char)(small[0] >> 1);
    unsigned short narrow[2] = {(unsigned short)(argc - 5), 0};
    narrow[1] = narrow[0] >> 3;
    printf("%d %d %d\n", small[1], narrow[0], narrow[1]);
    printf("%d %d %d\n", factorial(5), even(10), odd(10));
    for (int c = 'a' - 1; c < 'a' + 6; c++)
        printf("%d ", kind(c));
    printf("%d\n", kind(argc));
    int first = apart(10), second = apart(20);
    printf("%d %d %d\n", first, second, counted());
    return 0;
}
