/* What other libraries let pass, and the standard does not. */
#include <mpi.h>
#include <stdio.h>

static int last[4]; /* the program's variables end behind it */

int main(int argc, char **argv)
{
    int four[4] = {1, 2, 3, 4}, rank;
    MPI_Aint in, out;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    in = rank;
    MPI_Irecv(last, 4096, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Send(four, 4, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(&in, &out, 1, MPI_AINT, MPI_LOR, MPI_COMM_WORLD);
    MPI_Bcast(NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d\n", last[3], (int)out);
    MPI_Finalize();
    return 0;
}
