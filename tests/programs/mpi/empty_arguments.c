/* What is not significant may be anything: types, buffers and arrays of calls that move nothing, and those of the other
 * side of a collective (MPI-3.1 sections 3.2.2, 3.11, 5.2 to 5.9). MPI_DATATYPE_NULL stands for the type of 0 items, as
 * other libraries let it. */
#include "invalid_arguments.h"

#define WORLD MPI_COMM_WORLD
#define NONE  MPI_DATATYPE_NULL

static int rank, size, zeros[8], ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, places[8] = {0, 1, 2, 3, 4, 5, 6, 7};

static void nothing_to_move(void)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size, position = 0;
    char packed[8];
    MPI_Request request;
    MPI_Status status;
    MPI_Message message;
    MPI_Datatype types[8] = {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE};

    WORKS(MPI_Sendrecv(NULL, 0, NONE, right, 0, NULL, 0, NONE, left, 0, WORLD, &status));
    WORKS(MPI_Sendrecv_replace(NULL, 0, NONE, right, 0, left, 0, WORLD, &status));
    WORKS(MPI_Isend(NULL, 0, NONE, rank, 1, WORLD, &request));
    WORKS(MPI_Recv(NULL, 0, NONE, rank, 1, WORLD, &status));
    WORKS(MPI_Wait(&request, &status));
    WORKS(MPI_Isend(NULL, 0, NONE, rank, 1, WORLD, &request));
    WORKS(MPI_Mprobe(rank, 1, WORLD, &message, &status));
    WORKS(MPI_Mrecv(NULL, 0, NONE, &message, &status));
    WORKS(MPI_Wait(&request, &status));
    WORKS(MPI_Send_init(NULL, 0, NONE, rank, 1, WORLD, &request));
    WORKS(MPI_Request_free(&request));
    WORKS(MPI_Bcast(NULL, 0, NONE, 0, WORLD));
    WORKS(MPI_Ibcast(NULL, 0, NONE, 0, WORLD, &request));
    WORKS(MPI_Wait(&request, &status));
    WORKS(MPI_Reduce(NULL, NULL, 0, NONE, MPI_SUM, 0, WORLD));
    WORKS(MPI_Allreduce(NULL, NULL, 0, NONE, MPI_MAXLOC, WORLD));
    WORKS(MPI_Gather(NULL, 0, NONE, NULL, 0, NONE, 0, WORLD));
    WORKS(MPI_Gatherv(NULL, 0, NONE, NULL, zeros, zeros, NONE, 0, WORLD));
    WORKS(MPI_Scatter(NULL, 0, NONE, NULL, 0, NONE, 0, WORLD));
    WORKS(MPI_Scatterv(NULL, zeros, zeros, NONE, NULL, 0, NONE, 0, WORLD));
    WORKS(MPI_Allgather(NULL, 0, NONE, NULL, 0, NONE, WORLD));
    WORKS(MPI_Allgatherv(NULL, 0, NONE, NULL, zeros, zeros, NONE, WORLD));
    WORKS(MPI_Alltoall(NULL, 0, NONE, NULL, 0, NONE, WORLD));
    WORKS(MPI_Alltoallv(NULL, zeros, zeros, NONE, NULL, zeros, zeros, NONE, WORLD));
    WORKS(MPI_Alltoallw(NULL, zeros, zeros, types, NULL, zeros, zeros, types, WORLD));
    WORKS(MPI_Reduce_scatter(NULL, NULL, zeros, NONE, MPI_SUM, WORLD));
    WORKS(MPI_Reduce_scatter_block(NULL, NULL, 0, NONE, MPI_SUM, WORLD));
    WORKS(MPI_Scan(NULL, NULL, 0, NONE, MPI_SUM, WORLD));
    WORKS(MPI_Exscan(NULL, NULL, 0, NONE, MPI_SUM, WORLD));
    WORKS(MPI_Reduce_local(NULL, NULL, 0, NONE, MPI_SUM));
    WORKS(MPI_Pack(NULL, 0, NONE, packed, 8, &position, WORLD));
    WORKS(MPI_Unpack(packed, 8, &position, NULL, 0, NONE, WORLD));
    FAILS(MPI_ERR_TYPE, MPI_Send(zeros, 1, NONE, rank, 1, WORLD));
    FAILS(MPI_ERR_TYPE, MPI_Reduce_local(zeros, ones, 1, NONE, MPI_SUM));
    FAILS(MPI_ERR_OP, MPI_Allreduce(NULL, NULL, 0, NONE, MPI_OP_NULL, WORLD));
}

