/* Arguments of collectives that cannot be (MPI-3.1 chapter 5): each fails before it talks to anybody. */
#include "invalid_arguments.h"

#define W MPI_COMM_WORLD
#define I MPI_INT
#define NONE MPI_INFO_NULL

int main(int argc, char **argv)
{
    int in[64] = {0}, out[64] = {0}, counts[8], places[8], size;
    MPI_Datatype types[8], loose;
    MPI_Request request;
    MPI_Op op, freed;

    start(&argc, &argv);
    MPI_Comm_size(W, &size);
    for (int i = 0; i < 8; i++) {
        counts[i] = 1;
        places[i] = 4 * i;
        types[i] = I;
    }
    MPI_Type_contiguous(1, I, &loose);
    MPI_Op_create((MPI_User_function *)finish, 1, &op);
    freed = op;
    MPI_Op_free(&op);

    FAILS(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL));
    FAILS(MPI_ERR_ARG, MPI_Ibarrier(W, NULL));
    FAILS(MPI_ERR_ROOT, MPI_Bcast(in, 1, I, size, W));
    FAILS(MPI_ERR_ROOT, MPI_Bcast(in, 1, I, MPI_ROOT, W));
    FAILS(MPI_ERR_ROOT, MPI_Bcast(in, 1, I, MPI_PROC_NULL, W));
    FAILS(MPI_ERR_COUNT, MPI_Bcast(in, -1, I, 0, W));
    FAILS(MPI_ERR_TYPE, MPI_Bcast(in, 1, loose, 0, W));
    FAILS(MPI_ERR_BUFFER, MPI_Bcast(MPI_IN_PLACE, 1, I, 0, W));
    FAILS(MPI_ERR_BUFFER, MPI_Bcast(NULL, 1, I, 0, W));
    FAILS(MPI_ERR_INFO, MPI_Bcast_init(in, 1, I, 0, W, (MPI_Info)W, &request));
    FAILS(MPI_ERR_OP, MPI_Allreduce(in, out, 1, I, MPI_OP_NULL, W));
    FAILS(MPI_ERR_OP, MPI_Allreduce(in, out, 1, I, freed, W));
    FAILS(MPI_ERR_OP, MPI_Allreduce(in, out, 1, I, (MPI_Op)W, W));
    FAILS(MPI_ERR_OP, MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_BAND, W));
    FAILS(MPI_ERR_OP, MPI_Allreduce(in, out, 1, I, MPI_MAXLOC, W));
    FAILS(MPI_ERR_OP, MPI_Scan(in, out, 1, MPI_BYTE, MPI_SUM, W));
    FAILS(MPI_ERR_BUFFER, MPI_Allreduce(in, MPI_IN_PLACE, 1, I, MPI_SUM, W));
    FAILS(MPI_ERR_BUFFER, MPI_Allreduce(in, in, 1, I, MPI_SUM, W));
    FAILS(MPI_ERR_BUFFER, MPI_Scan(in, in + 1, 4, I, MPI_SUM, W));
    FAILS(MPI_ERR_BUFFER, MPI_Allgather(in, 2, I, in, 2, I, W));
    FAILS(MPI_ERR_BUFFER, MPI_Alltoall(in, 2, I, in + 1, 2, I, W));
    FAILS(MPI_ERR_COUNT, MPI_Gather(in, -1, I, out, 1, I, 0, W));
    FAILS(MPI_ERR_ROOT, MPI_Scatterv(in, counts, places, I, out, 1, I, -5, W));
    FAILS(MPI_ERR_TYPE, MPI_Alltoall(in, 1, MPI_DATATYPE_NULL, out, 1, I, W));
    FAILS(MPI_ERR_ARG, MPI_Allgatherv(in, 1, I, out, NULL, places, I, W));
    FAILS(MPI_ERR_ARG, MPI_Allgatherv(in, 1, I, out, counts, NULL, I, W));
    counts[size - 1] = -2;
    FAILS(MPI_ERR_COUNT, MPI_Allgatherv(in, 1, I, out, counts, places, I, W));
    FAILS(MPI_ERR_COUNT, MPI_Alltoallv(in, counts, places, I, out, counts, places, I, W));
    FAILS(MPI_ERR_COUNT, MPI_Reduce_scatter(in, out, counts, I, MPI_SUM, W));
    counts[size - 1] = 1;
    places[size - 1] = -(1 << 28);
    FAILS(MPI_ERR_BUFFER, MPI_Allgatherv(in, 1, I, out, counts, places, I, W));
    places[size - 1] = -(1 << 29);
    FAILS(MPI_ERR_BUFFER, MPI_Alltoallv(in, counts, places, I, out, counts, places, I, W));
    places[size - 1] = 4 * (size - 1);
    types[size - 1] = loose;
    FAILS(MPI_ERR_TYPE, MPI_Alltoallw(in, counts, places, types, out, counts, places, types, W));
    types[size - 1] = MPI_DATATYPE_NULL;
    FAILS(MPI_ERR_TYPE, MPI_Ialltoallw(in, counts, places, types, out, counts, places, types, W, &request));
    types[size - 1] = I;
    FAILS(MPI_ERR_ARG, MPI_Alltoallw(in, counts, places, NULL, out, counts, places, types, W));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Neighbor_allgather(in, 1, I, out, 1, I, W));
    FAILS(MPI_ERR_TYPE, MPI_Reduce_local(in, out, 1, loose, MPI_SUM));
    FAILS(MPI_ERR_OP, MPI_Reduce_local(in, out, 1, MPI_FLOAT, MPI_LXOR));
    FAILS(MPI_ERR_COUNT, MPI_Reduce_local(in, out, -1, I, MPI_SUM));
    FAILS(MPI_ERR_ARG, MPI_Op_create(NULL, 1, &op));
    FAILS(MPI_ERR_OP, MPI_Op_free(&freed));
    FAILS(MPI_ERR_OP, MPI_Op_free(&(MPI_Op){MPI_SUM}));
    FAILS(MPI_ERR_OP, MPI_Op_commutative(MPI_OP_NULL, &size));
    WORKS(MPI_Allreduce(in, out, 0, I, MPI_SUM, W));
    WORKS(MPI_Alltoall(NULL, 0, I, NULL, 0, I, W));
    WORKS(MPI_Barrier(W));
    MPI_Type_free(&loose);
    return finish();
}
