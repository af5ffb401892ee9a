/* greetings.c - every rank but 0 sends a line of text to rank 0, which prints them in rank order.
 *
 * Run:      orrery run -n 8 --machine mesh-4x4 --stats samples/greetings.c
 * Look at:  which links of the mesh are busiest, and why they are the ones next to rank 0;
 *           rank 0's blocked time against everybody else's.
 * Change:   receive with MPI_ANY_SOURCE and watch the lines come in order of arrival instead.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define LINE_LENGTH 100

int main(int argc, char **argv)
{
    int rank, size;
    char line[LINE_LENGTH];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank != 0) {
        sprintf(line, "Greetings from rank %d of %d", rank, size);
        MPI_Send(line, (int)strlen(line) + 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    } else {
        printf("Rank 0 of %d is listening\n", size);
        for (int source = 1; source < size; source++) {
            MPI_Recv(line, LINE_LENGTH, MPI_CHAR, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            printf("%s\n", line);
        }
    }

    MPI_Finalize();
    return 0;
}
