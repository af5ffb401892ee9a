/* failure_calls.c - what a program asks and says about failures: the functions of ULFM that one process calls alone. */
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/stores.h"
#include "mpi/failure/failure.h"

/* -- revoking ---------------------------------------------------------------------------------- */

typedef struct Revocation {
    MpiFailureAlarm alarm; /* first */
    uint32_t context, by;
} Revocation;

static void revoke_at(MpiRank *rank, uint32_t context, uint64_t time_ps)
{
    MpiComm *comm = (MpiComm *)mpi_find_comm(rank, context);
    if (!comm || comm->revoked || rank->exited)
        return;
    comm->revoked = true;
    mpi_failure_end_all(rank, context, MPI_ERR_REVOKED, time_ps);
}

void mpi_failure_alarm(MpiWorld *world, uint64_t cookie, uint64_t time_ps)
{
    MpiFailureAlarm *alarm = (MpiFailureAlarm *)(uintptr_t)(cookie & ~MPI_FAILURE_ALARM);
    alarm->ring(world, alarm, time_ps);
}

void mpi_failure_alarm_at(const MpiRank *rank, uint64_t time_ps, MpiFailureAlarm *alarm)
{
    const MpiEnv *env = &rank->world->env;
    env->alarm(env->user, rank->index, time_ps, (uint64_t)(uintptr_t)alarm | MPI_FAILURE_ALARM);
}

/* The revocation is known to all. */
static void revoke_at_others(MpiWorld *world, MpiFailureAlarm *alarm, uint64_t time_ps)
{
    g_autofree Revocation *revocation = (Revocation *)alarm;
    for (uint32_t i = 0; i < world->n_ranks; i++)
        if (i != revocation->by && world->ranks[i].process)
            revoke_at(&world->ranks[i], revocation->context, time_ps);
}

/* Takes effect on the caller at once, on the others after the time of a notice. */
MpiStep mpi_do_Comm_revoke(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step))
        return step;
    mpi_failures_of(call->world);
    if (comm->revoked)
        return MPI_STEP_DONE;
    revoke_at(call->rank, comm->context, call->now);
    Revocation *revocation = g_new0(Revocation, 1);
    revocation->context = comm->context;
    revocation->by = call->rank->index;
    revocation->alarm.ring = revoke_at_others;
    mpi_failure_alarm_at(call->rank, call->now + call->world->params.failure_notice_ps, &revocation->alarm);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Comm_is_revoked(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step) || !mpi_check_result(call, 1, 4, &step))
        return step;
    mpi_store_int(call, call->args[1], comm->revoked);
    return MPI_STEP_DONE;
}

/* -- asking ------------------------------------------------------------------------------------ */

static MpiStep give_group(MpiCall *call, const MpiComm *comm, uint32_t n)
{
    MpiStep step;
    if (!mpi_check_result(call, 1, sizeof(MpiHandle), &step))
        return step;
    MpiGroup *group = mpi_failures_group(call->world, comm, n);
    MpiHandle handle = MPI_HANDLE(MPI_KIND_GROUP, MPI_GROUP_EMPTY_INDEX);
    if (group != mpi_group_empty())
        handle = group->handle = mpi_handle_register(call, MPI_KIND_GROUP, group);
    mpi_store_handle(call, call->args[1], handle);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Comm_failure_get_acked(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_comm(call, 0, &comm, &step) ? give_group(call, comm, comm->failures_acked) : step;
}

MpiStep mpi_do_Comm_get_failed(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_comm(call, 0, &comm, &step) ? give_group(call, comm, UINT32_MAX) : step;
}

/* -- taking note ------------------------------------------------------------------------------- */

MpiStep mpi_do_Comm_failure_ack(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step))
        return step;
    comm->failures_acked = mpi_failures_of(call->world)->known->len;
    return MPI_STEP_DONE;
}

/* Takes note of so many failed members, in the order in which they became known, and answers of how many in all. */
MpiStep mpi_do_Comm_ack_failed(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    int wanted = mpi_int(call, 1), acked = 0;
    if (!mpi_check_comm(call, 0, &comm, &step) || !mpi_check_result(call, 2, 4, &step))
        return step;
    if (wanted < 0)
        return mpi_call_error(call, comm, MPI_ERR_ARG, "argument 2, the number of failures, is negative (%d)", wanted);
    uint32_t known = mpi_failures_of(call->world)->known->len;
    for (uint32_t n = 0; n <= known; n++) {
        MpiGroup *group = mpi_failures_group(call->world, comm, n);
        int members = (int)group->size;
        mpi_group_unref(group);
        if (members > wanted)
            break;
        comm->failures_acked = MAX(comm->failures_acked, n);
    }
    MpiGroup *group = mpi_failures_group(call->world, comm, comm->failures_acked);
    acked = (int)group->size;
    mpi_group_unref(group);
    mpi_store_int(call, call->args[2], acked);
    return MPI_STEP_DONE;
}
