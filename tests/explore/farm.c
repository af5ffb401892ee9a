#include <mpi.h>
#include <stdio.h>
/* master and workers: JOBS jobs, results as they come */
#ifndef JOBS
#define JOBS 4
#endif
int main(int argc, char **argv)
{
    int rank, size, job, sent = 0;
    double sum = 0, result;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 1; i < size; i++, sent++)
            MPI_Send(&sent, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
        for (int done = 0; done < sent; done++) {
            MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            sum += result;
            int tag = sent < JOBS;
            MPI_Send(&sent, 1, MPI_INT, status.MPI_SOURCE, tag, MPI_COMM_WORLD);
            sent += tag;
        }
        printf("%.17g\n", sum);
    } else {
        for (;;) {
            MPI_Recv(&job, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (status.MPI_TAG == 0)
                break;
            result = 1.0 / (job + 3);
            MPI_Send(&result, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
}
