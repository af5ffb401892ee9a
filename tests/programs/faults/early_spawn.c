/* LAM's early process creation is told of when it is called. */
#include <mpi_lam.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm child;
    MPI_Init(&argc, &argv);
    puts("before");
    MPI_Spawn("worker", argv, 3, 0, MPI_COMM_WORLD, &child);
    puts("behind");
    MPI_Finalize();
    return 0;
}
