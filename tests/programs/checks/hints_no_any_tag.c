/* A program that promises to receive no tag at random must not (MPI-4.0 section 7.4.4). Hints with other values, and other
 * communicators, promise nothing; without the check, nothing happens. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 7;
    MPI_Info info;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true"), MPI_Info_set(info, "mpi_assert_no_any_source", "false");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm), MPI_Info_free(&info);
    for (int tag = 3; tag < 5; tag++)
        if (rank == 0)
            MPI_Send(&number, 1, MPI_INT, 1, tag, comm), MPI_Send(&number, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 3, comm, MPI_STATUS_IGNORE);
        MPI_Recv(&number, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&number, 1, MPI_INT, 0, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
