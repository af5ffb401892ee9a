/* Splitting by hardware: ranks that share memory are together, and nothing divides them further (MPI-4.0 section
 * 7.4.2). Without the info that names it, guided splitting finds no hardware. */
#include "in_order.h"

int main(int argc, char **argv)
{
    int rank, size, all, at, n;
    MPI_Comm node, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &n);
    MPI_Comm_rank(node, &at);
    MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, node);
    say("rank %d is %d of %d, sum %d\n", rank, at, n, all);
    MPI_Comm_split_type(MPI_COMM_WORLD, rank ? MPI_COMM_TYPE_SHARED : MPI_UNDEFINED, 0, MPI_INFO_NULL, &other);
    say("rank %d is %s\n", rank, other == MPI_COMM_NULL ? "outside" : "inside");
    if (other != MPI_COMM_NULL)
        MPI_Comm_free(&other);
    MPI_Comm_free(&node);
    say_all();
    MPI_Finalize();
    return 0;
}
