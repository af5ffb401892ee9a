/* Calls inside the arguments of calls, in conditions, indices and operators: no window clobbers another's arguments. */
#include <stdio.h>

static int id(int x) { return x; }
static int add(int a, int b) { return a + b; }
static int mad(int a, int b, int c) { return a * b + c; }
static long six(long a, long b, long c, long d, long e, long f) { return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f; }
static int swap2(int a, int b, int (*f)(int, int)) { return f(b, a); }
static int sub(int a, int b) { return a - b; }
static int rotate(int n, int a, int b, int c, int d) { return n ? rotate(n - 1, b, c, d, a) : a * 1000 + b * 100 + c * 10 + d; }
static int exchange(int n, int a, int b) { return n ? exchange(n - 1, b, a) : a - b; }
static double dmix(int i, double d, float f, char c) { return i + d * f - c; }
static int deep(int n) { return n == 0 ? 0 : add(deep(n - 1), n); }
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int tak(int x, int y, int z) { return y >= x ? z : tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)); }
static int collatz(unsigned long n) { return n == 1 ? 0 : 1 + collatz(n % 2 ? 3 * n + 1 : n / 2); }
static int even(int);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }

int main(void)
{
    int a = 1, b = 2, c = 3, d = 4;
    int v[] = {5, 4, 3, 2, 1, 0};
    printf("%d\n", add(add(add(1, 2), add(3, 4)), add(add(5, 6), add(7, 8))));
    printf("%d\n", mad(id(2), mad(id(3), id(4), id(5)), mad(1, id(1), id(id(id(1))))));
    printf("%ld\n", six(id(1), six(1, 0, 0, 0, 0, 0) + 1, id(3), add(2, 2), id(5), add(id(3), id(3))));
    printf("%d %d\n", swap2(a, b, sub), swap2(id(b), id(a), sub));
    printf("%d %d %d\n", rotate(0, a, b, c, d), rotate(1, a, b, c, d), rotate(6, d, c, b, a));
    printf("%d %d\n", exchange(3, 9, 4), exchange(4, 9, 4));
    printf("%g\n", dmix(id(3), dmix(1, 2, 3, 4), 1.5f, (char)id(2)) + id(4));
    printf("%d %d\n", a + id(b) * id(c) - add(id(a), b) * id(d), id(a) + b * id(c + id(d)));
    printf("%d %d\n", v[id(v[id(1)])], v[add(id(1), v[id(4)])] = id(9));
    printf("%d %d %d %d\n", deep(100), ackermann(2, 3), tak(9, 5, 2), collatz(27));
    if (add(id(1), id(-1)) || mad(id(1), id(1), id(-1)) || id(add(a, b)) == id(c))
        printf("condition\n");
    for (int i = id(0); id(i) < add(id(1), id(2)); i = add(i, id(1)))
        v[id(i)] += id(v[add(i, 1)]) + i;
    printf("%d %d %d %d %d\n", v[0], v[1], v[2], even(10), odd(7));
    a = add(b = add(c = add(d, 1), 1), 1);
    printf("%d %d %d %d\n", a, b, c, id((id(1), id(2))));
    a += id(a) + (b -= id(c)) * id(2);
    printf("%d %d\n", a, b);
    int x = id(1) ? id(2) ? id(3) : id(4) : id(5);
    printf("%d %d\n", x, id(0) ? id(1) : add(x, id(x ? id(2) : id(3))));
    return 0;
}
