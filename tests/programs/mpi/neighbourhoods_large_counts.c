/* Neighbourhood collectives with large counts in every form: each leaves what the one with counts of int leaves
 * (MPI-4.0 section 8.6), and refuses a negative count and a communicator without neighbours. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { NEIGHBOURS = 4, MOST = 3, ROOM = NEIGHBOURS * MOST };

static int rank, wrong, in[ROOM], out[ROOM], expected[ROOM];
static MPI_Comm grid;
static const int counts[NEIGHBOURS] = {1, 3, 3, 1}, places[NEIGHBOURS] = {0, 3, 6, 9};
static const MPI_Count large_counts[NEIGHBOURS] = {1, 3, 3, 1};
static const MPI_Aint large_places[NEIGHBOURS] = {0, 3, 6, 9}, large_bytes[NEIGHBOURS] = {0, 12, 24, 36};
static MPI_Datatype types[NEIGHBOURS];

static void compare(const char *what)
{
    if (memcmp(out, expected, sizeof out) && ++wrong)
        printf("%s\n", what);
    memset(out, -1, sizeof out);
}

static void finish(MPI_Request *request, const char *what)
{
    MPI_Wait(request, MPI_STATUS_IGNORE);
    if (*request != MPI_REQUEST_NULL)
        MPI_Request_free(request);
    compare(what);
}

static void refused(const char *what, int error, int expected_class)
{
    int error_class;
    MPI_Error_class(error, &error_class);
    if (error_class != expected_class && ++wrong)
        printf("%s: class %d\n", what, error_class);
}

/* The arguments but the communicator: as `int` for what is expected, then in the large forms. */
#define CHECK(name, SMALL, LARGE, NEGATIVE)                                                                            \
    do {                                                                                                               \
        MPI_Request request;                                                                                           \
        memset(expected, -1, sizeof expected);                                                                         \
        int *into = expected;                                                                                          \
        MPI_Neighbor_##name(SMALL, grid);                                                                              \
        into = out;                                                                                                    \
        MPI_Neighbor_##name##_c(LARGE, grid);                                                                          \
        compare("MPI_Neighbor_" #name "_c");                                                                           \
        MPI_Ineighbor_##name##_c(LARGE, grid, &request);                                                               \
        finish(&request, "MPI_Ineighbor_" #name "_c");                                                                 \
        MPI_Neighbor_##name##_init_c(LARGE, grid, MPI_INFO_NULL, &request);                                            \
        MPI_Start(&request);                                                                                           \
        finish(&request, "MPI_Neighbor_" #name "_init_c");                                                             \
        refused("blocking", MPI_Neighbor_##name##_c(LARGE, MPI_COMM_WORLD), MPI_ERR_TOPOLOGY);                         \
        refused("background", MPI_Ineighbor_##name##_c(LARGE, MPI_COMM_WORLD, &request), MPI_ERR_TOPOLOGY);            \
        refused("persistent", MPI_Neighbor_##name##_init_c(LARGE, MPI_COMM_WORLD, MPI_INFO_NULL, &request),            \
                MPI_ERR_TOPOLOGY);                                                                                     \
        refused("count", MPI_Neighbor_##name##_c(NEGATIVE, grid), MPI_ERR_COUNT);                                      \
        refused("count", MPI_Ineighbor_##name##_c(NEGATIVE, grid, &request), MPI_ERR_COUNT);                           \
        refused("count", MPI_Neighbor_##name##_init_c(NEGATIVE, grid, MPI_INFO_NULL, &request), MPI_ERR_COUNT);        \
    } while (0)

#define LIST(...) __VA_ARGS__

int main(int argc, char **argv)
{
    int dimensions[2] = {3, 3}, periods[2] = {1, 1}, all;
    const MPI_Count minus[NEIGHBOURS] = {1, -1, 1, 1};
    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN);
    memset(out, -1, sizeof out);
    for (int i = 0; i < ROOM; i++)
        in[i] = 100 * rank + i;
    for (int i = 0; i < NEIGHBOURS; i++)
        types[i] = MPI_INT;
    CHECK(allgather, LIST(in, 2, MPI_INT, into, 2, MPI_INT), LIST(in, 2, MPI_INT, into, 2, MPI_INT),
          LIST(in, -2, MPI_INT, into, 2, MPI_INT));
    CHECK(alltoall, LIST(in, 3, MPI_INT, into, 3, MPI_INT), LIST(in, 3, MPI_INT, into, 3, MPI_INT),
          LIST(in, 3, MPI_INT, into, -3, MPI_INT));
    /* what is sent to one side comes from the other: 1 and 3 elements in the first dimension, 3 and 1 in the second */
    static const int back[NEIGHBOURS] = {3, 1, 1, 3};
    static const MPI_Count large_back[NEIGHBOURS] = {3, 1, 1, 3};
    CHECK(alltoallv, LIST(in, counts, places, MPI_INT, into, back, places, MPI_INT),
          LIST(in, large_counts, large_places, MPI_INT, into, large_back, large_places, MPI_INT),
          LIST(in, minus, large_places, MPI_INT, into, large_back, large_places, MPI_INT));
    CHECK(alltoallw, LIST(in, counts, large_bytes, types, into, back, large_bytes, types),
          LIST(in, large_counts, large_bytes, types, into, large_back, large_bytes, types),
          LIST(in, minus, large_bytes, types, into, large_back, large_bytes, types));
    static const int two[NEIGHBOURS] = {2, 2, 2, 2};
    static const MPI_Count large_two[NEIGHBOURS] = {2, 2, 2, 2};
    CHECK(allgatherv, LIST(in, 2, MPI_INT, into, two, places, MPI_INT),
          LIST(in, 2, MPI_INT, into, large_two, large_places, MPI_INT),
          LIST(in, 2, MPI_INT, into, minus, large_places, MPI_INT));
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("wrong: %d\n", all);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
