/* rays.c - spheres that mirror each other: vectors of three doubles by value, square roots, recursion.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double x, y, z;
} V;
typedef struct {
    V c;
    double r;
    V color;
    double shine;
} Sphere;

static V add(V a, V b)
{
    return (V){a.x + b.x, a.y + b.y, a.z + b.z};
}

static V sub(V a, V b)
{
    return (V){a.x - b.x, a.y - b.y, a.z - b.z};
}

static V scale(V a, double s)
{
    return (V){a.x * s, a.y * s, a.z * s};
}

static double dot(V a, V b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static V unit(V a)
{
    return scale(a, 1 / sqrt(dot(a, a)));
}
static Sphere s[] = {{{0, 0, 5}, 1, {1, .2, .2}, .3},
                     {{1.5, .5, 4}, .7, {.2, 1, .2}, .5},
                     {{-1.5, .3, 4.5}, .8, {.2, .2, 1}, .2},
                     {{0, -101, 5}, 100, {.8, .8, .8}, 0}};

static int hit(V o, V d, double *t, const Sphere *p)
{
    V oc = sub(o, p->c);
    double b = dot(oc, d), q = b * b - dot(oc, oc) + p->r * p->r;
    if (q < 0)
        return 0;
    double r = -b - sqrt(q);
    if (r < 1e-4)
        return 0;
    *t = r;
    return 1;
}

static V trace(V o, V d, int depth)
{
    double best = 1e9, t;
    const Sphere *found = 0;
    for (unsigned i = 0; i < sizeof s / sizeof *s; i++)
        if (hit(o, d, &t, &s[i]) && t < best) {
            best = t;
            found = &s[i];
        }
    if (!found)
        return (V){.5, .7, 1 - .3 * d.y};
    V p = add(o, scale(d, best)), n = unit(sub(p, found->c)), l = unit((V){1, 2, -1});
    double f = dot(n, l);
    for (unsigned i = 0; i < sizeof s / sizeof *s; i++)
        if (hit(p, l, &t, &s[i]))
            f = 0;
    if (f < .1)
        f = .1;
    V c = scale(found->color, f);
    if (depth && found->shine > 0)
        c = add(scale(c, 1 - found->shine), scale(trace(p, sub(d, scale(n, 2 * dot(d, n))), depth - 1), found->shine));
    return c;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 1000;
    int H = turns, W = H * 3 / 2;
    double sum = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            V d = unit((V){(x - W / 2) / (double)H, (H / 2 - y) / (double)H, 1});
            V c = trace((V){0, 0, 0}, d, 3);
            sum += c.x * 3 + c.y * 2 + c.z;
        }
    printf("%.9g\n", sum);
    return 0;
}
