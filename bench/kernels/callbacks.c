/* callbacks.c - calls through pointers: operations on shapes in a table of functions, and an insertion sort that calls
 * a comparison function.
 */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1000 };
typedef struct Shape Shape;
struct Shape {
    int (*area)(const Shape *);
    int width, height;
};

static int area_of_square(const Shape *s)
{
    return s->width * s->width;
}

static int area_of_rectangle(const Shape *s)
{
    return s->width * s->height;
}

static int area_of_triangle(const Shape *s)
{
    return s->width * s->height / 2;
}

static int by_area(const Shape *a, const Shape *b)
{
    return a->area(a) - b->area(b);
}

static int by_width(const Shape *a, const Shape *b)
{
    return a->width - b->width;
}

static Shape shapes[MOST];
static int (*const areas[])(const Shape *) = {area_of_square, area_of_rectangle, area_of_triangle};
static int (*const orders[])(const Shape *, const Shape *) = {by_area, by_width};

static void sort(Shape *v, int n, int (*compare)(const Shape *, const Shape *))
{
    for (int i = 1; i < n; i++) {
        Shape moving = v[i];
        int j = i;
        for (; j > 0 && compare(&v[j - 1], &moving) > 0; j--)
            v[j] = v[j - 1];
        v[j] = moving;
    }
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 400, n = argc > 2 ? atoi(argv[2]) : 900;
    unsigned state = 1, checksum = 0;
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < n; i++) {
            state = state * 1664525 + 1013904223;
            shapes[i] = (Shape){areas[(state >> 8) % 3], (int)(state >> 24), (int)(state >> 12 & 255)};
        }
        sort(shapes, n, orders[turn % 2]);
        for (int i = 0; i < n; i++)
            checksum = checksum * 31 + (unsigned)shapes[i].area(&shapes[i]);
    }
    printf("%u\n", checksum);
    return 0;
}
