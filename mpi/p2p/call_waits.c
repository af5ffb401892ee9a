/* call_waits.c - calls that wait for requests, and how they are woken. */
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

#include <assert.h>

/* Whether the rest of a waiting call concerns only the rank and its only request. */
static bool call_ends_alone(const MpiCall *call)
{
    const MpiRequest *only = call->rank->requests;
    return only && !only->next && only->complete && !only->error &&
           (only->sort == MPI_REQUEST_RECEIVE || only->sort == MPI_REQUEST_SEND) && !call->collective.schedule &&
           !call->collective.upcalls && !call->engine.stopped && !vm_rank_is_watched(call->process);
}

/* Asks the machine to resume the rank at the call's time. */
static void call_wake(MpiCall *call)
{
    const MpiEnv *env = &call->world->env;
    uint32_t rank = call->rank->index;
    call->engine.finishing = true;
    if (!env->wake_alone || !call_ends_alone(call) || !env->wake_alone(env->user, rank, call->now))
        env->wake(env->user, rank, call->now);
}

void mpi_call_settle(MpiCall *call)
{
    assert(call->engine.blocked && !call->engine.finishing);
    if (call->engine.stopped || call->collective.upcalls ||
        (call->collective.schedule ? call->world->upper->schedule_advance(call)
                                   : call->engine.waiting == 0 && !call->rank->probing))
        call_wake(call);
}

MpiStep mpi_call_wait(MpiCall *call, MpiRequest **requests, unsigned n, MpiHandler then)
{
    assert(call->engine.waiting == 0);
    mpi_tell_waits(call->world, call, requests, n, false);
    for (unsigned i = 0; i < n; i++) {
        if (!requests[i] || !mpi_request_pending(requests[i]) || requests[i]->waiter)
            continue;
        requests[i]->waiter = call;
        call->engine.waiting++;
    }
    return call->engine.waiting ? mpi_call_block(call, then) : then(call);
}

MpiStep mpi_call_wait_any(MpiCall *call, MpiRequest **requests, unsigned n, MpiHandler then)
{
    for (unsigned i = 0; i < n; i++)
        if (requests[i] && mpi_request_pending(requests[i]))
            requests[i]->waiter = call;
    call->engine.waiting = 1;
    return mpi_call_block(call, then);
}
