/* A collective that is refused under MPI_ERRORS_RETURN has not happened: the rank which made the mistake may call the
 * next one together with the others, whether these have not called the wrong one at all, or called it rightly. */
#include <mpi.h>
#include <stdio.h>

static int rank, size, n_cases, n_wrong, n_accepted;
static MPI_Comm world, grid, inter;

/* All members agree after a refused call of the first one. */
static void check(const char *call, int code, MPI_Comm comm)
{
    int class = MPI_SUCCESS, one = 1, sum = -1, sizes, error, remote;

    if (rank == 0) {
        MPI_Error_class(code, &class);
        n_cases++;
        if (class == MPI_SUCCESS)
            printf("%s: accepted\n", call), n_accepted++;
    }
    MPI_Comm_test_inter(comm, &remote);
    if (remote)
        MPI_Comm_remote_size(comm, &sizes);
    else
        MPI_Comm_size(comm, &sizes);
    error = MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (error || sum != sizes)
        printf("rank %d: after %s: error %d, sum %d\n", rank, call, error, sum), n_wrong++;
}

/* Rank 0 alone makes the wrong call. */
#define REFUSED(comm, call) check(#call, rank == 0 ? call : MPI_SUCCESS, comm)

static int a[64], c[8] = {1, 1, 1, 1, 1, 1, 1, 1}, d[8] = {0, 1, 2, 3, 4, 5, 6, 7};
static MPI_Datatype t[8];
static MPI_Request q;
static MPI_Comm made;

