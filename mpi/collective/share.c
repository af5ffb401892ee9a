/* share.c - asks whether the members of a communicator agree, for collectives that move no data of the program. */
#include "mpi/collective/share.h"
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"

bool mpi_share_check(MpiCall *call, MpiComm *comm, int root, MpiStep *step)
{
    MpiShare share = mpi_share_none(root);
    return mpi_ask_share(call->world, call, comm, &share, step);
}
