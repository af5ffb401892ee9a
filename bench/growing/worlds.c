/* Worlds that are spawned one after the other, and all are there until the end.     worlds COUNT */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Comm parent;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        int count = atoi(argv[1]), sum = 0;
        MPI_Comm *worlds = malloc(sizeof *worlds * count);
        for (int i = 0; i < count; i++)
            MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &worlds[i], MPI_ERRCODES_IGNORE);
        for (int i = 0; i < count; i++) {
            int got;
            MPI_Send(&i, 1, MPI_INT, 0, 0, worlds[i]);
            MPI_Recv(&got, 1, MPI_INT, 0, 0, worlds[i], MPI_STATUS_IGNORE);
            sum += got == i;
        }
        printf("%d\n", sum);
        free(worlds);
    } else {
        int number;
        MPI_Recv(&number, 1, MPI_INT, 0, 0, parent, MPI_STATUS_IGNORE);
        MPI_Send(&number, 1, MPI_INT, 0, 0, parent);
    }
    MPI_Finalize();
    return 0;
}
