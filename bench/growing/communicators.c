/* Communicators that are made and kept, each used once; then freed.     communicators COUNT */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, sum = 0, count = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm *all = malloc(sizeof *all * count);
    for (int i = 0; i < count; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, (rank + i) % 2, 0, &all[i]);
        MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, all[i]);
    }
    for (int i = 0; i < count; i++)
        MPI_Comm_free(&all[i]);
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    free(all);
    return 0;
}
