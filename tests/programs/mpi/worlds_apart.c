/* Connected worlds end together: MPI_Finalize of the parents waits for children that are connected, also through
 * MPI_Comm_free or a third world, and for no others; MPI_Abort of children ends those who are connected with them. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void compute(int turns)
{
    for (volatile int i = 0; i < turns; i++)
        ;
}

static int child(const char *program, MPI_Comm parent, const char *what)
{
    int rank;
    MPI_Comm grandchildren;
    char *arguments[] = {"alone", NULL};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!strcmp(what, "abort") || !strcmp(what, "leave") || !strcmp(what, "alone"))
        MPI_Comm_disconnect(&parent);
    if (!strcmp(what, "free"))
        MPI_Comm_free(&parent);
    if (!strcmp(what, "abort")) {
        compute(10000);
        if (rank == 1)
            MPI_Abort(MPI_COMM_SELF, 3);
        compute(100000000);
        printf("not reached\n");
    }
    if (!strcmp(what, "more"))
        MPI_Comm_spawn(program, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &grandchildren, MPI_ERRCODES_IGNORE);
    if (!strcmp(what, "more"))
        MPI_Comm_disconnect(&grandchildren);
    compute(!strcmp(what, "alone") ? 3000000 : 1000000);
    printf("%s: child %d ends\n", what, rank);
    MPI_Finalize();
    return 0;
}

int main(int argc, char **argv)
{
    static char *kinds[] = {"abort", "leave", "keep", "free", "more"};
    MPI_Comm parent, children;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL)
        return child(argv[0], parent, argv[1]);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; i++) {
        char *arguments[] = {kinds[i], NULL};
        MPI_Comm_spawn(argv[0], arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
        if (i < 2)
            MPI_Comm_disconnect(&children);
        else if (i == 3)
            MPI_Comm_free(&children);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    printf("parent %d waits\n", rank);
    MPI_Finalize();
    printf("parent %d ends\n", rank);
    return 0;
}
