/* A program may define MPI_ functions of its own and call the real ones by their PMPI_ names (MPI-3.1 section 14.2). */
#include "in_order.h"

static int sends, bytes;

int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    int size;
    PMPI_Type_size(datatype, &size);
    sends++;
    bytes += count * size;
    return PMPI_Send(buf, count, datatype, dest, tag, comm);
}

int MPI_Finalize(void)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    say("rank %d: %d sends of %d bytes\n", rank, sends, bytes);
    say_all();
    return PMPI_Finalize();
}

int main(int argc, char **argv)
{
    int rank, size;
    double values[5] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int to = 0; to < rank; to++)
        MPI_Send(values, to + 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
    for (int from = rank + 1; from < size; from++)
        MPI_Recv(values, 5, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return MPI_Finalize();
}
