/* o and G that depend on the size of a message, in pieces: half of a round trip is o_s + L + (k-1) G + o_r, the machine's
 * L 1.5 us. Before 4 KiB: 0.5 + 1.5 + (k-1) 100 ps + 1 + k 10 ps; from there: o_s 2 us + k 100 ps; from 64 KiB: o_s 9 us,
 * G 50 ps. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static const int sizes[] = {0, 1000, 4095, 4096, 65535, 65536, 200000};
    static char data[200000];
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 7; i++) {
        double start = MPI_Wtime();
        if (rank == 0) {
            MPI_Send(data, sizes[i], MPI_CHAR, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(data, sizes[i], MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            printf("%6d bytes %.1f us\n", sizes[i], (MPI_Wtime() - start) / 2 * 1e6);
        } else {
            MPI_Recv(data, sizes[i], MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(data, sizes[i], MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
