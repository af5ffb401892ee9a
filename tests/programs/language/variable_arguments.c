/* Variadic functions: every kind of argument, va_copy, va_list as argument, structs (C11 7.16). */
#include <stdarg.h>
#include <stdio.h>

struct Point { int x, y; };
struct Big { double v[5]; };

static double sum(const char *kinds, ...)
{
    va_list ap;
    double total = 0;
    va_start(ap, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': total += va_arg(ap, int); break;
        case 'c': total += (char)va_arg(ap, int); break;
        case 'u': total += va_arg(ap, unsigned); break;
        case 'l': total += va_arg(ap, long); break;
        case 'q': total += va_arg(ap, unsigned long long); break;
        case 'd': total += va_arg(ap, double); break;
        case 's': total += *va_arg(ap, char *); break;
        case 'p': { struct Point p = va_arg(ap, struct Point); total += p.x * p.y; break; }
        case 'b': total += va_arg(ap, struct Big).v[4]; break;
        case 'f': total += va_arg(ap, double (*)(double))(2.0); break;
        }
    va_end(ap);
    return total;
}

static int add(int n, va_list ap)
{
    int total = 0;
    while (n--)
        total += va_arg(ap, int);
    return total;
}

static int twice(int n, ...)
{
    va_list a, b;
    va_start(a, n);
    va_arg(a, int);
    va_copy(b, a);
    int first = add(n - 1, a), second = add(n - 1, b);
    va_end(a);
    va_end(b);
    va_start(a, n);
    int third = add(n, a);
    va_end(a);
    return first * 10000 + second * 100 + third;
}

static void print(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vprintf(format, ap);
    va_end(ap);
}

static double half(double d) { return d / 2; }

static struct Big make(int n, ...)
{
    struct Big b = {{0}};
    va_list ap;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        b.v[i] = va_arg(ap, double);
    va_end(ap);
    return b;
}

static int count(int first, ...)
{
    va_list ap;
    int n = 0;
    va_start(ap, first);
    for (int v = first; v >= 0; v = va_arg(ap, int))
        n++;
    va_end(ap);
    return n;
}

int main(void)
{
    struct Big b = {{1, 2, 3, 4, 5}};
    printf("%g\n", sum("icuqlds", -5, 'A', 4000000000u, 1ULL << 40, -7L, 2.5, "z"));
    printf("%g\n", sum("pbfpi", (struct Point){3, 4}, b, half, (struct Point){5, 6}, 1));
    printf("%g %g\n", sum("di", 1.5f, (short)3), sum(""));
    printf("%d\n", twice(4, 1, 2, 3, 4));
    print("%d %s %c %5.2f %ld\n", 1, "two", '3', 4.0, 5L);
    print("nothing\n");
    printf("%g %g\n", make(3, 1.0, 2.0, 3.0).v[2], make(0).v[0]);
    printf("%d\n", sum("ii", count(1, 2, 3, -1), count(-1)) == 3);
    int (*f)(int, ...) = count;
    printf("%d %d\n", f(5, 6, -1), (*f)(-1));
    printf("%d %d %d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    return 0;
}
