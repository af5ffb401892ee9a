/* mpi_main.c - a program whose entry is MPI_main, in the old style of function definition.
 *
 * Some simulators and embedded MPI systems of the past called a program's entry MPI_main. Orrery starts there if there
 * is no main.
 *
 * Run:      orrery run -n 5 samples/mpi_main.c
 * Look at:  a scan leaves each rank with the sum over itself and all ranks below.
 * Change:   MPI_Exscan leaves each rank itself out; what does rank 0 get?
 */
#include <mpi.h>
#include <stdio.h>

int triangle(n)
int n;
{
    return n * (n + 1) / 2;
}

int MPI_main(argc, argv)
int argc;
char **argv;
{
    int rank, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("Rank %d: 0 + ... + %d = %d, expected %d\n", rank, rank, sum, triangle(rank));
    MPI_Finalize();
    return 0;
}
