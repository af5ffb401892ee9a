/* Functions as values: tables, arguments, results, structs of them, library functions, unprototyped calls. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int Operation(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static Operation *const table[] = {add, sub, &mul};

static Operation *choose(char c) { return c == '+' ? add : c == '-' ? sub : *mul; }
static int (*(*chooser)(char))(int, int) = choose;
static int apply(Operation f, int a, int b) { return f(a, b); }
static double integrate(double (*f)(double), double a, double b)
{
    double total = 0, step = (b - a) / 100;
    for (int i = 0; i < 100; i++)
        total += f(a + (i + 0.5) * step) * step;
    return total;
}
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int backwards(const void *a, const void *b) { return strcmp(*(char *const *)b, *(char *const *)a); }
struct Shape { const char *name; double (*area)(const struct Shape *); double w, h; };
static double rectangle(const struct Shape *s) { return s->w * s->h; }
static double triangle(const struct Shape *s) { return s->w * s->h / 2; }
static void (*callback)(const char *, ...);
static void recurse(int n, void (*f)(int, void (*)(int))) { if (n) f(n, NULL); }
static void show(int n, void (*g)(int)) { printf("show %d %d\n", n, g == NULL); }
static int old();
static int old(a, b) int a; int b; { return a * 100 + b; }
static float narrow(f, c) float f; char c; { return f + c; }
static int none() { return 42; }

int main(void)
{
    for (int i = 0; i < 3; i++)
        printf("%d %d %d\n", table[i](7, 3), (*table[i])(8, 2), (**choose("+-*"[i]))(1, 2));
    printf("%d %d %d\n", chooser('-')(9, 1), apply(mul, 6, 7), (1 ? add : sub)(1, 1));
    printf("%.6f %.6f\n", integrate(sin, 0, 3), integrate(exp, 0, 1));
    int v[] = {5, 3, 9, 1, 7};
    qsort(v, 5, sizeof *v, compare);
    for (int i = 0; i < 5; i++)
        printf("%d ", v[i]);
    const char *w[] = {"pear", "apple", "fig"};
    qsort(w, 3, sizeof *w, backwards);
    printf("%s %s %s\n", w[0], w[1], w[2]);
    int key = 7, *found = bsearch(&key, v, 5, sizeof *v, compare);
    printf("%ld\n", (long)(found - v));
    struct Shape shapes[] = {{"rectangle", rectangle, 2, 3}, {"triangle", triangle, 2, 3}};
    for (int i = 0; i < 2; i++)
        printf("%s %g\n", shapes[i].name, shapes[i].area(&shapes[i]));
    recurse(3, (void (*)(int, void (*)(int)))show);
    printf("%d %g %d\n", old(3, 4), narrow(1.5f, 'A'), none());
    int (*unknown)() = old;
    printf("%d %d\n", unknown(5, 6), choose('+') == add);
    size_t (*length)(const char *) = strlen;
    int (*print)(const char *, ...) = printf;
    print("%zu %s\n", length("library"), "variadic");
    double (*f[])(double) = {sqrt, fabs, floor};
    printf("%g %g %g\n", f[0](16), f[1](-2), f[2](2.9));
    callback = NULL;
    if (!callback && compare)
        printf("null\n");
    return 0;
}
