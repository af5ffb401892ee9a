/* told_accesses.c - what observers are told of accesses to windows. */
#include "mpi/core/remote.h"
#include "mpi/rma/rma.h"
#include "mpi/rma/windows.h"

bool mpi_rma_access_brings(const MpiRemoteHead *head, MpiAccessInfo *info)
{
    static const char *const names[] = {[MPI_REMOTE_PUT] = "put",
                                        [MPI_REMOTE_GET] = "get",
                                        [MPI_REMOTE_ACCUMULATE] = "accumulate",
                                        [MPI_REMOTE_FETCH] = "fetch",
                                        [MPI_REMOTE_SWAP] = "swap"};
    const MpiRemote *remote = (const MpiRemote *)head;
    if (!head->access || head->kind)
        return false;
    bool gets = remote->sort != MPI_REMOTE_PUT && remote->sort != MPI_REMOTE_ACCUMULATE;
    info->origin = remote->back ? head->to : head->from;
    info->target = remote->back ? head->from : head->to;
    info->name = names[remote->sort];
    info->context = head->context;
    info->bytes = head->bytes;
    info->from_ps = head->sent_ps;
    return gets == remote->back;
}
