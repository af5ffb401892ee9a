/* __int128: arithmetic, division, shifts, conversions, comparisons, calls, variable arguments, members, initialisers;
 * what gcc on x86-64 computes. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
typedef unsigned __int128 u128;
typedef __int128 i128;
static void show(const char *s, u128 x)
{
    printf("%s %016lx%016lx\n", s, (unsigned long)(x >> 64), (unsigned long)x);
}
struct S {
    char c;
    __int128_t w;
    int i;
};
static i128 f(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    i128 r = 0;
    for (int i = 0; i < n; i++) {
        r += va_arg(ap, i128);
        r += va_arg(ap, int);
    }
    va_end(ap);
    return r;
}
static struct S g(struct S s, i128 d)
{
    s.w += d;
    s.i++;
    return s;
}
i128 glob = (i128)1 << 100;
u128 arr[3] = {1, -1, ((u128)5 << 64) | 7};
static const struct S cs = {1, (i128)-3, 4};
int main(int argc, char **argv)
{
    i128 a = 0x123456789abcdef0;
    a = a * a * 3;
    u128 b = (u128)-1;
    show("a", a);
    show("-a", -a);
    show("~a", ~a);
    show("b", b);
    show("b>>3", b >> 3);
    show("a<<argc", a << argc);
    show("a<<70", a << 70);
    show("sar", (-a) >> (argc * 65));
    show("div", a / 1234567);
    show("div2", a / ((i128)0xffffffffffff * argc << 30));
    show("mod", -a % 987654321987);
    show("udiv", b / 3);
    show("umod", b % ((u128)argc << 90 | 12345));
    printf("%d %d %d %d %d\n", a<0, -a<0, a>(i128) b, (u128)a> b, a == a);
    printf("%.17g %.17g %.9g %.17g\n", (double)a, (double)-a, (float)b, (double)(b - argc));
    show("fromd", (i128)1e30);
    show("fromd", (i128)(-1.5e20 * argc));
    show("fromu", (u128)3e38);
    show("glob", glob);
    show("arr1", arr[1]);
    show("arr2", arr[2]);
    show("cs", cs.w);
    show("va", f(3, (i128)1 << 80, 5, (i128)2, 6, (i128)-1, 7));
    struct S s = {.w = 5};
    s = g(s, -((i128)1 << 70));
    show("s.w", s.w);
    printf("%d %d %d\n", s.i, (int)sizeof s, (int)_Alignof(i128));
    i128 x = 5;
    show("x++", x++);
    show("++x", ++x);
    x -= 100;
    show("x", x);
    x *= 1.5;
    show("x", x);
    x >>= 1;
    show("x>>", x);
    x <<= 3;
    show("x<<", x);
    x /= 3;
    show("x/", x);
    x %= 7;
    show("x%", x);
    x |= (i128)1 << 99;
    x &= ~(i128)0 >> 2;
    x ^= 5;
    show("x", x);
    int i = 7;
    i += x;
    printf("%d\n", i);
    double d = 2.5;
    d *= x;
    printf("%.17g\n", d);
    printf("%d %d %d\n", !x, x && 1, x ? 3 : 4);
    i128 y = x ?: 5;
    show("y", y);
    y = argc > 5 ? x : b;
    show("y", y);
    i128 m[4];
    for (int k = 0; k < 4; k++)
        m[k] = k;
    int k = 0;
    m[k++] += 5;
    m[k++]++;
    show("m0", m[0]);
    show("m1", m[1]);
    printf("k%d\n", k);
    _Bool q = x;
    printf("%d %d %d\n", q, (char)x, (int)(unsigned char)(x >> 96));
    double _Complex z = x;
    z = z + y;
    printf("%g\n", __real__ z);
    show("ptr", (i128)(void *)-1);
    printf("%d\n", (int)((char *)&s + (i128)3 - (char *)&s));
    {
        u128 xx = x;
        while (xx) {
            xx >>= 7;
            k++;
        }
    }
    printf("%d\n", k);
    show("sexp", ({
             i128 t = y;
             t + 1;
         }));
    show("comma", (k, y));
    i128 *pp = &y;
    (*pp)--;
    show("y", *pp);
    show("p--", (*pp)--);
    show("y", y);
    switch ((int)y) {
    case 0: break;
    }
    int tab[] = {1, 2, 3};
    printf("%d\n", tab[(i128)2]);
    unsigned long v = (unsigned long)argc * 0x123456789;
    u128 p = (u128)v * v;
    show("p", p);
    return 0;
}
