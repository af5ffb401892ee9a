/* trapezoid_tree.c - the trapezoidal rule; the input spreads along a binary tree made by hand.
 *
 * In round k every rank below 2^k that has the input passes it on to the rank 2^k above it, so that after
 * ceil(log2(size)) rounds all have it. See trapezoid_point_to_point.c for the problem itself.
 *
 * Run:      echo 0 3 1024 | orrery run -n 16 --machine hypercube-4 --stats samples/trapezoid_tree.c
 * Look at:  on a hypercube each of these messages crosses exactly one link.
 * Change:   let the rounds run from the largest stride down instead; does the makespan change on a ring?
 */
#include <mpi.h>
#include <stdio.h>

static double f(double x)
{
    return x * x + 1.0;
}

static double trapezoids(double left, double right, int count, double width)
{
    double sum = (f(left) + f(right)) / 2.0;
    for (int i = 1; i < count; i++)
        sum += f(left + i * width);
    return sum * width;
}

static void pass_on(double *a, double *b, int *n, int to)
{
    MPI_Send(a, 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
    MPI_Send(b, 1, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
    MPI_Send(n, 1, MPI_INT, to, 2, MPI_COMM_WORLD);
}

static void take_over(double *a, double *b, int *n, int from)
{
    MPI_Recv(a, 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(b, 1, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(n, 1, MPI_INT, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void read_input(int rank, int size, double *a, double *b, int *n)
{
    if (rank == 0) {
        if (scanf("%lf %lf %d", a, b, n) != 3) {
            fprintf(stderr, "expected three numbers on standard input: a b n\n");
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
    }
    for (int stride = 1; stride < size; stride *= 2) {
        if (rank < stride && rank + stride < size)
            pass_on(a, b, n, rank + stride);
        else if (rank >= stride && rank < 2 * stride)
            take_over(a, b, n, rank - stride);
    }
}

int main(int argc, char **argv)
{
    int rank, size, n;
    double a, b;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    read_input(rank, size, &a, &b, &n);

    double width = (b - a) / n;
    int mine = n / size + (rank < n % size ? 1 : 0);
    int first = rank * (n / size) + (rank < n % size ? rank : n % size);
    double left = a + first * width;
    double part = mine > 0 ? trapezoids(left, left + mine * width, mine, width) : 0.0;

    double total;
    MPI_Reduce(&part, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("With n = %d trapezoids, the integral from %g to %g is %.6f\n", n, a, b, total);
    MPI_Finalize();
    return 0;
}
