/* The buffers of a collective must not overlap (MPI-4.1 section 6.1): the call fails where that is plain to see, and the
 * other members do not notice if all make the call again with buffers apart. Neighbouring and interleaved data is none of
 * that. */
#include <mpi.h>
#include <stdio.h>

static int rank, size, failures;

static void expect(const char *what, int code, int class)
{
    int got;
    MPI_Error_class(code, &got);
    if (got != class) {
        printf("rank %d: %s: class %d instead of %d\n", rank, what, got, class);
        failures++;
    }
}

int main(int argc, char **argv)
{
    int data[16] = {0}, other[16] = {0}, counts[4] = {2, 2, 2, 2}, places[4] = {0, 2, 4, 6}, odd[4] = {2, 6, 10, 14};
    MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    MPI_Request request;
    MPI_Comm ring;
    int periods = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect("allreduce", MPI_Allreduce(data, data + 1, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    expect("apart", MPI_Allreduce(data, data + 2, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
    expect("in place", MPI_Allreduce(MPI_IN_PLACE, data, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
    expect("nothing", MPI_Allreduce(data, data, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
    expect("allgather", MPI_Allgather(data + 2 * rank, 2, MPI_INT, data, 2, MPI_INT, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    expect("alltoallv", MPI_Alltoallv(data, counts, places, MPI_INT, data, counts, places, MPI_INT, MPI_COMM_WORLD),
           MPI_ERR_BUFFER);
    for (int i = 0; i < 4; i++)
        places[i] = 16 * i, odd[i] = 16 * i + 8;
    expect("interleaved", MPI_Alltoallw(data, counts, places, types, data, counts, odd, types, MPI_COMM_WORLD),
           MPI_SUCCESS);
    odd[size - 1] -= 4;
    expect("alltoallw", MPI_Ialltoallw(data, counts, places, types, data, counts, odd, types, MPI_COMM_WORLD, &request),
           MPI_ERR_BUFFER);
    expect("scan", MPI_Scan_init(data, data, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
           MPI_ERR_BUFFER);
    expect("exscan", MPI_Exscan(data, data, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    if (rank == 0)
        expect("gather", MPI_Gather(data, 2, MPI_INT, data, 2, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    expect("gather again", MPI_Gather(data, 2, MPI_INT, other, 2, MPI_INT, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods, 0, &ring);
    expect("neighbours", MPI_Neighbor_allgather(data + 1, 1, MPI_INT, data, 1, MPI_INT, ring), MPI_ERR_BUFFER);
    MPI_Comm_free(&ring);

    expect("local in", MPI_Reduce_local(MPI_IN_PLACE, data, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    expect("local inout", MPI_Reduce_local(data, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    expect("local both", MPI_Reduce_local(data, data + 1, 2, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    expect("local operator", MPI_Reduce_local(data, other, 2, MPI_DOUBLE, MPI_BAND), MPI_ERR_OP);
    int dims[2] = {size, size};
    int cyclic[2] = {0, 0};
    ring = MPI_COMM_WORLD;
    expect("too large a grid", MPI_Cart_create(MPI_COMM_WORLD, 2, dims, cyclic, 0, &ring), MPI_ERR_ARG);
    expect("and no communicator", ring != MPI_COMM_NULL, 0);
    MPI_Reduce(rank ? &failures : MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!rank)
        printf("%d failures\n", failures);
    MPI_Finalize();
    return 0;
}
