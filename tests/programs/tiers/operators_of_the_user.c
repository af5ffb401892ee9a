/* Reduction operators, attribute functions and error handlers are the program's own code, called from inside MPI calls
 * that loops make; they have loops and calls of their own. */
#include <mpi.h>
#include <stdio.h>

static int combined, handled;

static double __attribute__((noinline)) larger(double a, double b)
{
    return a > b ? a : b + 1e-9;
}

static void combine(void *in, void *inout, int *n, MPI_Datatype *type)
{
    double *a = in, *b = inout;
    (void)type;
    for (int i = 0; i < *n; i++) {
        b[i] = larger(a[i], b[i]) * 1.0000001 + a[i] * 1e-7; /* neither commutative nor exact */
        combined++;
    }
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    for (int i = 0; i < 5; i++)
        handled += *code > 0;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Op op;
    MPI_Errhandler handler;
    double mine[200], all[200];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(combine, 0, &op);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    for (int i = 0; i < 200; i++)
        mine[i] = (i * (rank + 3)) % 17;
    for (int round = 0; round < 8; round++) {
        MPI_Allreduce(mine, all, 200, MPI_DOUBLE, op, MPI_COMM_WORLD);
        for (int i = 0; i < 200; i++)
            mine[i] = all[(i + rank) % 200] - all[i] * 0.5;
        if (round % 3 == rank % 3)
            MPI_Send(mine, -1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    double sum = 0;
    for (int i = 0; i < 200; i++)
        sum += mine[i];
    printf("%d: %.15g %d %d\n", rank, sum, combined > 0, handled);
    MPI_Op_free(&op);
    MPI_Finalize();
}
