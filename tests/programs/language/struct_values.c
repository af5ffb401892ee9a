/* Structs and unions as values: arguments are copies, results are new objects, assignment copies (C11 6.5.16.1). */
#include <stdio.h>

struct Small { char c; };
struct Pair { int x, y; };
struct Big { double v[10]; int n; };
union Either { long l; double d; char bytes[8]; };
struct Nest { struct Pair p[2]; struct Small s; union Either u; };

static struct Pair add(struct Pair a, struct Pair b)
{
    a.x += b.x;
    a.y += b.y;
    return a;
}

static struct Big fill(int n)
{
    struct Big b;
    for (int i = 0; i < 10; i++)
        b.v[i] = i * n;
    b.n = n;
    return b;
}

static double sum(struct Big b, struct Small s, struct Pair p)
{
    double total = s.c + p.x;
    for (int i = 0; i < 10; i++)
        total += b.v[i];
    b.n = -1;
    b.v[0] = 99;
    return total;
}

static struct Small next(struct Small s)
{
    s.c++;
    return s;
}

static union Either either(double d)
{
    return (union Either){.d = d};
}

static struct Nest nest(int k)
{
    struct Nest n = {{{k, k + 1}, {k + 2, k + 3}}, {'a'}, {.l = k}};
    return n;
}

static int depth(struct Pair p)
{
    if (p.x == 0)
        return p.y;
    struct Pair q = {p.x - 1, p.y + p.x};
    int r = depth(q);
    return r + (q.x == p.x - 1) + (p.x > 0);
}

int main(void)
{
    struct Pair a = {1, 2}, b = {10, 20}, c;
    c = add(a, add(b, add(a, b)));
    printf("%d %d, a %d %d\n", c.x, c.y, a.x, a.y);
    struct Big big = fill(3), copy = big, *p = &big;
    struct Small s = {'A'};
    printf("%g %d\n", sum(*p, next(next(s)), (struct Pair){5, 6}), big.n);
    printf("%g %g\n", sum(fill(2), s, c), copy.v[0]);
    printf("%d %c\n", add(a, b).y, next(s).c);
    printf("%lx\n", either(1.0).l);
    printf("%d %d %c %ld\n", nest(4).p[1].x, nest(5).p[0].y, nest(1).s.c, nest(9).u.l);
    struct Pair array[3] = {a, b, add(a, b)};
    array[0] = array[2];
    array[1] = a.x ? array[2] : a;
    printf("%d %d %d\n", array[0].x, array[1].y, (a.x > 5 ? a : b).y);
    (c = a).x;
    struct Pair d = c = b;
    printf("%d %d %d\n", c.x, d.y, (c = a, c).y);
    printf("%d\n", depth((struct Pair){10, 0}));
    struct Pair (*f)(struct Pair, struct Pair) = add;
    printf("%d\n", f(f(a, a), (*f)(b, b)).x);
    struct Empty {} e1, e2;
    e1 = e2;
    struct Nest n1 = nest(7), n2;
    n2.p[1] = n1.p[0];
    n1.u = either(2.5);
    n2 = n1;
    printf("%g %d\n", n2.u.d, n2.p[1].y);
    return 0;
}
