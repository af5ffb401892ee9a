/* Requests that are open at a time, completed all at once or as MPI_Waitsome tells.     requests COUNT SOME ORDER */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, sum = 0, count = atoi(argv[1]), some = atoi(argv[2]), last_first = atoi(argv[3]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *values = malloc(sizeof *values * count), *which = malloc(sizeof *which * count);
    MPI_Request *requests = malloc(sizeof *requests * count);
    for (int i = 0; rank == 1 && i < count; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < count; i++)
        MPI_Isend(&values[i], 1, MPI_INT, 1, last_first ? count - 1 - i : i, MPI_COMM_WORLD, &requests[i]);
    if (some && rank == 1) {
        for (int done = 0, n; done < count; done += n) {
            MPI_Waitsome(count, requests, &n, which, MPI_STATUSES_IGNORE);
            sum += n;
        }
    } else {
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    }
    if (rank == 1)
        printf("%d\n", sum > 0);
    MPI_Finalize();
    free(values);
    free(which);
    free(requests);
    return 0;
}
