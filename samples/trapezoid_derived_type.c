/* trapezoid_derived_type.c - the trapezoidal rule; the input comes by one broadcast of a derived datatype.
 *
 * A struct datatype describes where a, b and n lie in memory, so that one message carries all three.
 * See trapezoid_point_to_point.c for the problem itself.
 *
 * Run:      echo 0 3 1024 | orrery run -n 8 --machine mesh-4x4 --stats samples/trapezoid_derived_type.c
 * Look at:  a third of the messages of trapezoid_broadcast.c, and the makespan that follows from it.
 * Change:   on which machine does the difference matter most? Try --machine bus-16 and --machine laptop.
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

static MPI_Datatype make_input_type(double *a, double *b, int *n)
{
    int lengths[3] = {1, 1, 1};
    MPI_Datatype types[3] = {MPI_DOUBLE, MPI_DOUBLE, MPI_INT};
    MPI_Aint start, address, displacements[3];
    MPI_Datatype input_type;

    MPI_Get_address(a, &start);
    displacements[0] = 0;
    MPI_Get_address(b, &address);
    displacements[1] = address - start;
    MPI_Get_address(n, &address);
    displacements[2] = address - start;
    MPI_Type_create_struct(3, lengths, displacements, types, &input_type);
    MPI_Type_commit(&input_type);
    return input_type;
}

static void read_input(int rank, double *a, double *b, int *n)
{
    if (rank == 0) {
        if (scanf("%lf %lf %d", a, b, n) != 3) {
            fprintf(stderr, "expected three numbers on standard input: a b n\n");
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
    }
    MPI_Datatype input_type = make_input_type(a, b, n);
    MPI_Bcast(a, 1, input_type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&input_type);
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
