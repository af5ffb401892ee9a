/* calls.c - accounts for the time of a call, and blocks it.
 *
 * call->now starts at the VM's clock. mpi_call_charge() adds overhead, mpi_call_advance() adds waiting, and upcalls add
 * what they computed. Nothing else moves it. So, for each rank, finish = compute + overhead + blocked. */
#include "mpi/core/call.h"
#include "mpi/core/count.h"
#include "mpi/core/findings.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/threads.h"
#include "mpi/core/world.h"

#include <assert.h>

/* -- time -------------------------------------------------------------------------------------- */

void mpi_call_charge(MpiCall *call, uint64_t ps)
{
    uint64_t from_ps = call->now;
    call->now += ps;
    if (G_UNLIKELY(call->background)) { /* an agent uses no rank's processor time */
        call->now -= call->engine.prepaid ? ps : 0;
        return;
    }
    call->overhead_ps += ps;
    mpi_count_overhead(call->rank, ps);
    mpi_tell_spent(call->world, call, MPI_ACTIVITY_OVERHEAD, from_ps);
}

void mpi_call_begin_agent(const MpiCall *call, MpiCall *agent)
{
    agent->world = call->world;
    agent->rank = call->rank;
    agent->process = call->process;
    agent->function = call->function;
    agent->name = call->name;
    agent->pc = call->pc;
    agent->background = true;
}

void mpi_call_advance(MpiCall *call, uint64_t time_ps)
{
    uint64_t from_ps = call->now;
    assert(!call->local);
    if (time_ps <= from_ps)
        return;
    call->now = time_ps;
    if (G_UNLIKELY(call->background))
        return;
    mpi_count_blocked(call->rank, time_ps - from_ps);
    if (G_UNLIKELY(call->remote.win))
        mpi_count_window_wait(call->rank, time_ps - from_ps);
    mpi_tell_spent(call->world, call, MPI_ACTIVITY_BLOCKED, from_ps);
}

/* -- blocking ---------------------------------------------------------------------------------- */

MpiStep mpi_call_upcall(MpiCall *call, uint64_t function, const uint64_t *args, unsigned n, MpiHandler then)
{
    g_assert(!call->local);
    mpi_tell_left(call->world, call);
    vm_clock_set(vm_rank_clock(call->process), call->now);
    call->step = then;
    return vm_rank_upcall(call->process, function, args, n) ? MPI_STEP_UPCALL : MPI_STEP_FAULT;
}

MpiCall *mpi_call_receptive(MpiRank *rank)
{
    MpiCall *call = rank->call;
    if (G_UNLIKELY(rank->threads) && !rank->failed) {
        uint32_t first = 0;
        return mpi_threads_next_blocked(rank, &first);
    }
    return call && call->engine.blocked && !call->engine.finishing && !rank->failed ? call : NULL;
}

MpiStep mpi_call_block(MpiCall *call, MpiHandler then)
{
    assert(!call->local);
    call->step = then;
    call->engine.blocked = true;
    return MPI_STEP_BLOCK;
}

void mpi_call_stop(MpiCall *call, MpiCheck check, const char *reason)
{
    call->engine.stopped = true;
    mpi_finding_stop(call, check, "%s", reason);
}

void mpi_call_poll_failed(MpiCall *call)
{
    call->rank->idle_polls = call->engine.idle_polls < UINT32_MAX ? call->engine.idle_polls + 1 : UINT32_MAX;
    if (call->world->params.call_overhead_ps == 0)
        mpi_call_charge(call, 1000);
}

void mpi_call_touch_rank(MpiRank *rank)
{
    const MpiEnv *env = &rank->world->env;
    if (!rank->idle_polls)
        return;
    rank->idle_polls = 0;
    if (env->touch)
        env->touch(env->user, rank->index);
}
