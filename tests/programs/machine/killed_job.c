/* A process fails and the program is not made to survive that: the job ends when others know of it. What the process
 * has printed until then is there, what it would have printed later is not. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("rank %d begins\n", rank);
    for (int i = 0; i < 1000; i++)
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d ends\n", rank);
    MPI_Finalize();
    return 0;
}
