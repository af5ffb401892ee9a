/* agreement.c - MPIX_Comm_agree and MPIX_Comm_shrink: all living members enter, and all leave at one time.
 *
 * An agreement ends when every member has entered or is known to have failed; then everybody has the same result,
 * whoever fails later. It costs twice the steps of a binomial tree (key failure-agreement, per step) after the last
 * member has entered. */
#include "mpi/core/handlers.h"
#include "mpi/core/hooks.h"
#include "mpi/core/slots.h"
#include "mpi/core/stores.h"
#include "mpi/failure/failure.h"
#include "mpi/p2p/p2p.h"

typedef struct Agreement {
    uint32_t context, function;
    uint64_t turn;
    MpiGroup *group;  /* the members */
    GPtrArray *calls; /* MpiCall, of those who wait, in the order of their coming */
    uint32_t entered;
    uint64_t last_ps; /* time of the last that has entered */
    int32_t flags;    /* bitwise AND of what members brought */
    bool failures;    /* a member has not taken note of a failure */
    bool over;
    GArray *alive; /* world ranks of those who have entered, in order of the group */
} Agreement;

void mpi_agreement_free(void *data)
{
    Agreement *agreement = data;
    mpi_group_unref(agreement->group);
    g_ptr_array_unref(agreement->calls);
    g_array_unref(agreement->alive);
    g_free(agreement);
}

static Agreement *agreement_for(MpiCall *call, MpiComm *comm)
{
    MpiFailures *failures = mpi_failures_of(call->world);
    uint64_t turn = mpi_comm_take_turn(call, comm);
    for (guint i = 0; i < failures->agreements->len; i++) {
        Agreement *agreement = failures->agreements->pdata[i];
        if (agreement->context == comm->context && agreement->turn == turn && agreement->function == call->function)
            return agreement;
    }
    Agreement *agreement = g_new0(Agreement, 1);
    agreement->context = comm->context;
    agreement->function = call->function;
    agreement->turn = turn;
    agreement->group = mpi_group_ref(comm->group);
    agreement->calls = g_ptr_array_new();
    agreement->alive = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    agreement->flags = -1;
    g_ptr_array_add(failures->agreements, agreement);
    return agreement;
}

static bool has_entered(const Agreement *agreement, uint32_t world_rank)
{
    for (guint i = 0; i < agreement->alive->len; i++)
        if (g_array_index(agreement->alive, uint32_t, i) == world_rank)
            return true;
    return false;
}

static bool is_complete(MpiWorld *world, const Agreement *agreement)
{
    for (uint32_t i = 0; i < agreement->group->size; i++) {
        uint32_t member = mpi_group_world_rank(agreement->group, i);
        if (!has_entered(agreement, member) && !mpi_failure_is_known(world, member))
            return false;
    }
    return true;
}

static int by_place(gconstpointer a, gconstpointer b, gpointer group)
{
    return mpi_group_find(group, *(const uint32_t *)a) - mpi_group_find(group, *(const uint32_t *)b);
}

static const Agreement *agreement_of(const MpiCall *call)
{
    return (const Agreement *)(uintptr_t)call->room[0];
}

static MpiComm *comm_of(const MpiCall *call)
{
    return (MpiComm *)(uintptr_t)call->room[1];
}

/* Lets all go on that wait, except a call that is just entering and goes on by itself. */
static void conclude(MpiWorld *world, Agreement *agreement, uint64_t time_ps, const MpiCall *entering)
{
    uint64_t steps = 0;
    while (UINT64_C(1) << steps < agreement->group->size)
        steps++;
    agreement->over = true;
    agreement->last_ps = MAX(agreement->last_ps, time_ps) + 2 * steps * world->params.failure_agreement_ps;
    g_array_sort_with_data(agreement->alive, by_place, agreement->group);
    for (guint i = 0; i < agreement->calls->len; i++)
        agreement->failures = agreement->failures || mpi_failure_is_new(world, comm_of(agreement->calls->pdata[i]));
    for (guint i = 0; i < agreement->calls->len; i++) {
        MpiCall *call = agreement->calls->pdata[i];
        call->engine.waiting = 0;
        if (call == entering || call->rank->failed)
            continue;
        mpi_call_advance(call, agreement->last_ps);
        mpi_call_settle(call);
    }
    g_ptr_array_set_size(agreement->calls, 0);
}

