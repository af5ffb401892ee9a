/* trapezoid_broadcast.c - the trapezoidal rule; the input comes by three broadcasts.
 *
 * See trapezoid_point_to_point.c for the problem itself.
 *
 * Run:      echo 0 3 1024 | orrery run -n 8 --machine mesh-4x4 --stats samples/trapezoid_broadcast.c
 * Look at:  the library's tree does what trapezoid_tree.c does by hand; three short messages per edge.
 * Change:   --set collectives.bcast=linear takes the tree away.
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

static void read_input(int rank, double *a, double *b, int *n)
{
    if (rank == 0) {
        if (scanf("%lf %lf %d", a, b, n) != 3) {
            fprintf(stderr, "expected three numbers on standard input: a b n\n");
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
    }
    MPI_Bcast(a, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(b, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(n, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size, n;
    double a, b;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    read_input(rank, &a, &b, &n);

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
