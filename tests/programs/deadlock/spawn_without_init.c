/* A process that was started ends without MPI_Init, for which MPI_Comm_spawn waits. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    char *arguments[] = {"child", NULL};
    MPI_Comm children;
    if (argc > 1)
        return 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_spawn(argv[0], arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    MPI_Finalize();
    return 0;
}
