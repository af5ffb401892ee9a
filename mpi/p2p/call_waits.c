/* call_waits.c - calls that wait for requests, and how they are woken. */
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/threads.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

#include <assert.h>

enum { FEW_REQUESTS = 64 };

/* Whether nothing can happen to the requests of the rank any more before it goes on: they are few messages, and all
 * have ended well. */
static bool all_have_ended(const MpiRank *rank)
{
    const MpiRequest *request = rank->requests;
    for (unsigned n = 0; request && n < FEW_REQUESTS; n++, request = request->next)
        if (!request->complete || request->error ||
            (request->sort != MPI_REQUEST_RECEIVE && request->sort != MPI_REQUEST_SEND))
            return false;
    return !request;
}

/* Whether the rest of a waiting call concerns only the rank and its requests. Who listens hears of several requests in
 * the order of time, among what comes for the rank meanwhile. */
static bool call_ends_alone(const MpiCall *call)
{
    const MpiRequest *first = call->rank->requests;
    return first && (!first->next || mpi_hooks_hear_nothing(call->world)) && all_have_ended(call->rank) &&
           !call->collective.schedule && !call->collective.upcalls && !call->engine.stopped && !call->rank->threads &&
           !vm_rank_is_watched(call->process);
}

/* Asks the machine to resume the rank at the call's time. */
static void call_wake(MpiCall *call)
{
    const MpiEnv *env = &call->world->env;
    call->engine.finishing = true;
    if (!env->wake_alone || !call_ends_alone(call) || !env->wake_alone(env->user, call->task, call->now))
        env->wake(env->user, call->task, call->now);
}

void mpi_call_settle(MpiCall *call)
{
    assert(call->engine.blocked && !call->engine.finishing);
    if (call->engine.stopped || call->collective.upcalls ||
        (call->collective.schedule ? call->world->upper->schedule_advance(call)
                                   : call->engine.waiting == 0 && !call->rank->probing))
        call_wake(call);
}

static bool is_receptive(const MpiCall *call)
{
    return call && call->engine.blocked && !call->engine.finishing;
}

/* Returns the blocked call of any thread that executes the schedule. */
static MpiCall *call_of_schedule(MpiRank *rank, const MpiSchedule *schedule)
{
    uint32_t thread = 0;
    for (MpiCall *call; (call = mpi_threads_next_blocked(rank, &thread)); thread++)
        if (call->collective.schedule == schedule)
            return call;
    return NULL;
}

MpiCall *mpi_call_receptive_for(const MpiRequest *request)
{
    MpiRank *rank = request->owner;
    if (G_LIKELY(!rank->threads) || rank->failed)
        return mpi_call_receptive(rank);
    MpiCall *call = request->schedule ? call_of_schedule(rank, request->schedule) : request->waiter;
    if (request->part && is_receptive(request->whole->waiter))
        call = request->whole->waiter;
    if (!is_receptive(call))
        return mpi_call_receptive(rank);
    mpi_threads_focus_on(call);
    return call;
}

/* Only one thread may wait for a request (MPI-4.1 section 11.6.1). */
bool mpi_call_others_wait(MpiCall *call, MpiRequest **requests, unsigned n, MpiStep *step)
{
    for (unsigned i = 0; i < n; i++) {
        const MpiCall *other = requests[i] ? requests[i]->claim : NULL;
        if (!other || other->thread == call->thread || mpi_threads_call(call->rank, other->thread) != other ||
            !other->engine.blocked)
            continue;
        g_autoptr(GString) place = g_string_new(NULL);
        mpi_append_place(place, call->process, other->pc);
        *step = mpi_call_error(call, NULL, MPI_ERR_REQUEST,
                               "another thread waits for this request, in %s at %s; one thread completes a request",
                               other->name, place->str);
        return true;
    }
    return false;
}

MpiStep mpi_call_wait(MpiCall *call, MpiRequest **requests, unsigned n, MpiHandler then)
{
    MpiStep step;
    assert(call->engine.waiting == 0);
    if (G_UNLIKELY(call->rank->threads) && mpi_call_others_wait(call, requests, n, &step))
        return step;
    mpi_tell_waits(call->world, call, requests, n, false);
    for (unsigned i = 0; i < n; i++) {
        if (!requests[i] || !mpi_request_pending(requests[i]) || requests[i]->waiter)
            continue;
        requests[i]->waiter = requests[i]->claim = call;
        call->engine.waiting++;
    }
    call->engine.awaits = call->engine.waiting;
    return call->engine.waiting ? mpi_call_block(call, then) : then(call);
}

MpiStep mpi_call_wait_any(MpiCall *call, MpiRequest **requests, unsigned n, MpiHandler then)
{
    MpiStep step;
    if (G_UNLIKELY(call->rank->threads) && mpi_call_others_wait(call, requests, n, &step))
        return step;
    for (unsigned i = 0; i < n; i++)
        if (requests[i] && mpi_request_pending(requests[i]))
            requests[i]->waiter = requests[i]->claim = call;
    call->engine.waiting = 1;
    call->engine.awaits = true;
    return mpi_call_block(call, then);
}
