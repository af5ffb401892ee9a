/* Buffers that are the same are a mistake of the rank that passes them (MPI-3.1 section 2.3, 5.1): it gets the error,
 * the others, whose call is right, go on, and the next collective of the communicator brings all together again. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, in, sum = 0, all[8], error_class, root_class = MPI_SUCCESS, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    in = rank + 1;
    MPI_Error_class(MPI_Reduce(&in, rank == 0 ? &in : &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD), &root_class);
    wrong += rank == 0 ? root_class != MPI_ERR_BUFFER : root_class != MPI_SUCCESS;
    MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong += sum != size * (size + 1) / 2;
    all[0] = in;
    MPI_Error_class(MPI_Gather(rank == 0 ? all : &in, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD), &error_class);
    wrong += rank == 0 ? error_class != MPI_ERR_BUFFER : error_class != MPI_SUCCESS;
    MPI_Allreduce(MPI_IN_PLACE, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong += in != sum;
    MPI_Allreduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("wrong: %d\n", sum);
    MPI_Finalize();
    return 0;
}
