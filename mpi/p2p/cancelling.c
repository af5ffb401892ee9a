/* cancelling.c - cancels sends and receives that have not met each other (MPI-3.1 section 3.8.4). */
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/matcher.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

static void cancel_done(MpiRequest *request)
{
    mpi_tell_cancelled(request->owner->world, request);
    request->cancelled = true;
    request->status = mpi_status_empty();
    request->status.cancelled = 1;
    mpi_request_complete(request, MPI_SUCCESS);
}

/* Cancels a send. This is possible while no receive has matched it: on its way, or in the receiver's queue, or before
 * it has left. An eager send that has left is already complete and so not cancelled; the standard allows both. */
static void cancel_send(MpiWorld *world, MpiRequest *request)
{
    MpiMessage *message = request->message;
    bool held = message && world->protocols && world->upper->protocol_is_held(request);
    if (!message || (!message->rendezvous && !held) || message->receive || message->data || message->claimed ||
        (world->protocols && !world->upper->protocol_may_cancel(request)))
        return;
    message->send = NULL;
    request->message = NULL;
    if (message->queued) {
        mpi_call_touch_rank(mpi_world_rank(world, message->to));
        mpi_match_remove(&mpi_world_rank(world, message->to)->matcher, &world->bins, &message->item);
        mpi_transfer_drop(world, message);
    } else {
        message->cancelled = true;
    }
    cancel_done(request);
}

void mpi_p2p_cancel(MpiRequest *request)
{
    MpiWorld *world = request->owner->world;
    if (!mpi_request_pending(request))
        return;
    if (request->sort == MPI_REQUEST_SEND) {
        cancel_send(world, request);
    } else if (request->posted && (!world->protocols || world->upper->protocol_may_cancel(request))) {
        mpi_match_withdraw(&request->owner->matcher, &world->bins, &request->item);
        request->posted = false;
        cancel_done(request);
        if (mpi_match_is_ruled(&request->owner->matcher))
            mpi_transfer_release_in(request->owner->call);
    }
}
