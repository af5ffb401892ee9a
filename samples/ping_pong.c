/* ping_pong.c - two ranks throw messages of growing size at each other.
 *
 * From the times follow the machine's latency (the time of an empty message) and bandwidth. The times go to stderr,
 * because they are the machine's; stdout has what is the same everywhere.
 *
 * Run:      orrery run -n 2 --machine mesh-4x4 samples/ping_pong.c
 * Look at:  the jump where messages grow beyond the eager limit: from there they ask before they go.
 * Change:   --eager-limit 0 and --eager-limit 1MiB; --machine bus-16; --set network.switching=store-and-forward.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_BYTES 65536
#define REPEATS   4

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2) {
        printf("ping-pong needs two ranks\n");
        MPI_Finalize();
        return 0;
    }

    char *buffer = calloc(MAX_BYTES, 1);
    if (rank == 0)
        fprintf(stderr, "%8s %14s %14s\n", "bytes", "one way (us)", "MB/s");
    for (int bytes = 0; bytes <= MAX_BYTES; bytes = bytes == 0 ? 1 : bytes * 4) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        for (int i = 0; i < REPEATS; i++) {
            if (rank == 0) {
                MPI_Send(buffer, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
                MPI_Recv(buffer, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else if (rank == 1) {
                MPI_Recv(buffer, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                if (bytes > 0)
                    buffer[bytes - 1]++;
                MPI_Send(buffer, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
            }
        }
        double one_way = (MPI_Wtime() - start) / (2 * REPEATS);
        if (rank == 0) {
            fprintf(stderr, "%8d %14.3f %14.3f\n", bytes, one_way * 1.0e6,
                    one_way > 0.0 ? bytes / one_way / 1.0e6 : 0.0);
            printf("%d bytes went to and fro %d times, last byte %d\n", bytes, REPEATS,
                   bytes > 0 ? buffer[bytes - 1] : 0);
        }
    }
    free(buffer);
    MPI_Finalize();
    return 0;
}