/* Arguments that count at the root only, or not beside MPI_IN_PLACE. */
static void not_significant(void)
{
    void *wild = (void *)12345;
    int one = 1, all[8] = {0}, root = rank == 0;
    MPI_Datatype no_type = (MPI_Datatype)0x77777;

    WORKS(MPI_Gather(&one, 1, MPI_INT, root ? all : wild, root ? 1 : -5, root ? MPI_INT : no_type, 0, WORLD));
    WORKS(MPI_Gatherv(&one, 1, MPI_INT, root ? all : wild, root ? ones : wild, root ? places : wild,
                      root ? MPI_INT : no_type, 0, WORLD));
    WORKS(MPI_Scatter(root ? all : wild, root ? 1 : -5, root ? MPI_INT : no_type, &one, 1, MPI_INT, 0, WORLD));
    WORKS(MPI_Scatterv(root ? all : wild, root ? ones : wild, root ? places : wild, root ? MPI_INT : no_type, &one, 1,
                       MPI_INT, 0, WORLD));
    WORKS(MPI_Reduce(&one, root ? all : wild, 1, MPI_INT, MPI_SUM, 0, WORLD));
    WORKS(MPI_Exscan(&one, root ? wild : all, 1, MPI_INT, MPI_SUM, WORLD));
    WORKS(MPI_Gather(root ? MPI_IN_PLACE : &one, root ? -9 : 1, root ? no_type : MPI_INT, root ? all : wild,
                     root ? 1 : -5, root ? MPI_INT : no_type, 0, WORLD));
    WORKS(MPI_Scatter(root ? all : wild, root ? 1 : -5, root ? MPI_INT : no_type, root ? MPI_IN_PLACE : &one,
                      root ? -9 : 1, root ? no_type : MPI_INT, 0, WORLD));
    WORKS(MPI_Allgather(MPI_IN_PLACE, -4, no_type, all, 1, MPI_INT, WORLD));
    WORKS(MPI_Allgatherv(MPI_IN_PLACE, -4, no_type, all, ones, places, MPI_INT, WORLD));
    WORKS(MPI_Alltoall(MPI_IN_PLACE, -4, no_type, all, 1, MPI_INT, WORLD));
    WORKS(MPI_Alltoallv(MPI_IN_PLACE, wild, wild, no_type, all, ones, places, MPI_INT, WORLD));
    WORKS(MPI_Exscan(MPI_IN_PLACE, all, 1, MPI_INT, MPI_SUM, WORLD));
}

/* Nobody looks at the buffer of what goes nowhere. */
static void to_nobody(void)
{
    void *wild = (void *)12345;
    MPI_Request request;
    MPI_Status status;

    WORKS(MPI_Send(wild, 5, MPI_INT, MPI_PROC_NULL, 0, WORLD));
    WORKS(MPI_Recv(wild, 5, MPI_INT, MPI_PROC_NULL, 0, WORLD, &status));
    WORKS(MPI_Sendrecv(wild, 5, MPI_INT, MPI_PROC_NULL, 0, wild, 5, MPI_INT, MPI_PROC_NULL, 0, WORLD, &status));
    WORKS(MPI_Irecv(wild, 5, MPI_INT, MPI_PROC_NULL, 0, WORLD, &request));
    WORKS(MPI_Wait(&request, &status));
    WORKS(MPI_Send_init(wild, 5, MPI_INT, MPI_PROC_NULL, 0, WORLD, &request));
    WORKS(MPI_Start(&request));
    WORKS(MPI_Wait(&request, &status));
    WORKS(MPI_Request_free(&request));
    FAILS(MPI_ERR_COUNT, MPI_Send(wild, -5, MPI_INT, MPI_PROC_NULL, 0, WORLD));
    FAILS(MPI_ERR_BUFFER, MPI_Send(NULL, 5, MPI_INT, MPI_PROC_NULL, 0, WORLD));
}

static void logical_operators(void)
{
    MPI_Aint a = rank == 0, b = 0;
    MPI_Offset c = rank == 0, d = 0;
    MPI_Count e = rank == 0, f = 0;

    WORKS(MPI_Allreduce(&a, &b, 1, MPI_AINT, MPI_LOR, WORLD));
    WORKS(MPI_Allreduce(&c, &d, 1, MPI_OFFSET, MPI_LAND, WORLD));
    WORKS(MPI_Allreduce(&e, &f, 1, MPI_COUNT, MPI_LXOR, WORLD));
    if (b != 1 || d != (size == 1) || f != 1)
        printf("rank %d: %d %d %d\n", rank, (int)b, (int)d, (int)f);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    nothing_to_move();
    not_significant();
    to_nobody();
    logical_operators();
    return finish();
}
