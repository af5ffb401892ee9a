/* C as it was: K&R definitions, implicit int and declarations, promoted parameters, calls with too few arguments. */
#include <stdio.h>

static float average(n, values, scale)
    int n;
    float *values, scale;
{
    float sum = 0;
    register int i;
    for (i = 0; i < n; i++)
        sum += values[i];
    return sum / n * scale;
}

static characters(c, s, u, f)
    char c;
    short s;
    unsigned char u;
    float f;
{
    return c + s + u + (int)f;
}

implicit(a, b)
{
    return a - b;
}

static int late();

struct pair { int a, b; };
static struct pair swap(p) struct pair p;
{
    struct pair q;
    q.a = p.b;
    q.b = p.a;
    return q;
}

optional(first, second)
    int first, second;
{
    return first > 0 ? first : second;
}

int main()
{
    float v[3] = {1, 2, 4.5};
    struct pair p = {1, 2};
    printf("%g\n", average(3, v, 2.0));
    printf("%d %d\n", characters('A', 1000, 250, 2.9), characters(300, 70000, -1, 1.0f));
    printf("%d\n", implicit(5, 3));
    printf("%d\n", late(4));
    printf("%d %d\n", swap(p).a, swap(swap(p)).a);
    printf("%d %d\n", optional(7), optional(0, 8));
    printf("%d\n", undeclared(20, 22));
    return 0;
}

static int late(x)
{
    return x * x;
}

int undeclared(a, b)
{
    return a + b;
}
