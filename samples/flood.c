/* One rank sends a thousand messages before the other receives the first. How long that takes depends on what the
 * receiver buffers: see docs/protocols.md. */
#include <mpi.h>
#include <stdio.h>

enum { MESSAGES = 1000, BYTES = 16384 };

int main(int argc, char **argv)
{
    static char data[BYTES];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double begin = MPI_Wtime();
    for (int i = 0; i < MESSAGES && rank == 0; i++)
        MPI_Send(data, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("all sent after %.1f ms\n", (MPI_Wtime() - begin) * 1e3);
    for (int i = 0; i < MESSAGES && rank == 1; i++)
        MPI_Recv(data, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        printf("all received after %.1f ms\n", (MPI_Wtime() - begin) * 1e3);
    MPI_Finalize();
    return 0;
}
