#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, a = 1, b = 0, c;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Request r;
    if (rank == 1) MPI_Send(&a, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Irecv(&c, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &r);
        MPI_Recv(&b, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 2)
        MPI_Recv(&b, 1, MPI_INT, 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank == 3)
        MPI_Recv(&b, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else for (int i = 0; i < 100000; i++) b += i;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
