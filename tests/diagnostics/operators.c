/* Precedence, decided comparisons, conditions that are none, conversions of constants. */
/* options: -Wall -Wextra -Wfloat-equal -Wdouble-promotion -Wcast-qual -Wcast-align -Wpointer-arith -Wno-unused */
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <limits.h>
enum a { A1, A2 }; enum b { B1, B2 };
void h(unsigned char c);
int f(int a, int b, unsigned u, char *s, double d, enum a ea, enum b eb, unsigned char uc, float fl, long l)
{
    int arr[3];
    if (a = b) return 1;
    if ((a = b)) return 1;
    while (a = getchar()) ;
    if (a & b == 3) return 2;
    if (a && b || u) return 1;
    if (a < b < 3) return 3;
    if (!a == b) return 3;
    if (a == a) return 4;
    if (s == "abc") return 5;
    if (arr) return 6;
    if (f) return 7;
    if (&a == NULL) return 8;
    if (a < u) return 9;
    if (u < 0) return 10;
    if (uc > 300) return 11;
    if ((a < b) == 2) return 12;
    if (a != 1 || a != 2) return 13;
    if (a == 1 && a == 2) return 14;
    if ((a & 4) == 3) return 15;
    if (ea == eb) return 16;
    if (a << 2) return 17;
    a = a;
    a = 1 << b + 1;
    char c = 300;
    unsigned char uc2 = 256;
    int i = 3.7;
    int big = 3000000000;
    float ff = 16777217;
    h(1000);
    short sh = a;
    unsigned uu = a;
    int fromd = d;
    float fd = d;
    a += 0.5;
    ea = eb;
    if (d == 1.0) return 18;
    return sh + uu + fromd + fd + c + uc2 + i + big + ff + arr[s[0]] + (int)sizeof(s);
}
int good(int a, int b, unsigned u, char *s, double d, unsigned char uc, size_t n)
{
    if ((a & b) == 3 && (a || b)) return 1;
    if (d != d) return 2;
    for (size_t i = 0; i < n; i++) ;
    for (int i = 0; i < (int)n; i++) ;
    if (u == 0 || u > 3) return 1;
    if (uc == 255) return 3;
    if (s == NULL || s == 0 || !s) return 4;
    char c = 'a', d1 = '\xff';
    unsigned char k = -1, m = 0xff, q = a & 0xff;
    unsigned z = -1, y = ~0;
    int min = INT_MIN, e = 0x80000000;
    float f = 0.1, g = 3, h1 = 1e10;
    double dd = 1L << 53;
    short sh = 1; sh += 1; sh = sh + 1; sh++;
    if (!a == !b) return 3;
    if (a == 1 || b == 2) return 4;
    while ((c = getchar()) != EOF) ;
    int t = a == b;
    if (sizeof(int) == 4) return 1;
    if (uc < a) return 4;
    int pct = 0.5 * 100;
    return c + d1 + k + m + q + z + y + min + e + f + g + h1 + dd + sh + t + pct;
}
double promote(float f, const char *s, void *v) { char *c = (char *)s; int *i = (int *)c; v = v + 1; return f * 2.0 + *i + (-1 << *c); }
int matrix(int m[4][4], int i, int j) { return m[i, j] != 0; }
int flags(int n) { return (n & n == 4) + (0 < n < 3); }
