/* What is sent must have been set: a number of an array, a member that its type names. Padding is nobody's. */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct Point {
    char kind;
    double x, y;
} Point;

static MPI_Datatype point_type(void)
{
    int lengths[] = {1, 1, 1};
    MPI_Aint places[] = {offsetof(Point, kind), offsetof(Point, x), offsetof(Point, y)};
    MPI_Datatype parts[] = {MPI_CHAR, MPI_DOUBLE, MPI_DOUBLE}, type;
    MPI_Type_create_struct(3, lengths, places, parts, &type);
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv)
{
    int rank, some[4];
    Point whole, part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype type = point_type();
    whole.kind = 'a';
    whole.x = whole.y = 1;
    part.kind = 'b';
    part.x = 2;
    some[0] = some[1] = some[3] = rank;
    int *more = malloc(4 * sizeof *more);
    if (rank == 0) {
        MPI_Send(&whole, sizeof whole, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&whole, 1, type, 1, 0, MPI_COMM_WORLD);
        MPI_Send(some, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(some, 4, MPI_INT, 1, 0, MPI_COMM_WORLD); /* some[2] */
        MPI_Send(&part, 1, type, 1, 0, MPI_COMM_WORLD);   /* part.y */
        MPI_Send(more, 4, MPI_INT, 1, 0, MPI_COMM_WORLD); /* all of it */
    } else {
        MPI_Recv(&whole, sizeof whole, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&whole, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(some, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(some, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&part, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(more, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (some[2] + more[2] > 0 && part.y > 0) /* its sender has been told */
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    free(more);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
