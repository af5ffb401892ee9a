/* Rows of 100 in turned order, and everybody in turned order. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, row_rank, row_size, all_rank, all_size, sum;
    MPI_Comm row, all, copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 100, -rank, &row);
    MPI_Comm_split(MPI_COMM_WORLD, 5, -rank, &all);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_rank(row, &row_rank);
    MPI_Comm_size(row, &row_size);
    MPI_Comm_rank(all, &all_rank);
    MPI_Comm_size(all, &all_size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, row);
    if (rank == 7)
        printf("rank %d: %d of %d, sum %d; %d of %d\n", rank, row_rank, row_size, sum, all_rank, all_size);
    MPI_Comm_free(&row);
    MPI_Comm_free(&all);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
