/* A program for CPPE-MPI: mpi4.h, and MPI_main for main; LAM's mpi_lam.h as long as nothing of it is called. */
#include <mpi1.h>
#include <mpi2.h>
#include <mpi4.h>
#include <mpi8.h>
#include <mpi_lam.h>
#include <stdio.h>

static void spawn_later(char **argv)
{
    MPI_Comm child;
    char port[100];
    MPI_Spawn("worker", argv, 3, 0, MPI_COMM_WORLD, &child);
    MPI_Port_open(MPI_COMM_WORLD, port);
    MPI_Name_get("server", port);
}

int MPI_main(int argc, char **argv)
{
    int rank, *universe, found, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &found);
    MPIL_Universe_size(&size);
    if (argc > 5)
        spawn_later(argv);
    if (rank == 0)
        printf("%d %d %d %d\n", argc, *universe, size, MPI_COMM_PARENT == MPI_COMM_NULL);
    MPI_Finalize();
    return 0;
}
