/* meetings.c - calls at which all ranks of MPI_COMM_WORLD meet. */
#include "mpi/core/call.h"

#include <string.h>

bool mpi_world_meets(const MpiCallInfo *call)
{
    static const char *const names[] = {"MPI_Barrier",
                                        "MPI_Bcast",
                                        "MPI_Gather",
                                        "MPI_Gatherv",
                                        "MPI_Scatter",
                                        "MPI_Scatterv",
                                        "MPI_Allgather",
                                        "MPI_Allgatherv",
                                        "MPI_Alltoall",
                                        "MPI_Alltoallv",
                                        "MPI_Alltoallw",
                                        "MPI_Reduce",
                                        "MPI_Allreduce",
                                        "MPI_Scan",
                                        "MPI_Exscan",
                                        "MPI_Reduce_scatter",
                                        "MPI_Reduce_scatter_block",
                                        "MPI_Comm_split",
                                        "MPI_Comm_dup"};
    const char *name = *call->name == 'P' ? call->name + 1 : call->name;
    size_t i = 0;
    while (i < G_N_ELEMENTS(names) && strcmp(names[i], name) != 0)
        i++;
    for (unsigned k = 0; i < G_N_ELEMENTS(names) && k < call->n; k++)
        if (call->args[k] == MPI_HANDLE(MPI_KIND_COMM, MPI_COMM_WORLD_INDEX))
            return true;
    return false;
}
