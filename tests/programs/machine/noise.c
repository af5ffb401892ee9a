/* The fixed work quantum benchmark: the same work takes the same time, but for what the operating system takes away. */
#include <mpi.h>
#include <stdio.h>

enum { QUANTA = 1000 };

int main(int argc, char **argv)
{
    volatile double x = 0;
    double least = 1e9, most = 0;
    int rank, good, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int q = 0; q < QUANTA; q++) {
        double t = MPI_Wtime();
        for (int i = 0; i < 500; i++)
            x += i;
        t = MPI_Wtime() - t;
        least = t < least ? t : least;
        most = t > most ? t : most;
    }
    /* detours of 25 us: a quantum, shorter than the period, meets none or one of them, perhaps in two parts */
    good = most - least > 24.9e-6 && most - least < 25.1e-6;
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("detours of 25 us: %s\n", all ? "yes" : "no");
    MPI_Finalize();
    return 0;
}
