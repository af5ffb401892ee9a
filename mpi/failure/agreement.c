/* agreement.c - MPIX_Comm_agree, MPIX_Comm_shrink and their nonblocking forms: all living members enter, and all leave
 * at one time.
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
    GArray *alive;    /* world ranks of those who have entered, in order of the group */
    GArray *requests; /* Promise, in the order of their coming */
    uint32_t left;    /* members that have their result */
} Agreement;

/* A member that did not wait. */
typedef struct Promise {
    MpiRequest *request; /* NULL: the program has given it up */
    uint64_t address;    /* where the result goes */
} Promise;

typedef struct AgreementAlarm {
    MpiFailureAlarm alarm; /* first */
    Agreement *agreement;
} AgreementAlarm;

void mpi_agreement_free(void *data)
{
    Agreement *agreement = data;
    mpi_group_unref(agreement->group);
    g_ptr_array_unref(agreement->calls);
    g_array_unref(agreement->alive);
    g_array_unref(agreement->requests);
    g_free(agreement);
}

static Agreement *agreement_for(MpiCall *call, MpiComm *comm)
{
    MpiFailures *failures = mpi_failures_of(call->world);
    uint64_t turn = mpi_comm_take_turn(call, comm);
    for (guint i = 0; i < failures->agreements->len; i++) {
        Agreement *agreement = failures->agreements->pdata[i];
        if (agreement->context == comm->context && agreement->turn == turn && agreement->function == call->function &&
            mpi_group_find(agreement->group, call->rank->index) >= 0) /* MPI_COMM_SELF is many */
            return agreement;
    }
    Agreement *agreement = g_new0(Agreement, 1);
    agreement->context = comm->context;
    agreement->function = call->function;
    agreement->turn = turn;
    agreement->group = mpi_group_ref(comm->group);
    agreement->calls = g_ptr_array_new();
    agreement->alive = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    agreement->requests = g_array_new(FALSE, FALSE, sizeof(Promise));
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
    if (agreement->alive->len + mpi_failures_of(world)->known->len < agreement->group->size)
        return false;
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

static Agreement *agreement_of(const MpiCall *call)
{
    return (Agreement *)(uintptr_t)call->room[0];
}

static MpiComm *comm_of(const MpiCall *call)
{
    return (MpiComm *)(uintptr_t)call->room[1];
}

/* A member has its result. The last one lets the agreement be forgotten. */
static void leave(MpiWorld *world, Agreement *agreement)
{
    if (++agreement->left == agreement->entered)
        g_ptr_array_remove_fast(mpi_failures_of(world)->agreements, agreement);
}

/* -- the end ----------------------------------------------------------------------------------- */

/* Who has failed after it has entered is not among the living. */
static void take_stock(MpiWorld *world, Agreement *agreement)
{
    for (guint i = 0; i < agreement->calls->len; i++)
        agreement->failures = agreement->failures || mpi_failure_is_new(world, comm_of(agreement->calls->pdata[i]));
    for (guint i = 0; i < agreement->requests->len; i++) {
        const MpiRequest *request = g_array_index(agreement->requests, Promise, i).request;
        agreement->failures = agreement->failures || (!request->freed && mpi_failure_is_new(world, request->comm));
    }
    for (guint i = agreement->alive->len; i-- > 0;)
        if (mpi_failure_is_known(world, g_array_index(agreement->alive, uint32_t, i)))
            g_array_remove_index(agreement->alive, i);
    g_array_sort_with_data(agreement->alive, by_place, agreement->group);
}

static void complete_requests(MpiWorld *world, MpiFailureAlarm *alarm, uint64_t time_ps)
{
    Agreement *agreement = ((AgreementAlarm *)alarm)->agreement;
    bool tells = agreement->function == MPI_FUNCTION_Comm_iagree && agreement->failures;
    g_free(alarm);
    for (guint i = 0; i < agreement->requests->len; i++) {
        Promise *promise = &g_array_index(agreement->requests, Promise, i);
        MpiRequest *request = promise->request;
        MpiRank *rank = request->owner;
        MpiCall *call = mpi_call_receptive(rank);
        if (request->freed)
            promise->request = NULL;
        mpi_call_touch_rank(rank);
        mpi_request_complete(request, tells ? MPI_ERR_PROC_FAILED : MPI_SUCCESS);
        if (!call)
            continue;
        mpi_call_advance(call, time_ps);
        mpi_call_settle(call);
    }
    (void)world;
}

/* Lets all go on that wait, except a call that is just entering and goes on by itself. */
static void conclude(MpiWorld *world, Agreement *agreement, uint64_t time_ps, const MpiCall *entering)
{
    uint64_t steps = 0;
    while (UINT64_C(1) << steps < agreement->group->size)
        steps++;
    agreement->over = true;
    agreement->last_ps = MAX(agreement->last_ps, time_ps) + 2 * steps * world->params.failure_agreement_ps;
    take_stock(world, agreement);
    for (guint i = 0; i < agreement->calls->len; i++) {
        MpiCall *call = agreement->calls->pdata[i];
        call->engine.waiting = 0;
        if (call == entering || call->rank->failed)
            continue;
        mpi_call_advance(call, agreement->last_ps);
        mpi_call_settle(call);
    }
    g_ptr_array_set_size(agreement->calls, 0);
    if (!agreement->requests->len)
        return;
    AgreementAlarm *alarm = g_new0(AgreementAlarm, 1);
    *alarm = (AgreementAlarm){{complete_requests}, agreement};
    const MpiRequest *first = g_array_index(agreement->requests, Promise, 0).request;
    mpi_failure_alarm_at(first->owner, agreement->last_ps, &alarm->alarm);
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

static Agreement *enter(MpiCall *call, MpiComm *comm, int32_t flag)
{
    Agreement *agreement = agreement_for(call, comm);
    uint32_t self = call->rank->index;
    agreement->flags &= flag;
    agreement->failures = agreement->failures || mpi_failure_is_new(call->world, comm);
    agreement->last_ps = MAX(agreement->last_ps, call->now);
    agreement->entered++;
    g_array_append_val(agreement->alive, self);
    return agreement;
}

/* The calling member enters and waits; it goes on at `then` with the agreement as its state. */
static MpiStep enter_and_wait(MpiCall *call, MpiComm *comm, int32_t flag, MpiHandler then)
{
    Agreement *agreement = enter(call, comm, flag);
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

/* The calling member enters and gets a request, at argument 2. The result goes to the address in argument 1. */
static MpiStep enter_and_go_on(MpiCall *call, MpiComm *comm, int32_t flag)
{
    enum { RESULT = 1, REQUEST = 2 };
    MpiBuffer none = {0};
    Agreement *agreement = enter(call, comm, flag);
    MpiRequest *request = mpi_request_new(call, MPI_REQUEST_AGREEMENT, MPI_MODE_STANDARD, &none, comm, 0, 0, false);
    Promise promise = {request, call->args[RESULT]};
    mpi_request_begin(request);
    g_array_append_val(agreement->requests, promise);
    if (is_complete(call->world, agreement))
        conclude(call->world, agreement, call->now, NULL);
    return mpi_request_publish(call, request, call->args[REQUEST]);
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
    Agreement *agreement = agreement_of(call);
    bool failures = agreement->failures;
    mpi_store_int(call, call->args[1], agreement->flags);
    leave(call->world, agreement);
    if (failures)
        return mpi_call_error(call, comm_of(call), MPI_ERR_PROC_FAILED,
                              "a process has failed, and not all members have taken note of it "
                              "(MPIX_Comm_failure_ack); the flags are agreed nevertheless");
    return MPI_STEP_DONE;
}

static bool check_members(MpiCall *call, bool request, MpiComm **comm, MpiStep *step)
{
    return mpi_check_comm(call, 0, comm, step) && mpi_check_intra(call, *comm, step) &&
           (!request || mpi_check_result(call, 2, sizeof(MpiHandle), step));
}

static MpiStep agree(MpiCall *call, bool waits)
{
    MpiComm *comm;
    MpiInt32 *flag;
    MpiStep step;
    if (!check_members(call, !waits, &comm, &step) ||
        !mpi_check_output(call, comm, 1, sizeof *flag, (void **)&flag, &step))
        return step;
    return waits ? enter_and_wait(call, comm, *flag, agreed) : enter_and_go_on(call, comm, *flag);
}

MPI_HANDLER(Comm_agree, agree(call, true))
MPI_HANDLER(Comm_iagree, agree(call, false))

/* -- shrinking --------------------------------------------------------------------------------- */

static void give_comm(MpiCall *call, const MpiComm *parent, const Agreement *agreement, uint64_t address)
{
    guint n = agreement->alive->len;
    uint32_t *ranks = g_memdup2(agreement->alive->data, n * sizeof *ranks);
    uint32_t context =
        mpi_comm_new_context(call->world, parent->context, agreement->turn, -1 - (int)agreement->function);
    MpiComm *made = mpi_comm_new(call, context, mpi_group_new(n, ranks), NULL);
    made->failures_acked = mpi_failures_of(call->world)->known->len;
    if (parent->errhandler)
        made->errhandler = mpi_error_handler_ref(parent->errhandler);
    mpi_store_handle(call, address, made->handle);
}

static MpiStep shrunk(MpiCall *call)
{
    Agreement *agreement = agreement_of(call);
    give_comm(call, comm_of(call), agreement, call->args[1]);
    leave(call->world, agreement);
    return MPI_STEP_DONE;
}

static MpiStep shrink(MpiCall *call, bool waits)
{
    MpiComm *comm;
    MpiStep step;
    void *host;
    if (!check_members(call, !waits, &comm, &step) || !mpi_check_output(call, comm, 1, sizeof(MpiHandle), &host, &step))
        return step;
    return waits ? enter_and_wait(call, comm, -1, shrunk) : enter_and_go_on(call, comm, -1);
}

MPI_HANDLER(Comm_shrink, shrink(call, true))
MPI_HANDLER(Comm_ishrink, shrink(call, false))

/* -- results of those who did not wait ---------------------------------------------------------- */

void mpi_agreement_finished(MpiWorld *world, MpiRequest *request)
{
    MpiCall *call = request->owner->call;
    if (G_LIKELY(request->sort != MPI_REQUEST_AGREEMENT) || !call)
        return;
    const GPtrArray *agreements = mpi_failures_of(world)->agreements;
    for (guint i = 0; i < agreements->len; i++) {
        Agreement *agreement = agreements->pdata[i];
        for (guint k = 0; k < agreement->requests->len; k++) {
            Promise *promise = &g_array_index(agreement->requests, Promise, k);
            if (promise->request != request)
                continue;
            promise->request = NULL;
            if (agreement->function == MPI_FUNCTION_Comm_ishrink)
                give_comm(call, request->comm, agreement, promise->address);
            else
                mpi_store_int(call, promise->address, agreement->flags);
            leave(world, agreement);
            return;
        }
    }
}
