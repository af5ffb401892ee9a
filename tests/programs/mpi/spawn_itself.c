/* MPI_Comm_spawn of the program itself: arguments, MPI_COMM_WORLD, parent, messages and collectives between worlds, and
 * a communicator of both (MPI-4.1 section 11.8). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void child(MPI_Comm parent, int argc, char **argv)
{
    char name[MPI_MAX_OBJECT_NAME];
    int rank, size, parents, length, number, *appnum, flag, inter;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_remote_size(parent, &parents);
    MPI_Comm_test_inter(parent, &inter);
    MPI_Comm_get_name(parent, name, &length);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &appnum, &flag);
    printf("child %d of %d: %d arguments %s %s, %d parents, %s, inter %d, number %d\n", rank, size, argc - 1, argv[1],
           argv[2], parents, name, inter, *appnum);
    MPI_Recv(&number, 1, MPI_INT, 0, 7, parent, MPI_STATUS_IGNORE);
    number += rank;
    MPI_Send(&number, 1, MPI_INT, 0, 8, parent);
}

static void parent(MPI_Comm children, int rank)
{
    int n, sum = 0;
    MPI_Comm_remote_size(children, &n);
    for (int i = 0; rank == 0 && i < n; i++) {
        int number = 100 * i;
        MPI_Send(&number, 1, MPI_INT, i, 7, children);
    }
    for (int i = 0; rank == 0 && i < n; i++) {
        MPI_Status status;
        int number;
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 8, children, &status);
        sum += number + (status.MPI_SOURCE >= n);
    }
    if (rank == 0)
        printf("answers: %d\n", sum);
}

int main(int argc, char **argv)
{
    MPI_Comm between, all, again;
    int rank, size, codes[3] = {-1, -1, -1}, *universe, flag, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&between);
    int started = between != MPI_COMM_NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (started) {
        child(between, argc, argv);
    } else {
        char *arguments[] = {"two", "words", NULL};
        MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &flag);
        MPI_Comm_spawn(argv[0], arguments, 3, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between, codes);
        if (codes[0] || codes[1] || codes[2] || !flag || *universe < 1)
            printf("wrong: codes %d %d %d\n", codes[0], codes[1], codes[2]);
        parent(between, rank);
    }
    MPI_Intercomm_merge(between, started, &all);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all);
    if (sum != size * (size - 1) / 2)
        printf("wrong: sum %d\n", sum);
    if (rank == size - 1)
        printf("the last of %d was %s\n", size, started ? "started" : "there before");
    int colour = rank % 2, all_size;
    MPI_Comm_split(all, colour, -rank, &again); /* a group of both worlds */
    MPI_Comm_size(again, &all_size);
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_MAX, 0, again);
    MPI_Comm_rank(again, &rank);
    if (rank == 0)
        printf("colour %d has %d, the largest is %d\n", colour, all_size, sum);
    MPI_Comm_free(&again);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&between);
    MPI_Comm_get_parent(&between);
    if (between != MPI_COMM_NULL)
        printf("wrong: a parent after MPI_Comm_disconnect\n");
    MPI_Finalize();
    return 0;
}
