/* The same of sources, in a probe; MPI_Comm_set_info makes the promise later (MPI-4.0 section 7.4.4). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 7, flag;
    MPI_Info info;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_source", "true");
    MPI_Comm_set_info(MPI_COMM_WORLD, info), MPI_Info_free(&info);
    MPI_Sendrecv_replace(&number, 1, MPI_INT, 1 - rank, 0, 1 - rank, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
