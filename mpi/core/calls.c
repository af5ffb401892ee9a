/* calls.c - the account of a call's time, and how it is blocked.
 *
 * call->now starts at the VM's clock. mpi_call_charge() moves it by overhead, mpi_call_advance() by waiting, upcalls by
 * what they computed; nothing else moves it. So, per rank, finish = compute + overhead + blocked. */
#include "mpi/core/call.h"
#include "mpi/core/core.h"

/* -- time -------------------------------------------------------------------------------------- */

uint64_t mpi_call_bytes_ps(uint64_t bytes, uint64_t byte_fs)
{
    uint64_t product;
    if (!__builtin_mul_overflow(bytes, byte_fs, &product)) /* the usual case, and much faster */
        return product / 1000;
    return (uint64_t)((unsigned __int128)bytes * byte_fs / 1000);
}

void mpi_call_report(MpiCall *call)
{
    const MpiEnv *env = &call->world->env;
    if (env->activity && call->now > call->engine.reported_ps && !call->local)
        env->activity(env->user, call->rank->index, call->engine.activity, call->engine.reported_ps, call->now,
                      call->name);
    call->engine.reported_ps = call->now;
}

/* What the rank does from now on. */
static inline void call_does(MpiCall *call, MpiActivity activity)
{
    call->engine.reported_ps = call->now;
    call->engine.activity = activity;
}

static G_GNUC_NO_INLINE void call_begin_charge(MpiCall *call, uint64_t ps)
{
    mpi_call_report(call);
    call_does(call, MPI_ACTIVITY_OVERHEAD);
    mpi_call_charge(call, ps);
}

void mpi_call_charge(MpiCall *call, uint64_t ps)
{
    if (G_UNLIKELY(call->background)) { /* nobody's processor time */
        call->now += ps;
        return;
    }
    if (call->engine.activity != MPI_ACTIVITY_OVERHEAD) {
        if (G_UNLIKELY(call->world->env.activity)) {
            call_begin_charge(call, ps);
            return;
        }
        call_does(call, MPI_ACTIVITY_OVERHEAD);
    }
    call->now += ps;
    call->overhead_ps += ps;
    call->rank->stats.overhead_ps += ps;
}

static G_GNUC_NO_INLINE void call_begin_wait(MpiCall *call, uint64_t time_ps)
{
    mpi_call_report(call);
    call_does(call, MPI_ACTIVITY_BLOCKED);
    mpi_call_advance(call, time_ps);
}

void mpi_call_advance(MpiCall *call, uint64_t time_ps)
{
    assert(!call->local);
    if (time_ps <= call->now)
        return;
    if (G_UNLIKELY(call->background)) {
        call->now = time_ps;
        return;
    }
    if (call->engine.activity != MPI_ACTIVITY_BLOCKED) {
        if (G_UNLIKELY(call->world->env.activity)) {
            call_begin_wait(call, time_ps);
            return;
        }
        call_does(call, MPI_ACTIVITY_BLOCKED);
    }
    call->rank->stats.blocked_ps += time_ps - call->now;
    call->now = time_ps;
}

/* -- blocking ---------------------------------------------------------------------------------- */

MpiStep mpi_call_upcall(MpiCall *call, uint64_t function, const uint64_t *args, unsigned n, MpiHandler then)
{
    g_assert(!call->local);
    mpi_call_report(call);
    vm_clock_set(vm_rank_clock(call->process), call->now);
    call->step = then;
    return vm_rank_upcall(call->process, function, args, n) ? MPI_STEP_UPCALL : MPI_STEP_FAULT;
}

MpiCall *mpi_call_receptive(MpiRank *rank)
{
    MpiCall *call = rank->call;
    return call && call->engine.blocked && !call->engine.finishing ? call : NULL;
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
