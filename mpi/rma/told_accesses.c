/* told_accesses.c - what observers are told of accesses to windows. */
#include "mpi/core/remote.h"
#include "mpi/rma/rma.h"
#include "mpi/rma/windows.h"

static void describe(const MpiRemote *remote, MpiAccessInfo *info)
{
    static const char *const names[] = {[MPI_REMOTE_PUT] = "put",
                                        [MPI_REMOTE_GET] = "get",
                                        [MPI_REMOTE_ACCUMULATE] = "accumulate",
                                        [MPI_REMOTE_FETCH] = "fetch",
                                        [MPI_REMOTE_SWAP] = "swap"};
    const MpiRemoteHead *head = &remote->head;
    info->origin = remote->back ? head->to : head->from;
    info->target = remote->back ? head->from : head->to;
    info->name = names[remote->sort];
    info->context = head->context;
    info->bytes = head->bytes;
    info->from_ps = head->sent_ps;
}

bool mpi_rma_access_brings(const MpiRemoteHead *head, MpiAccessInfo *info)
{
    const MpiRemote *remote = (const MpiRemote *)head;
    if (!head->access || head->kind)
        return false;
    bool gets = remote->sort != MPI_REMOTE_PUT && remote->sort != MPI_REMOTE_ACCUMULATE;
    describe(remote, info);
    return gets == remote->back;
}

void mpi_rma_access_own(const MpiRemoteHead *head, MpiAccessInfo *info)
{
    const MpiRemote *remote = (const MpiRemote *)head;
    describe(remote, info);
    info->bytes = remote->bytes;
}
