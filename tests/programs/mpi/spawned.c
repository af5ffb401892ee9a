/* Other programs start this one (spawn_programs.c). By itself it has no parent. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm parent;
    int rank, size, *number, flag;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &flag);
    if (parent == MPI_COMM_NULL) {
        printf("%d of %d has no parent\n", rank, size);
    } else {
        printf("%s: %d of %d, program %d, %d arguments\n", argv[0], rank, size, *number, argc - 1);
        MPI_Barrier(parent);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Finalize();
    return 0;
}