void mpi_agreements_look(MpiWorld *world, uint64_t time_ps)
{
    const MpiFailures *failures = mpi_failures_of(world);
    for (guint i = 0; i < failures->agreements->len; i++) {
        Agreement *agreement = failures->agreements->pdata[i];
        if (!agreement->over && is_complete(world, agreement))
            conclude(world, agreement, time_ps, NULL);
    }
}

/* The calling member enters; it goes on at `then` with the agreement as its state. */
static MpiStep enter(MpiCall *call, MpiComm *comm, int32_t flag, MpiHandler then)
{
    Agreement *agreement = agreement_for(call, comm);
    uint32_t self = call->rank->index;
    agreement->flags &= flag;
    agreement->failures = agreement->failures || mpi_failure_is_new(call->world, comm);
    agreement->last_ps = MAX(agreement->last_ps, call->now);
    g_array_append_val(agreement->alive, self);
    call->room[0] = (uint64_t)(uintptr_t)agreement;
    call->room[1] = (uint64_t)(uintptr_t)comm;
    g_ptr_array_add(agreement->calls, call);
    if (is_complete(call->world, agreement)) {
        conclude(call->world, agreement, call->now, call);
        mpi_call_advance(call, agreement->last_ps);
        return then(call);
    }
    mpi_tell_waits(call->world, call, NULL, 0, false);
    call->engine.waiting = 1;
    return mpi_call_block(call, then);
}

bool mpi_agreement_misses(const MpiRank *rank, bool (*misses)(MpiWorld *world, const MpiComm *comm))
{
    const MpiFailures *failures = mpi_world_slot(rank->world, MPI_SLOT_FAILURES);
    for (guint i = 0; failures && i < failures->agreements->len; i++) {
        const Agreement *agreement = failures->agreements->pdata[i];
        for (guint k = 0; k < agreement->calls->len; k++)
            if (agreement->calls->pdata[k] == rank->call)
                return misses(rank->world, comm_of(rank->call));
    }
    return false;
}

/* -- agreeing ---------------------------------------------------------------------------------- */

static MpiStep agreed(MpiCall *call)
{
    const Agreement *agreement = agreement_of(call);
    mpi_store_int(call, call->args[1], agreement->flags);
    if (agreement->failures)
        return mpi_call_error(call, comm_of(call), MPI_ERR_PROC_FAILED,
                              "a process has failed, and not all members have taken note of it "
                              "(MPIX_Comm_failure_ack); the flags are agreed nevertheless");
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Comm_agree(MpiCall *call)
{
    MpiComm *comm;
    MpiInt32 *flag;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step) || !mpi_check_intra(call, comm, &step) ||
        !mpi_check_output(call, comm, 1, sizeof *flag, (void **)&flag, &step))
        return step;
    return enter(call, comm, *flag, agreed);
}

/* -- shrinking --------------------------------------------------------------------------------- */

static MpiStep shrunk(MpiCall *call)
{
    const Agreement *agreement = agreement_of(call);
    const MpiComm *parent = comm_of(call);
    guint n = agreement->alive->len;
    uint32_t *ranks = g_memdup2(agreement->alive->data, n * sizeof *ranks);
    uint32_t context = mpi_comm_new_context(call->world, parent->context, agreement->turn, -1);
    MpiComm *made = mpi_comm_new(call, context, mpi_group_new(n, ranks), NULL);
    made->failures_acked = mpi_failures_of(call->world)->known->len;
    if (parent->errhandler)
        made->errhandler = mpi_error_handler_ref(parent->errhandler);
    mpi_store_handle(call, call->args[1], made->handle);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Comm_shrink(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    void *host;
    if (!mpi_check_comm(call, 0, &comm, &step) || !mpi_check_intra(call, comm, &step) ||
        !mpi_check_output(call, comm, 1, sizeof(MpiHandle), &host, &step))
        return step;
    return enter(call, comm, -1, shrunk);
}
