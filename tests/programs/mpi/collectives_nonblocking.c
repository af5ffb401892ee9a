/* collectives.c with the non-blocking functions, each waited for at once (MPI-3.1 section 5.12). */
#include <mpi.h>

static MPI_Request pending;
#define MPI_Barrier(...)        (MPI_Ibarrier(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Bcast(...)          (MPI_Ibcast(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Gather(...)         (MPI_Igather(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Gatherv(...)        (MPI_Igatherv(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Scatter(...)        (MPI_Iscatter(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Scatterv(...)       (MPI_Iscatterv(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Allgather(...)      (MPI_Iallgather(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Allgatherv(...)     (MPI_Iallgatherv(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Alltoall(...)       (MPI_Ialltoall(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Alltoallv(...)      (MPI_Ialltoallv(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Alltoallw(...)      (MPI_Ialltoallw(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Reduce(...)         (MPI_Ireduce(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Allreduce(...)      (MPI_Iallreduce(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Reduce_scatter(...) (MPI_Ireduce_scatter(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Reduce_scatter_block(...)                                                                                  \
    (MPI_Ireduce_scatter_block(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Scan(...)   (MPI_Iscan(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))
#define MPI_Exscan(...) (MPI_Iexscan(__VA_ARGS__, &pending), MPI_Wait(&pending, MPI_STATUS_IGNORE))

#include "collectives.c"
