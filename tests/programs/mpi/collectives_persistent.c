/* collectives.c with the persistent functions, each started once (MPI-4.0 section 6.13). */
#include <mpi.h>

static MPI_Request pending;
#define MPI_Barrier(...)                                                                                               \
    (MPI_Barrier_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending),                                      \
     MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending))
#define MPI_Bcast(...)                                                                                                 \
    (MPI_Bcast_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending), MPI_Wait(&pending, MPI_STATUS_IGNORE), \
     MPI_Request_free(&pending))
#define MPI_Gather(...)                                                                                                \
    (MPI_Gather_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending),                                       \
     MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending))
#define MPI_Gatherv(...)                                                                                               \
    (MPI_Gatherv_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending),                                      \
     MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending))
#define MPI_Scatter(...)                                                                                               \
    (MPI_Scatter_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending),                                      \
     MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending))
#define MPI_Scatterv(...)                                                                                              \
    (MPI_Scatterv_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending),                                     \
     MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending))
#define MPI_Allgather(...)                                                                                             \
    (MPI_Allgather_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending),                                    \
     MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending))
#define MPI_Allgatherv(...)                                                                                            \
    (MPI_Allgatherv_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending),                                   \
     MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending))
#define MPI_Alltoall(...)                                                                                              \
    (MPI_Alltoall_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending),                                     \
     MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending))
#define MPI_Alltoallv(...)                                                                                             \
    (MPI_Alltoallv_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending),                                    \
     MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending))
#define MPI_Alltoallw(...)                                                                                             \
    (MPI_Alltoallw_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending),                                    \
     MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending))
#define MPI_Reduce(...)                                                                                                \
    (MPI_Reduce_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending),                                       \
     MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending))
#define MPI_Allreduce(...)                                                                                             \
    (MPI_Allreduce_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending),                                    \
     MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending))
#define MPI_Reduce_scatter(...)                                                                                        \
    (MPI_Reduce_scatter_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending),                               \
     MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending))
#define MPI_Reduce_scatter_block(...)                                                                                  \
    (MPI_Reduce_scatter_block_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending),                         \
     MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending))
#define MPI_Scan(...)                                                                                                  \
    (MPI_Scan_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending), MPI_Wait(&pending, MPI_STATUS_IGNORE),  \
     MPI_Request_free(&pending))
#define MPI_Exscan(...)                                                                                                \
    (MPI_Exscan_init(__VA_ARGS__, MPI_INFO_NULL, &pending), MPI_Start(&pending),                                       \
     MPI_Wait(&pending, MPI_STATUS_IGNORE), MPI_Request_free(&pending))

#include "collectives.c"
