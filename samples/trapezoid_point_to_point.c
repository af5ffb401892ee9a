/* trapezoid_point_to_point.c - the trapezoidal rule; rank 0 sends the input to each rank in turn.
 *
 * Integrates x*x + 1 over [a, b] with n trapezoids. Five programs differ only in how the three numbers a, b, n
 * get from rank 0 to the others: this one, trapezoid_tree.c, trapezoid_broadcast.c, trapezoid_derived_type.c
 * and trapezoid_pack.c.
 *
 * Run:      echo 0 3 1024 | orrery run -n 8 --machine ring-8 --stats samples/trapezoid_point_to_point.c
 * Look at:  3 * (size - 1) messages leave rank 0 one after the other: the last rank waits for all of them.
 * Change:   compare the makespan on 4, 8, 16 ranks with trapezoid_tree.c.
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

static void read_input(int rank, int size, double *a, double *b, int *n)
{
    if (rank == 0) {
        if (scanf("%lf %lf %d", a, b, n) != 3) {
            fprintf(stderr, "expected three numbers on standard input: a b n\n");
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        for (int to = 1; to < size; to++) {
            MPI_Send(a, 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
            MPI_Send(b, 1, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
            MPI_Send(n, 1, MPI_INT, to, 2, MPI_COMM_WORLD);
        }
    } else {
        MPI_Recv(a, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(b, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(n, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
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

    if (rank != 0) {
        MPI_Send(&part, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
    } else {
        double total = part;
        for (int from = 1; from < size; from++) {
            MPI_Recv(&part, 1, MPI_DOUBLE, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            total += part;
        }
        printf("With n = %d trapezoids, the integral from %g to %g is %.6f\n", n, a, b, total);
    }
    MPI_Finalize();
    return 0;
}
