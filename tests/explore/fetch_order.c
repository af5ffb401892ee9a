/* Each rank takes a ticket: n! orders. Those that a barrier orders are no choice. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, *counter, one = 1, ticket, last;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &win);
    *counter = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Fetch_and_op(&one, &last, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Win_unlock_all(win);
    printf("rank %d: %d\n", rank, ticket);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
