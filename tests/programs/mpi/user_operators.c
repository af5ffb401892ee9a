/* User-defined reductions: functions on derived types, and non-commutative operators, which are applied in the order of
 * ranks (MPI-3.1 section 5.9.5). */
#include "in_order.h"

typedef struct Matrix {
    long a, b, c, d;
} Matrix;

static int wrong_sizes;

static void multiply(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const Matrix *left = in;
    Matrix *right = inout;
    int size;
    MPI_Type_size(*type, &size); /* MPI may be called from here */
    for (int i = 0; i < *n; i++) {
        Matrix m = {left[i].a * right[i].a + left[i].b * right[i].c, left[i].a * right[i].b + left[i].b * right[i].d,
                    left[i].c * right[i].a + left[i].d * right[i].c, left[i].c * right[i].b + left[i].d * right[i].d};
        right[i] = m;
    }
    wrong_sizes += size != (int)sizeof(Matrix);
}

/* Keeps the larger absolute value: commutative. */
static void largest(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const double *a = in;
    double *b = inout;
    (void)type;
    for (int i = 0; i < *n; i++) {
        double x = a[i] < 0 ? -a[i] : a[i], y = b[i] < 0 ? -b[i] : b[i];
        b[i] = x > y ? a[i] : b[i];
    }
}

int main(int argc, char **argv)
{
    int rank, size, commutative;
    MPI_Op product, magnitude;
    MPI_Datatype matrix;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(4, MPI_LONG, &matrix);
    MPI_Type_commit(&matrix);
    MPI_Op_create(multiply, 0, &product);
    MPI_Op_create(largest, 1, &magnitude);
    MPI_Op_commutative(product, &commutative);
    if (rank == 0)
        say("the product is %scommutative\n", commutative ? "" : "not ");
    MPI_Op_commutative(MPI_SUM, &commutative);
    if (rank == 0)
        say("the sum is %scommutative\n", commutative ? "" : "not ");

    Matrix mine[2] = {{1, rank + 1, 0, 1}, {rank, 1, 1, 0}}, all[2], upto[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    MPI_Reduce(mine, all, 2, matrix, product, size - 1, MPI_COMM_WORLD);
    if (rank == size - 1)
        say("product of all: (%ld %ld; %ld %ld) (%ld %ld; %ld %ld)\n", all[0].a, all[0].b, all[0].c, all[0].d, all[1].a,
            all[1].b, all[1].c, all[1].d);
    MPI_Scan(mine, upto, 2, matrix, product, MPI_COMM_WORLD);
    say("rank %d: product so far (%ld %ld; %ld %ld)\n", rank, upto[1].a, upto[1].b, upto[1].c, upto[1].d);
    MPI_Allreduce(MPI_IN_PLACE, mine, 2, matrix, product, MPI_COMM_WORLD);
    say("rank %d: everywhere (%ld %ld; %ld %ld)\n", rank, mine[1].a, mine[1].b, mine[1].c, mine[1].d);

    double value = rank % 2 ? -rank : rank, extreme;
    MPI_Allreduce(&value, &extreme, 1, MPI_DOUBLE, magnitude, MPI_COMM_WORLD);
    say("rank %d: largest %g\n", rank, extreme);

    if (wrong_sizes)
        say("rank %d: the type is not the one of the reduction\n", rank);
    MPI_Op_free(&product);
    MPI_Op_free(&magnitude);
    MPI_Type_free(&matrix);
    if (rank == 0 && product == MPI_OP_NULL)
        say("freed\n");
    say_all();
    MPI_Finalize();
    return 0;
}
