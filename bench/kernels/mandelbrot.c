/* mandelbrot.c - points of the Mandelbrot set: a chain of multiplications and additions of doubles that ends at an
 * unpredictable time. */
#include <stdio.h>
#include <stdlib.h>

static int escape(double cx, double cy, int limit)
{
    double x = 0, y = 0;
    int turn = 0;
    for (; turn < limit && x * x + y * y <= 4; turn++) {
        double next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
    }
    return turn;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 800, limit = argc > 2 ? atoi(argv[2]) : 1000;
    long sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += escape(-2 + 3.0 * j / n, -1.5 + 3.0 * i / n, limit);
    printf("%ld\n", sum);
    return 0;
}
