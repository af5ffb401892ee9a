/* Agreements whose requests are freed, whose communicators are freed or disconnected while others have not asked for
 * their result; agreements on parts of the world, and by one process alone. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, flag, other = -1, n;
    MPI_Comm comm, half, left;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    flag = ~rank;
    MPIX_Comm_iagree(comm, &other, &request);
    if (rank == 1)
        MPI_Request_free(&request);
    MPIX_Comm_agree(comm, &flag);
    if (rank == 2) /* late to ask for it */
        for (volatile int i = 0; i < 1000000; i++)
            ;
    if (rank != 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&comm);

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    flag = 1 << rank;
    MPIX_Comm_agree(half, &flag);
    MPI_Comm_size(half, &n);
    if (flag != (n == 1 ? 1 << rank : 0))
        printf("rank %d: %x\n", rank, flag);
    MPIX_Comm_ishrink(half, &left, &request);
    MPI_Comm_free(&half);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_rank(left, &n);
    if (n != (size - 1 - rank) / 2)
        printf("rank %d is %d\n", rank, n);
    MPI_Comm_free(&left);

    MPIX_Comm_shrink(MPI_COMM_SELF, &left);
    MPI_Comm_size(left, &n);
    MPI_Comm_disconnect(&left);
    for (int i = 0; i < 100; i++) {
        flag = i;
        MPIX_Comm_agree(MPI_COMM_SELF, &flag);
        n += flag == i;
    }
    if (rank == size - 1)
        printf("%d\n", n);
    MPI_Finalize();
    return 0;
}
