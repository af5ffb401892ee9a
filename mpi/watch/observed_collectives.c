/* observed_collectives.c - tells an observer (MpiObserver.collective) about collective operations that are over. */
#include "mpi/watch/observed_collectives.h"

#include "mpi/collective/schedule.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"

static void ended(MpiWorld *world, MpiCall *call, MpiSchedule *schedule, MpiRequest *request)
{
    const MpiObserver *observer = mpi_world_slot(world, MPI_SLOT_OBSERVED_COLLECTIVES);
    (void)request;
    if (!schedule || call->rank->unrecorded)
        return;
    MpiCollectiveInfo info = {.rank = call->rank->index,
                              .thread = call->thread,
                              .name = call->name,
                              .algorithm = schedule->algorithm->name,
                              .context = schedule->comm->context,
                              .number = schedule->sequence + 1,
                              .members = schedule->plan.remote ? 0 : schedule->plan.size,
                              .from_ps = schedule->begun_ps,
                              .to_ps = call->now};
    observer->collective(observer->user, &info);
}

void mpi_observe_collectives(MpiWorld *world, const MpiObserver *observer)
{
    static const MpiHooks hooks = {.collective_ended = ended};
    MpiObserver *own = mpi_world_slot(world, MPI_SLOT_OBSERVED_COLLECTIVES);
    if (!own) {
        own = g_new0(MpiObserver, 1);
        mpi_world_set_slot(world, MPI_SLOT_OBSERVED_COLLECTIVES, own, g_free);
        mpi_hooks_add_short(world, &hooks);
    }
    *own = *observer;
}
