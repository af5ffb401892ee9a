/* A ring of cells, one per rank, averages with its neighbours: 100 rounds of nearest-neighbour exchange. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    double mine, left, right, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int before = (rank + size - 1) % size, behind = (rank + 1) % size;
    mine = rank == 0 ? size : 0;
    for (int i = 0; i < 100; i++) {
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, behind, 0, &left, 1, MPI_DOUBLE, before, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, before, 1, &right, 1, MPI_DOUBLE, behind, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        mine = 0.25 * left + 0.5 * mine + 0.25 * right;
    }
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", sum > size - 1e-6 && sum < size + 1e-6 ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
