/* Blocks that come in must not overlap; interleaved ones do not (MPI-3.1 section 5.5). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, column[4] = {0}, matrix[16], counts[2] = {1, 1}, places[2] = {0, 1};
    MPI_Datatype type, narrow;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(4, 1, 2, MPI_INT, &type);
    MPI_Type_create_resized(type, 0, sizeof(int), &narrow);
    MPI_Type_commit(&narrow);
    MPI_Gatherv(column, 4, MPI_INT, matrix, counts, places, narrow, 0, MPI_COMM_WORLD);
    places[1] = 2;
    MPI_Gatherv(column, 4, MPI_INT, matrix, counts, places, narrow, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
