/* conjugate_gradient.c - solves Poisson's equation on a square grid with its matrix in compressed rows: sparse product,
 * dot products, vector updates.
 */
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SIDE = 128, MOST = MOST_SIDE * MOST_SIDE };
static int first[MOST + 1], column[5 * MOST], rows, entries;
static double value[5 * MOST], x[MOST], r[MOST], p[MOST], q[MOST];

static void enter(int col, double v)
{
    column[entries] = col;
    value[entries++] = v;
}

static void build(int side)
{
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            first[rows] = entries;
            if (i > 0)
                enter(rows - side, -1);
            if (j > 0)
                enter(rows - 1, -1);
            enter(rows, 4);
            if (j < side - 1)
                enter(rows + 1, -1);
            if (i < side - 1)
                enter(rows + side, -1);
            rows++;
        }
    first[rows] = entries;
}

static void product(const double *from, double *to)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int k = first[i]; k < first[i + 1]; k++)
            sum += value[k] * from[column[k]];
        to[i] = sum;
    }
}

static double dot(const double *u, const double *v)
{
    double sum = 0;
    for (int i = 0; i < rows; i++)
        sum += u[i] * v[i];
    return sum;
}

static void update(double *u, double factor, const double *v)
{
    for (int i = 0; i < rows; i++)
        u[i] += factor * v[i];
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 4500, side = argc > 2 ? atoi(argv[2]) : 96;
    build(side);
    double norm = rows;
    for (int step = 0; step < steps; step++) {
        if (step % 100 == 0) {
            for (int i = 0; i < rows; i++) {
                x[i] = 0;
                r[i] = p[i] = 1 + step / 100;
            }
            norm = dot(r, r);
        }
        product(p, q);
        double alpha = norm / dot(p, q);
        update(x, alpha, p);
        update(r, -alpha, q);
        double next = dot(r, r), beta = next / norm;
        norm = next;
        for (int i = 0; i < rows; i++)
            p[i] = r[i] + beta * p[i];
    }
    printf("%.6f\n", x[rows / 2 + side / 2]);
    return 0;
}
