/* MPI_Comm_spawn_multiple: several programs in one MPI_COMM_WORLD, numbered by MPI_APPNUM; info keys. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char path[4096] = __FILE__, *commands[] = {"./spawned", "spawned", "spawned.c"}, *one[] = {"a", NULL}, *two[] = {"b", "c", NULL}, *none[] = {NULL};
    char **arguments[] = {one, two, none};
    int counts[] = {1, 2, 4}, codes[7], rank, n;
    MPI_Info infos[3];
    MPI_Comm children;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&children);
    if (children != MPI_COMM_NULL) {
        MPI_Barrier(children);
        MPI_Comm_disconnect(&children);
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *strrchr(path, '/') = '\0';
    for (int i = 0; i < 3; i++) {
        MPI_Info_create(&infos[i]);
        MPI_Info_set(infos[i], "path", path);
    }
    MPI_Info_set(infos[1], "arch", "vcode");
    MPI_Info_set(infos[1], "host", "node0, node1:2");
    MPI_Info_set(infos[2], "soft", "0:6:3");
    MPI_Comm_spawn_multiple(3, commands, arguments, counts, infos, 1, MPI_COMM_WORLD, &children, codes);
    MPI_Comm_remote_size(children, &n);
    MPI_Barrier(children);
    if (rank == 0)
        printf("%d processes, codes %d %d %d %d %d %d %d\n", n, codes[0], codes[1], codes[2], codes[3], codes[4],
               codes[5], codes[6] == MPI_ERR_SPAWN);
    MPI_Comm_disconnect(&children);
    MPI_Comm_spawn_multiple(1, argv, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_WORLD, &children,
                            MPI_ERRCODES_IGNORE);
    MPI_Barrier(children);
    MPI_Comm_disconnect(&children);
    for (int i = 0; i < 3; i++)
        MPI_Info_free(&infos[i]);
    MPI_Finalize();
    return 0;
}
