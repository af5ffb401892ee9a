/* MPI_Reduce_local: in op inout, with predefined operators, pairs with gaps, and functions of the user, also those that
 * take large counts (MPI-3.1 section 5.9.7, MPI-4.0 section 6.9.7). */
#include "in_order.h"

static int calls;

static void append(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int *a = in, *b = inout;
    for (int i = 0; i < *n; i++)
        b[i] = 10 * a[i] + b[i];
    calls += *type == MPI_INT;
}

static void append_many(void *in, void *inout, MPI_Count *n, MPI_Datatype *type)
{
    int *a = in, *b = inout;
    for (MPI_Count i = 0; i < *n; i++)
        b[i] = 10 * a[i] + b[i];
    calls += *type == MPI_INT;
}

int main(int argc, char **argv)
{
    int a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, rank, last;
    struct {
        double value;
        int at;
    } x = {2.5, 1}, y = {2.5, 0};
    MPI_Op op, large;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce_local(a, b, 3, MPI_INT, MPI_SUM);
    say("%d %d %d\n", b[0], b[1], b[2]);
    MPI_Reduce_local_c(a, b, 2, MPI_INT, MPI_MAX);
    MPI_Reduce_local(a, b, 0, MPI_INT, MPI_MAX);
    say("%d %d %d\n", b[0], b[1], b[2]);
    MPI_Reduce_local(&x, &y, 1, MPI_DOUBLE_INT, MPI_MAXLOC);
    say("%g at %d\n", y.value, y.at);
    MPI_Op_create(append, 0, &op);
    MPI_Op_create_c(append_many, 0, &large);
    MPI_Reduce_local(a, b, 3, MPI_INT, op);
    say("%d %d %d\n", b[0], b[1], b[2]);
    MPI_Reduce_local_c(a, b, 3, MPI_INT, large);
    say("%d %d %d, %d calls\n", b[0], b[1], b[2], calls);
    b[0] = rank + 1;
    MPI_Scan_c(b, &last, 1, MPI_INT, large, MPI_COMM_WORLD);
    say("%d\n", last);
    MPI_Op_free(&op);
    MPI_Op_free(&large);
    say_all();
    MPI_Finalize();
    return 0;
}
