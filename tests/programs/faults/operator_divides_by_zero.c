/* A fault in a reduction operator: its frame is above that of the call to MPI, on the rank that applies it. */
#include <mpi.h>
#include <stdio.h>

static void divide(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] /= ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int rank, value, result = 0;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    value = 0;
    printf("dividing\n");
    MPI_Op_create(divide, 0, &op);
    MPI_Reduce(&value, &result, 1, MPI_INT, op, 3, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
