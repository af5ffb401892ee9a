#include <mpi.h>
#include <stdio.h>
static int sum_of(int *values, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += values[i];
    return total;
}
static void combine(void *in, void *inout, int *len, MPI_Datatype *type)
{
    int *a = in, *b = inout;
    for (int i = 0; i < *len; i++)
        b[i] = b[i] * 10 + a[i];
}
int main(int argc, char **argv)
{
    int rank, size, value, result = -1;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op_create(combine, 0, &op);
    value = rank + 1;
    int own[3] = {rank, rank + 1, rank + 2};
    int total = sum_of(own, 3);
    MPI_Reduce(&value, &result, 1, MPI_INT, op, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Send(&result, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    printf("rank %d: %d %d\n", rank, result, total);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
