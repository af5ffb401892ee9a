/* One member of a collective has less room than the others send. It has MPI_ERR_TRUNCATE, and so has everybody who gets
 * what it passes on; whoever gets whole data has no error, and whole data. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { RANKS = 8, COUNT = 6 };

static int rank;

/* `late`: members that get what rank 4 passes on, or that itself, as bits. */
static void expect(const char *what, int result, const int *data, int count, int late)
{
    int class;
    MPI_Error_class(result, &class);
    int wanted = late >> rank & 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    if (class != wanted)
        printf("rank %d: %s: class %d instead of %d\n", rank, what, class, wanted);
    for (int i = 0; class == MPI_SUCCESS && i < count; i++)
        if (data[i] != i + 1) {
            printf("rank %d: %s: item %d is %d\n", rank, what, i, data[i]);
            break;
        }
}

int main(int argc, char **argv)
{
    int data[RANKS * COUNT], from[COUNT];
    MPI_Comm comm;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    int count = rank == 4 ? COUNT - 2 : COUNT;

    for (int i = 0; i < COUNT; i++)
        data[i] = rank ? 0 : i + 1;
    expect("bcast", MPI_Bcast(data, count, MPI_INT, 0, comm), data, COUNT, 0xf0);
    for (int i = 0; i < COUNT; i++)
        data[i] = rank ? 0 : i + 1;
    MPI_Ibcast(data, count, MPI_INT, 0, comm, &request);
    expect("ibcast", MPI_Wait(&request, MPI_STATUS_IGNORE), data, COUNT, 0xf0);

    /* 4 takes the blocks of 4 to 7 and passes on those of 5 to 7. */
    for (int i = 0; i < RANKS * COUNT; i++)
        data[i] = i % COUNT + 1;
    memset(from, 0, sizeof from);
    expect("scatter", MPI_Scatter(data, COUNT, MPI_INT, from, count, MPI_INT, 0, comm), from, COUNT, 0xf0);
    /* The root gets what 4 has not got whole. */
    for (int i = 0; i < COUNT; i++)
        from[i] = i + 1;
    memset(data, 0, sizeof data);
    expect("gather", MPI_Gather(from, count, MPI_INT, data, COUNT, MPI_INT, 0, comm), data, rank ? 0 : COUNT, 0x11);
    /* In a reduction, too. Those below 4 have sent theirs whole. */
    for (int i = 0; i < COUNT; i++)
        from[i] = rank == 0 ? i + 1 : 0;
    expect("reduce", MPI_Reduce(from, data, count, MPI_INT, MPI_SUM, 0, comm), data, rank ? 0 : COUNT, 0x11);
    /* Nobody else is concerned where everybody sends his own. */
    int all[2 * RANKS], out[RANKS], in[RANKS], places[RANKS];
    for (int i = 0; i < RANKS; i++) {
        out[i] = 2;
        in[i] = rank == 4 && i == 5 ? 1 : 2;
        places[i] = 2 * i;
    }
    expect("alltoallv", MPI_Alltoallv(data, out, places, MPI_INT, all, in, places, MPI_INT, comm), all, 0, 0x10);
    /* The others have more room than the root sends: a broadcast tells that, too, where errors are handled. */
    int result = MPI_Bcast(data, rank ? COUNT : COUNT - 2, MPI_INT, 0, comm), class;
    MPI_Error_class(result, &class);
    if (class != (rank ? MPI_ERR_COUNT : MPI_SUCCESS))
        printf("rank %d: longer: class %d\n", rank, class);
    MPI_Comm_free(&comm);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
