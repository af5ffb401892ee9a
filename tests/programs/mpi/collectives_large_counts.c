/* collectives.c with the functions for large counts (MPI-4.0 section 2.5.8), every third time non-blocking and every
 * third time persistent. */
#include <mpi.h>

#define COUNT MPI_Count
#define PLACE MPI_Aint

static MPI_Request pending;
static int turn;

#define IN_TURN(blocking, nonblocking, persistent)                                                                     \
    (++turn % 3 == 0 ? blocking                                                                                        \
     : turn % 3 == 1                                                                                                   \
         ? (nonblocking, MPI_Wait(&pending, MPI_STATUS_IGNORE))                                                        \
         : (persistent, MPI_Start(&pending), MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending)))
#define MPI_Bcast(...)                                                                                                 \
    IN_TURN(MPI_Bcast_c(__VA_ARGS__), MPI_Ibcast_c(__VA_ARGS__, &pending),                                             \
            MPI_Bcast_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))
#define MPI_Gather(...)                                                                                                \
    IN_TURN(MPI_Gather_c(__VA_ARGS__), MPI_Igather_c(__VA_ARGS__, &pending),                                           \
            MPI_Gather_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))
#define MPI_Gatherv(...)                                                                                               \
    IN_TURN(MPI_Gatherv_c(__VA_ARGS__), MPI_Igatherv_c(__VA_ARGS__, &pending),                                         \
            MPI_Gatherv_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))
#define MPI_Scatter(...)                                                                                               \
    IN_TURN(MPI_Scatter_c(__VA_ARGS__), MPI_Iscatter_c(__VA_ARGS__, &pending),                                         \
            MPI_Scatter_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))
#define MPI_Scatterv(...)                                                                                              \
    IN_TURN(MPI_Scatterv_c(__VA_ARGS__), MPI_Iscatterv_c(__VA_ARGS__, &pending),                                       \
            MPI_Scatterv_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))
#define MPI_Allgather(...)                                                                                             \
    IN_TURN(MPI_Allgather_c(__VA_ARGS__), MPI_Iallgather_c(__VA_ARGS__, &pending),                                     \
            MPI_Allgather_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))
#define MPI_Allgatherv(...)                                                                                            \
    IN_TURN(MPI_Allgatherv_c(__VA_ARGS__), MPI_Iallgatherv_c(__VA_ARGS__, &pending),                                   \
            MPI_Allgatherv_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))
#define MPI_Alltoall(...)                                                                                              \
    IN_TURN(MPI_Alltoall_c(__VA_ARGS__), MPI_Ialltoall_c(__VA_ARGS__, &pending),                                       \
            MPI_Alltoall_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))
#define MPI_Alltoallv(...)                                                                                             \
    IN_TURN(MPI_Alltoallv_c(__VA_ARGS__), MPI_Ialltoallv_c(__VA_ARGS__, &pending),                                     \
            MPI_Alltoallv_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))
#define MPI_Alltoallw(...)                                                                                             \
    IN_TURN(MPI_Alltoallw_c(__VA_ARGS__), MPI_Ialltoallw_c(__VA_ARGS__, &pending),                                     \
            MPI_Alltoallw_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))
#define MPI_Reduce(...)                                                                                                \
    IN_TURN(MPI_Reduce_c(__VA_ARGS__), MPI_Ireduce_c(__VA_ARGS__, &pending),                                           \
            MPI_Reduce_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))
#define MPI_Allreduce(...)                                                                                             \
    IN_TURN(MPI_Allreduce_c(__VA_ARGS__), MPI_Iallreduce_c(__VA_ARGS__, &pending),                                     \
            MPI_Allreduce_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))
#define MPI_Reduce_scatter(...)                                                                                        \
    IN_TURN(MPI_Reduce_scatter_c(__VA_ARGS__), MPI_Ireduce_scatter_c(__VA_ARGS__, &pending),                           \
            MPI_Reduce_scatter_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))
#define MPI_Reduce_scatter_block(...)                                                                                  \
    IN_TURN(MPI_Reduce_scatter_block_c(__VA_ARGS__), MPI_Ireduce_scatter_block_c(__VA_ARGS__, &pending),               \
            MPI_Reduce_scatter_block_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))
#define MPI_Scan(...)                                                                                                  \
    IN_TURN(MPI_Scan_c(__VA_ARGS__), MPI_Iscan_c(__VA_ARGS__, &pending),                                               \
            MPI_Scan_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))
#define MPI_Exscan(...)                                                                                                \
    IN_TURN(MPI_Exscan_c(__VA_ARGS__), MPI_Iexscan_c(__VA_ARGS__, &pending),                                           \
            MPI_Exscan_init_c(__VA_ARGS__, MPI_INFO_NULL, &pending))

#include "collectives.c"
