/* Without MPI_IN_PLACE the two buffers of a collective must be apart: always an error (MPI-3.1 section 5.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, class, both[8] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    class = MPI_Allreduce(both, both + 2, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", class == MPI_ERR_BUFFER);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, both, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Alltoall(both, 1, MPI_INT, both + 1, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
