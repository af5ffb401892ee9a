/* Objects that are never freed are told with their kind, the call and the line that made them (MPI-3.1 section 8.7: what
 * a program makes it frees). */
#include <mpi.h>
#include <stdlib.h>

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

int main(int argc, char **argv)
{
    MPI_Comm half, copy, grid;
    MPI_Group group;
    MPI_Datatype row;
    MPI_Op op;
    MPI_Info info;
    MPI_Errhandler handler;
    int rank, key, dims[1] = {2}, periods[1] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
    for (int i = 0; i < 3; i++)
        MPI_Comm_dup(half, &copy);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
    MPI_Comm_set_name(grid, "grid");
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Type_contiguous(3, MPI_INT, &row);
    MPI_Op_create(add, 1, &op);
    MPI_Info_create(&info);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    if (rank == 1)
        MPI_Buffer_attach(malloc(1000), 1000);
    MPI_Finalize();
}
