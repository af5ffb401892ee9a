#include <mpi.h>
#include <stdlib.h>
static int look(int rank) { int flag; MPI_Iprobe(0, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); return flag + rank; }
int main(int argc, char **argv)
{
    int rank, size;
    char *b = calloc(1, 1 << 16);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Request r[16];
    if (rank == 0)
        for (int i = 1; i < size; i++) MPI_Irecv(b, 8000, MPI_CHAR, i, 0, MPI_COMM_WORLD, &r[i]);
    else { MPI_Send(b, 8000, MPI_CHAR, 0, 0, MPI_COMM_WORLD); }
    for (int i = 0; rank == 0 && i < 60; i++) look(i);
    if (rank == 0) MPI_Waitall(size - 1, r + 1, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
