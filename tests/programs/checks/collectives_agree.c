/* Everything that may differ between members: types that make the same bytes, counts that only the root looks at,
 * displacements, pairs, duplicate edges, roots of single groups. */
#include <mpi.h>
#include <stdlib.h>

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    MPI_Comm mine, both, ring;
    MPI_Datatype pair;
    MPI_Op op;
    int rank, size, one = 1, *in = calloc(64, sizeof *in), *out = calloc(64, sizeof *out);
    int counts[4] = {1, 2, 3, 4}, places[4] = {0, 1, 3, 6}, sends[4], at[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(add, 1, &op);
    MPI_Bcast(in, rank ? 1 : 2, rank ? pair : MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gather(rank ? out : MPI_IN_PLACE, rank ? 1 : 77, MPI_INT, in, rank ? -1 : 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gatherv(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Scatterv(out, counts, places, MPI_INT, in, counts[rank], MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Scatter(out, 1, pair, rank == 3 ? MPI_IN_PLACE : in, 2, MPI_INT, 3, MPI_COMM_WORLD);
    MPI_Allgatherv(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Reduce_scatter(out, in, counts, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, in, 2, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Exscan(out, in, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        sends[i] = (rank + i) % 3;
        at[i] = 4 * i;
    }
    MPI_Alltoallv(out, sends, at, MPI_INT, in, sends, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 1, rank, &mine);
    MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, rank < 1, 0, &both);
    MPI_Allgather(out, rank < 1 ? 2 : 1, MPI_INT, in, rank < 1 ? 1 : 2, MPI_INT, both);
    MPI_Bcast(out, 1, MPI_INT, rank < 1 ? MPI_ROOT : 0, both);
    MPI_Reduce(out, in, 1, MPI_INT, MPI_SUM, rank == 2 ? MPI_ROOT : rank ? MPI_PROC_NULL : 1, both);
    MPI_Alltoall(out, rank < 1 ? 2 : 1, MPI_INT, in, rank < 1 ? 1 : 2, MPI_INT, both);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &one, 0, &ring);
    sends[0] = 1 + (rank + size - 1) % size, sends[1] = 2 + rank; /* to the left: 1 + it, to the right: 2 + me */
    counts[0] = 2 + (rank + size - 1) % size, counts[1] = 1 + rank;
    at[0] = 0, at[1] = 16;
    MPI_Neighbor_alltoallv(out, sends, at, MPI_INT, in, counts, at, MPI_INT, ring);
    MPI_Neighbor_allgather(out, 2, MPI_INT, in, 1, pair, ring);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&both);
    MPI_Comm_free(&mine);
    MPI_Type_free(&pair);
    MPI_Op_free(&op);
    free(in);
    free(out);
    MPI_Finalize();
}