#define FORMS(comm, name, nonblocking, ...)                                                                            \
    REFUSED(comm, MPI_##name(__VA_ARGS__, comm));                                                                      \
    REFUSED(comm, MPI_##nonblocking(__VA_ARGS__, comm, &q));                                                           \
    REFUSED(comm, MPI_##name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &q))

static void aliased(MPI_Comm comm)
{
    FORMS(comm, Reduce, Ireduce, a, a, 1, MPI_INT, MPI_SUM, 0);
    FORMS(comm, Allreduce, Iallreduce, a, a, 1, MPI_INT, MPI_SUM);
    FORMS(comm, Gather, Igather, a, 1, MPI_INT, a, 1, MPI_INT, 0);
    FORMS(comm, Gatherv, Igatherv, a, 1, MPI_INT, a, c, d, MPI_INT, 0);
    FORMS(comm, Scatter, Iscatter, a, 1, MPI_INT, a, 1, MPI_INT, 0);
    FORMS(comm, Scatterv, Iscatterv, a, c, d, MPI_INT, a, 1, MPI_INT, 0);
    FORMS(comm, Allgather, Iallgather, a, 1, MPI_INT, a, 1, MPI_INT);
    FORMS(comm, Allgatherv, Iallgatherv, a, 1, MPI_INT, a, c, d, MPI_INT);
    FORMS(comm, Alltoall, Ialltoall, a, 1, MPI_INT, a, 1, MPI_INT);
    FORMS(comm, Alltoallv, Ialltoallv, a, c, d, MPI_INT, a, c, d, MPI_INT);
    FORMS(comm, Alltoallw, Ialltoallw, a, c, d, t, a, c, d, t);
    FORMS(comm, Reduce_scatter, Ireduce_scatter, a, a, c, MPI_INT, MPI_SUM);
    FORMS(comm, Reduce_scatter_block, Ireduce_scatter_block, a, a, 1, MPI_INT, MPI_SUM);
    FORMS(comm, Scan, Iscan, a, a, 1, MPI_INT, MPI_SUM);
}

static void aliased_neighbours(MPI_Comm comm)
{
    FORMS(comm, Neighbor_allgather, Ineighbor_allgather, a, 1, MPI_INT, a, 1, MPI_INT);
    FORMS(comm, Neighbor_allgatherv, Ineighbor_allgatherv, a, 1, MPI_INT, a, c, d, MPI_INT);
    FORMS(comm, Neighbor_alltoall, Ineighbor_alltoall, a, 1, MPI_INT, a, 1, MPI_INT);
    FORMS(comm, Neighbor_alltoallv, Ineighbor_alltoallv, a, c, d, MPI_INT, a, c, d, MPI_INT);
}

/* Counts, types, operators and roots that cannot be. */
static void impossible(MPI_Comm comm)
{
    int *b = a + 32, nowhere = 77;
    FORMS(comm, Bcast, Ibcast, a, -1, MPI_INT, nowhere);
    FORMS(comm, Bcast, Ibcast, a, 1, MPI_INT, nowhere);
    FORMS(comm, Bcast, Ibcast, a, 1, MPI_DATATYPE_NULL, 0);
    FORMS(comm, Reduce, Ireduce, a, b, 1, MPI_INT, MPI_OP_NULL, nowhere);
    FORMS(comm, Allreduce, Iallreduce, a, b, 1, MPI_DOUBLE, MPI_BAND);
    FORMS(comm, Allreduce, Iallreduce, a, b, -1, MPI_INT, MPI_SUM);
    FORMS(comm, Gather, Igather, a, 1, MPI_INT, b, 1, MPI_INT, nowhere);
    FORMS(comm, Gatherv, Igatherv, a, 1, MPI_INT, b, c, d, MPI_INT, nowhere);
    FORMS(comm, Scatter, Iscatter, a, 1, MPI_INT, b, 1, MPI_INT, nowhere);
    FORMS(comm, Scatterv, Iscatterv, a, c, d, MPI_INT, b, 1, MPI_INT, nowhere);
    FORMS(comm, Allgather, Iallgather, a, -1, MPI_INT, b, 1, MPI_INT);
    FORMS(comm, Allgatherv, Iallgatherv, a, 1, MPI_DATATYPE_NULL, b, c, d, MPI_INT);
    FORMS(comm, Alltoall, Ialltoall, a, 1, MPI_INT, b, -1, MPI_INT);
    FORMS(comm, Alltoallv, Ialltoallv, a, c, d, MPI_DATATYPE_NULL, b, c, d, MPI_INT);
    FORMS(comm, Reduce_scatter_block, Ireduce_scatter_block, a, b, -1, MPI_INT, MPI_SUM);
    REFUSED(comm, MPI_Comm_split(comm, -7, 0, &made));
    REFUSED(comm, MPI_Comm_create(comm, MPI_GROUP_NULL, &made));
    REFUSED(comm, MPI_Comm_dup_with_info(comm, (MPI_Info)MPI_COMM_WORLD, &made));
}

static void impossible_topologies(void)
{
    int none = 0, many = 1000, e[2] = {5000, 1};
    REFUSED(world, MPI_Cart_create(world, 1, &many, &none, 0, &made));
    REFUSED(world, MPI_Cart_create(world, -1, &many, &none, 0, &made));
    REFUSED(world, MPI_Graph_create(world, 1, c, e, 0, &made));
    REFUSED(world,
            MPI_Dist_graph_create_adjacent(world, 1, e, MPI_UNWEIGHTED, 0, e, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made));
    REFUSED(world, MPI_Dist_graph_create(world, 1, e, c, d, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made));
    REFUSED(world, MPI_Comm_split_type(world, 12345, 0, MPI_INFO_NULL, &made));
    REFUSED(world, MPI_Intercomm_create(world, 5000, world, 0, 0, &made));
    REFUSED(world, MPI_Intercomm_merge(world, 0, &made));
    REFUSED(inter, MPI_Cart_create(inter, 1, c, &none, 0, &made));
    REFUSED(inter, MPI_Scan(a, a + 32, 1, MPI_INT, MPI_SUM, inter));
    REFUSED(inter, MPI_Exscan(a, a + 32, 1, MPI_INT, MPI_SUM, inter));
}

/* The others call the same, and rightly: those that need nothing of rank 0 go on, and all meet in the next one. */
static void refused_at_the_root(void)
{
    int b[8] = {0}, sum, i;
    for (i = 0; i < 3; i++) {
        check("MPI_Reduce by all", MPI_Reduce(a, rank == 0 ? a : b, 1, MPI_INT, MPI_SUM, 0, world), world);
        check("MPI_Gather by all", MPI_Gather(a, 1, MPI_INT, rank == 0 ? a : b, 1, MPI_INT, 0, world), world);
        MPI_Reduce_scatter_block(d, &sum, 1, MPI_INT, MPI_SUM, world);
        if (sum != size * rank)
            printf("rank %d: %d instead of %d\n", rank, sum, size * rank), n_wrong++;
    }
}

int main(int argc, char **argv)
{
    int dims[1] = {0}, periods[1] = {1};
    MPI_Comm local;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 8; i++)
        t[i] = MPI_INT;
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Dims_create(size, 1, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &inter);
    aliased(world);
    aliased_neighbours(grid);
    impossible(world);
    impossible(grid);
    impossible(inter);
    impossible_topologies();
    refused_at_the_root();
    MPI_Comm_free(&local);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&world);
    if (rank == 0)
        printf("%d calls refused of %d\n", n_cases - n_accepted, n_cases);
    MPI_Allreduce(&n_wrong, &a[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("wrong: %d\n", a[0]);
    MPI_Finalize();
    return 0;
}
