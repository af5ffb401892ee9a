/* Sends of every kind beside each other: those that can go without ado, and all that look like them but cannot
 * (MPI-3.1 sections 3.2, 3.4, 3.11, 6.6). */
#include <mpi.h>
#include <stdio.h>

enum { MOST = 40000 };
static char data[MOST];

static void pass(const char *what, int rank, int to, int from, int count, MPI_Datatype type, int tag, MPI_Comm comm)
{
    MPI_Status status;
    int got = -1;
    if (rank % 2 == 0)
        MPI_Send(data, count, type, to, tag, comm);
    MPI_Recv(data, count, type, from, MPI_ANY_TAG, comm, &status);
    if (rank % 2 == 1)
        MPI_Send(data, count, type, to, tag, comm);
    MPI_Get_count(&status, type, &got);
    if (rank == 0)
        printf("%s: %d items, tag %d\n", what, got, status.MPI_TAG == MPI_ANY_TAG ? -1 : status.MPI_TAG);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;

    pass("one int", rank, next, last, 1, MPI_INT, 0, MPI_COMM_WORLD);
    pass("64 bytes", rank, next, last, 64, MPI_CHAR, 1, MPI_COMM_WORLD);
    pass("65 bytes", rank, next, last, 65, MPI_BYTE, 2, MPI_COMM_WORLD);
    pass("nothing", rank, next, last, 0, MPI_DOUBLE, 3, MPI_COMM_WORLD);
    pass("pairs", rank, next, last, 3, MPI_DOUBLE_INT, 4, MPI_COMM_WORLD);
    pass("the longest that is not asked for", rank, next, last, 16384, MPI_CHAR, 5, MPI_COMM_WORLD);
    pass("one more", rank, next, last, 16385, MPI_CHAR, 6, MPI_COMM_WORLD);
    pass("to nobody", rank, MPI_PROC_NULL, MPI_PROC_NULL, 5, MPI_INT, 7, MPI_COMM_WORLD);

    MPI_Datatype column;
    MPI_Type_vector(8, 1, 16, MPI_INT, &column);
    MPI_Type_commit(&column);
    pass("a column", rank, next, last, 2, column, 8, MPI_COMM_WORLD);
    MPI_Type_free(&column);

    MPI_Comm back, halves, inter;
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &back); /* the other way round */
    int own;
    MPI_Comm_rank(back, &own);
    pass("another communicator", rank, (own + 1) % size, (own + size - 1) % size, 10, MPI_SHORT, 9, back);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &halves);
    MPI_Intercomm_create(halves, 0, MPI_COMM_WORLD, 1 - rank % 2, 77, &inter);
    pass("the other group", rank, rank / 2, rank / 2, 4, MPI_LONG, 10, inter);

    /* what comes is left lying while the rank sends */
    MPI_Request requests[2];
    int there = rank, come[2] = {-1, -1};
    MPI_Irecv(&come[0], 1, MPI_INT, last, 11, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&come[1], 1, MPI_INT, last, 12, MPI_COMM_WORLD, &requests[1]);
    for (int tag = 11; tag <= 12; tag++)
        MPI_Send(&there, 1, MPI_INT, next, tag, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

    if (rank == 0)
        printf("both from %d and %d\n", come[0], come[1]);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&halves);
    MPI_Comm_free(&back);
    MPI_Finalize();
    return 0;
}
