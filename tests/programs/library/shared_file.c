/* Ranks that write one file without talking to each other: what it holds follows virtual time, whatever the quantum. */
#include <mpi.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size;
    volatile double x = 1.0;
    char line[64];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3000 * ((rank * 7 + round * 3) % 5 + 1); i++)
            x = x * 1.000001;
        int file = open("shared.txt", O_WRONLY | O_CREAT | O_APPEND, 0644);
        int length = sprintf(line, "rank %d round %d\n", rank, round);
        write(file, line, length);
        close(file);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* from here on so far apart that no optimisation changes the order */
    for (int k = 0; k < 20000 * rank; k++)
        x = x * 1.000001;
    FILE *log = fopen("log.txt", "a");
    for (int i = 0; i < 3; i++) {
        fprintf(log, "%d.%d ", rank, i);
        fflush(log);
        for (int k = 0; k < 1000 * (size - rank); k++)
            x = x * 1.000001;
    }
    /* left open: closed at exit */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        FILE *in = fopen("shared.txt", "r");
        while (fgets(line, sizeof line, in) != NULL)
            printf("%s", line);
        fclose(in);
        in = fopen("log.txt", "r");
        while (fgets(line, sizeof line, in) != NULL)
            printf("%s", line);
        printf("\n");
        fclose(in);
        remove("shared.txt");
        remove("log.txt");
    }
    MPI_Finalize();
    return 0;
}
