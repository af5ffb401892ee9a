/* Time is up between, or within, calls that touch files: what is counted until then does not depend on whether such a
 * call had to wait for its turn, with calls of MPI and sleeps in between. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size;
    char name[24];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "cut-off-%d.txt", rank);
    FILE *file = fopen(name, "w");
    remove(name);
    for (int i = 0; i < 100000; i++) {
        fprintf(file, "%d\n", i);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        if (i % 3 == rank)
            usleep(1);
        putc('x', file);
        if (i % 8 == 0)
            fflush(file);
        if (i % 16 == 0)
            MPI_Wtime();
    }
    return 0;
}
