#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size, values[8], done = 0;
    MPI_Request requests[8];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Irecv(&values[i - 1], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &requests[i - 1]);
        while (done < size - 1) {
            int n, indices[8];
            MPI_Waitsome(size - 1, requests, &n, indices, MPI_STATUSES_IGNORE);
            for (int i = 0; i < n; i++)
                printf("%d%s", indices[i], i + 1 < n ? "+" : " ");
            done += n;
        }
        printf("\n");
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
