/* A thousand times, one after the other: start a process, ask it, let it end. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm parent, child;
    int rank, number;
    long sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (parent != MPI_COMM_NULL) {
        MPI_Bcast(&number, 1, MPI_INT, 0, parent);
        MPI_Reduce(&number, NULL, 1, MPI_INT, MPI_SUM, 0, parent);
        MPI_Comm_disconnect(&parent);
        MPI_Finalize();
        return 0;
    }
    int root = rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    for (number = 0; number < 1000; number++) {
        int answer = 0;
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child, MPI_ERRCODES_IGNORE);
        MPI_Bcast(&number, 1, MPI_INT, root, child);
        MPI_Reduce(NULL, &answer, 1, MPI_INT, MPI_SUM, root, child);
        sum += answer;
        MPI_Comm_disconnect(&child);
    }
    if (rank == 0)
        printf("%ld\n", sum);
    MPI_Finalize();
    return 0;
}
