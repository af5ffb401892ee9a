/* Corrections that editors can apply: the datatype that fits, where the line names the wrong one itself. */
/* options: -Wall */
#include <mpi.h>
#define T MPI_INT
#define SEND(buf) MPI_Send(buf, 1, MPI_INT, 1, 0, MPI_COMM_WORLD)
int main(int argc, char **argv)
{
    int i = 0, r; double x = 0; unsigned u = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    MPI_Sendrecv(&i, 1, MPI_INT, 0, 0, &x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&x, 1, MPI_INT, 0, 0, &i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, T, 1, 0, MPI_COMM_WORLD);
    SEND(&x);
    MPI_Send(&u, 1, MPI_INT, r ? 0 : 1, 0, MPI_COMM_WORLD); MPI_Send(&x, 1, (MPI_INT), 1, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
