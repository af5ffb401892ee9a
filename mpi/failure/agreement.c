/* agreement.c - MPIX_Comm_agree, MPIX_Comm_shrink and their nonblocking forms: all living members enter, and all have
 * the same result.
 *
 *      enters --> reports to the one above, when those below have reported --> has the result, passes it on
 *                                   |
 *                 a failure becomes known: the living begin anew, with another tree
 *
 * Messages carry the reports and the result (collective_agreement.c). In every member an *agent* (operations.c) handles
 * them, whatever its rank is doing, also when the rank has its result and goes on: when a failure cuts others off from
 * the result, all who are left begin a new *round*. What was once decided stays: a member that knows the result brings
 * it into the next round. So everybody has the same result, whoever fails when. Failures become known to all at one
 * time, so all agree on who takes part in a round.
 *
 * A member writes down what it reports and what it has heard, so that no failure of others lets it forget that (key
 * failure-agreement). */
#include "mpi/collective/collective.h"
#include "mpi/core/handlers.h"
#include "mpi/core/hooks.h"
#include "mpi/core/slots.h"
#include "mpi/core/stores.h"
#include "mpi/failure/failure.h"
#include "mpi/p2p/p2p.h"

#include <string.h>

typedef struct Agreement Agreement;

/* A process in an agreement. It lives as long as its `anchor`, a request that the program does not see. */
typedef struct Member {
    MpiCall agent; /* first member */
    Agreement *agreement;
    MpiRequest *request; /* what the program waits for; NULL: it has the result, or does not want it any more */
    MpiRequest *anchor;
    MpiComm *comm;    /* a reference */
    uint64_t address; /* nonblocking forms: where the result goes */
    uint64_t sequence;
    int32_t flag;
    bool knows; /* the result */
    bool due;   /* an alarm will tell the program */
    bool left;  /* the program has its result */
} Member;

struct Agreement { /* starts with what it is found by */
    MpiLedOccasion at;
    uint32_t function;
    guint place; /* among all agreements */
    MpiGroup *group;
    Member **members; /* by rank in the group; NULL: has not entered */
    int *living;      /* ranks in the group, those that take part in this round */
    uint32_t n_living;
    uint32_t *report; /* what a member that knows nothing reports, see REPORT_* */
    uint32_t round;
    uint32_t missing; /* living members that have not left */
    uint32_t running; /* schedules */
    bool restarting;  /* members are about to begin the next round */
    bool decided;     /* and here is the result: */
    bool failures;    /* a member has not taken note of a failure */
    int32_t flags;    /* bitwise AND of what members brought */
    uint32_t known;   /* number of failures that were known */
    uint32_t n_alive; /* members that are left, as world ranks in the order of the group */
    uint32_t *alive;
};

/* The words of a report: the flags; whether the member has taken note of all failures; behind that a bit for each
 * member that it believes to live. They are combined by AND. */
enum { REPORT_FLAGS, REPORT_NOTED, REPORT_ALIVE };
enum { BAND = 6 }; /* index of MPI_BAND in handles.def */

static uint32_t report_words(const Agreement *agreement)
{
    return REPORT_ALIVE + (agreement->group->size + 31) / 32;
}

/* -- the table of agreements ------------------------------------------------------------------------ */

static void agreement_free(void *data)
{
    Agreement *agreement = data;
    mpi_group_unref(agreement->group);
    g_free(agreement->members);
    g_free(agreement->living);
    g_free(agreement->report);
    g_free(agreement->alive);
    g_free(agreement);
}

void mpi_agreements_init(MpiFailures *failures)
{
    failures->agreements = g_ptr_array_new_with_free_func(agreement_free);
    failures->by_call = g_hash_table_new(mpi_turn_led_hash, mpi_turn_led_equal);
}

void mpi_agreements_free(MpiFailures *failures)
{
    g_hash_table_unref(failures->by_call);
    g_ptr_array_unref(failures->agreements);
}

/* Notes who takes part in the round. */
static void count_the_living(MpiWorld *world, Agreement *agreement)
{
    uint32_t *report = agreement->report;
    agreement->n_living = agreement->missing = 0;
    memset(report, 0, report_words(agreement) * sizeof *report);
    report[REPORT_FLAGS] = report[REPORT_NOTED] = UINT32_MAX;
    for (uint32_t i = 0; i < agreement->group->size; i++) {
        const Member *member = agreement->members[i];
        if (mpi_failure_is_known(world, mpi_group_world_rank(agreement->group, i)))
            continue;
        report[REPORT_ALIVE + i / 32] |= UINT32_C(1) << i % 32;
        agreement->living[agreement->n_living++] = (int)i;
        agreement->missing += !member || !member->left;
    }
}

static Agreement *agreement_for(MpiCall *call, const MpiComm *comm, uint64_t turn)
{
    MpiFailures *failures = mpi_failures_of(call->world);
    Agreement key = {.at = mpi_turn_led(comm, turn)};
    Agreement *agreement = g_hash_table_lookup(failures->by_call, &key);
    if (agreement)
        return agreement;
    agreement = g_new(Agreement, 1);
    *agreement = key;
    agreement->function = call->function;
    agreement->group = mpi_group_ref(comm->group);
    agreement->members = g_new0(Member *, comm->group->size);
    agreement->living = g_new(int, comm->group->size);
    agreement->report = g_new(uint32_t, report_words(agreement));
    agreement->place = failures->agreements->len;
    g_ptr_array_add(failures->agreements, agreement);
    g_hash_table_add(failures->by_call, agreement);
    count_the_living(call->world, agreement);
    return agreement;
}

/* -- members ---------------------------------------------------------------------------------------- */

static void drop_schedule(Member *member)
{
    MpiSchedule *schedule = member->agent.collective.schedule;
    member->agent.collective.schedule = NULL;
    if (schedule)
        mpi_schedule_free(member->agent.world, schedule);
}

static void member_free(void *state)
{
    Member *member = state;
    drop_schedule(member);
    mpi_comm_unref(member->comm);
    g_free(member);
}

/* Forgets the agreement if nobody needs it any more. What a failed process had to do with it stays with that. */
static void forget(MpiWorld *world, Agreement *agreement)
{
    MpiFailures *failures = mpi_failures_of(world);
    if (agreement->missing || agreement->running || agreement->restarting)
        return;
    for (uint32_t i = 0; i < agreement->n_living; i++)
        mpi_request_complete(agreement->members[agreement->living[i]]->anchor, MPI_SUCCESS);
    g_hash_table_remove(failures->by_call, agreement);
    if (agreement->place + 1 < failures->agreements->len)
        ((Agreement *)failures->agreements->pdata[failures->agreements->len - 1])->place = agreement->place;
    g_ptr_array_remove_index_fast(failures->agreements, agreement->place);
}

/* The program of the member has its result, or has given it up. */
static void leave(Member *member)
{
    member->request = NULL;
    member->left = true;
    member->agreement->missing--;
    forget(member->agent.world, member->agreement);
}

/* -- on the agent's time ---------------------------------------------------------------------------- */

/* The first member has the result. */
static void decide(Member *member)
{
    Agreement *agreement = member->agreement;
    const uint32_t *report = (const uint32_t *)(const void *)member->agent.collective.schedule->memory;
    if (agreement->decided)
        return;
    agreement->decided = true;
    agreement->flags = (int32_t)report[REPORT_FLAGS];
    agreement->failures = !report[REPORT_NOTED];
    agreement->known = mpi_failures_of(member->agent.world)->known->len;
    agreement->alive = g_new(uint32_t, agreement->group->size);
    for (uint32_t i = 0; i < agreement->group->size; i++)
        if (report[REPORT_ALIVE + i / 32] >> i % 32 & 1)
            agreement->alive[agreement->n_alive++] = mpi_group_world_rank(agreement->group, i);
}

/* Tells the program. */
static void complete(Member *member)
{
    Agreement *agreement = member->agreement;
    MpiRequest *request = member->request;
    MpiRank *rank = member->agent.rank;
    uint64_t now = member->agent.now;
    MpiCall *call = mpi_call_receptive_for(request);
    bool awaited = call && request->waiter == call, freed = request->freed;
    bool tells = agreement->function == MPI_FUNCTION_Comm_iagree && agreement->failures;
    mpi_call_touch_rank(rank);
    mpi_request_complete(request, tells ? MPI_ERR_PROC_FAILED : MPI_SUCCESS);
    if (freed)
        leave(member);
    if (!awaited)
        return;
    mpi_call_advance(call, now);
    mpi_call_settle(call);
}

/* The schedule is over, or it is time to tell the program. */
static MpiStep go(MpiCall *agent)
{
    Member *member = agent->state;
    MpiSchedule *schedule = agent->collective.schedule;
    const MpiEnv *env = &agent->world->env;
    if (agent->rank->failed)
        return MPI_STEP_BLOCK;
    if (!schedule || !schedule->finished) {
        member->due = false;
        complete(member);
        return MPI_STEP_BLOCK;
    }
    decide(member);
    mpi_tell_collective_ended(agent->world, agent, schedule, NULL);
    drop_schedule(member);
    member->agreement->running--;
    if (!member->knows) {
        mpi_call_charge(agent, agent->world->params.failure_agreement_ps);
        member->knows = member->due = true;
        env->alarm(env->user, agent->rank->index, agent->now, (uint64_t)(uintptr_t)agent | MPI_AGENT_ALARM);
    }
    forget(agent->world, member->agreement);
    return MPI_STEP_BLOCK;
}

/* Returns the number for the tags of a round's messages. Those of the first are like others; later ones are counted
 * down from the greatest tag, so that no late message of one round is taken for one of the next. */
static uint64_t number_of_round(const Agreement *agreement)
{
    enum { ROUNDS = 64 };
    uint64_t turn = agreement->at.turn.sequence;
    return agreement->round ? INT32_MAX - (turn * ROUNDS + agreement->round % ROUNDS) % INT32_MAX : turn;
}

static void begin_round(Member *member)
{
    Agreement *agreement = member->agreement;
    MpiCall *agent = &member->agent;
    uint32_t words = report_words(agreement);
    MpiPlan plan = {.sources = agreement->living,
                    .n_sources = agreement->n_living,
                    .bytes = words * sizeof(uint32_t),
                    .own_bytes = words * sizeof(uint32_t),
                    .commutative = true};
    MpiSchedule *schedule = mpi_schedule_new(agent, member->comm, MPI_COLLECTIVE_AGREEMENT, &plan);
    schedule->op = mpi_op_ref((MpiOp *)mpi_op_predefined(BAND));
    schedule->type = mpi_type_ref(mpi_type_predefined(MPI_PRIM_INT));
    schedule->sequence = member->sequence;
    schedule->turn = number_of_round(agreement);
    schedule->head.agent = agent;
    schedule->head.vital = true;
    uint32_t *report = (uint32_t *)(void *)schedule->memory;
    memcpy(report, agreement->report, words * sizeof *report);
    report[REPORT_FLAGS] = (uint32_t)(agreement->decided ? agreement->flags : member->flag);
    report[REPORT_NOTED] = mpi_failure_is_new(agent->world, member->comm) ? 0 : UINT32_MAX;
    agreement->running++;
    if (mpi_schedule_advance(agent))
        go(agent);
}

/* -- failures --------------------------------------------------------------------------------------- */

/* Whether somebody who is left has not heard the result. */
static bool is_open(const Agreement *agreement)
{
    for (uint32_t i = 0; i < agreement->n_living; i++) {
        const Member *member = agreement->members[agreement->living[i]];
        if (!member || !member->knows)
            return true;
    }
    return false;
}

static void begin_anew(MpiWorld *world, Agreement *agreement, uint64_t time_ps)
{
    agreement->restarting = true;
    for (uint32_t i = 0; i < agreement->group->size; i++) {
        Member *member = agreement->members[i];
        if (!member || !member->agent.collective.schedule)
            continue;
        mpi_schedule_fail(member->agent.collective.schedule, MPI_ERR_PROC_FAILED);
        mpi_tell_collective_ended(world, &member->agent, member->agent.collective.schedule, NULL);
        drop_schedule(member);
        agreement->running--;
    }
    agreement->round++;
    count_the_living(world, agreement);
    for (uint32_t i = 0, n = is_open(agreement) ? agreement->n_living : 0; i < n; i++) {
        Member *member = agreement->members[agreement->living[i]];
        if (!member)
            continue;
        mpi_call_advance(&member->agent, time_ps);
        begin_round(member);
    }
    agreement->restarting = false;
    forget(world, agreement);
}

void mpi_agreements_look(MpiWorld *world, uint32_t failed, uint64_t time_ps)
{
    const GPtrArray *agreements = mpi_failures_of(world)->agreements;
    for (guint i = agreements->len; i-- > 0;) /* which may forget this one, and no other */
        if (mpi_group_find(((Agreement *)agreements->pdata[i])->group, failed) >= 0)
            begin_anew(world, agreements->pdata[i], time_ps);
}

/* -- entering --------------------------------------------------------------------------------------- */

static Member *enter(MpiCall *call, MpiComm *comm, int32_t flag, uint64_t address)
{
    MpiBuffer none = {0};
    Member *member = g_new0(Member, 1);
    MpiCall *agent = &member->agent;
    member->sequence = comm->collective_sequence;
    member->agreement = agreement_for(call, comm, mpi_comm_take_turn(call, comm));
    member->agreement->members[comm->rank] = member;
    member->comm = comm;
    comm->refs++;
    member->flag = flag;
    member->address = address;
    mpi_call_begin_agent(call, agent);
    agent->now = call->now;
    agent->step = go;
    agent->state = member;
    agent->state_free = member_free;
    member->request = mpi_request_new(call, MPI_REQUEST_AGREEMENT, MPI_MODE_STANDARD, &none, comm, 0, 0, false);
    member->request->agent = agent;
    mpi_request_begin(member->request);
    member->anchor = mpi_request_new(call, MPI_REQUEST_ANCHOR, MPI_MODE_STANDARD, &none, comm, 0, 0, false);
    member->anchor->agent = agent;
    member->anchor->active = true;
    mpi_request_release(member->anchor);
    mpi_call_charge(agent, call->world->params.failure_agreement_ps);
    begin_round(member);
    return member;
}

static Member *member_of(const MpiRequest *request)
{
    return request->agent->state;
}

/* The calling member enters and waits; it goes on at `then`. */
static MpiStep enter_and_wait(MpiCall *call, MpiComm *comm, int32_t flag, MpiHandler then)
{
    MpiRequest *request = enter(call, comm, flag, 0)->request;
    call->room[0] = (uint64_t)(uintptr_t)request;
    return mpi_call_wait(call, &request, 1, then);
}

static MpiRequest *request_of(const MpiCall *call)
{
    return (MpiRequest *)(uintptr_t)call->room[0];
}

/* The calling member enters and gets a request, at argument 2. The result goes to the address in argument 1. */
static MpiStep enter_and_go_on(MpiCall *call, MpiComm *comm, int32_t flag)
{
    enum { RESULT = 1, REQUEST = 2 };
    return mpi_request_publish(call, enter(call, comm, flag, call->args[RESULT])->request, call->args[REQUEST]);
}

/* -- agreeing --------------------------------------------------------------------------------------- */

static MpiStep agreed(MpiCall *call)
{
    MpiRequest *request = request_of(call);
    Member *member = member_of(request);
    MpiComm *comm = member->comm;
    bool failures = member->agreement->failures;
    mpi_store_int(call, call->args[1], member->agreement->flags);
    mpi_request_release(request);
    leave(member);
    if (failures)
        return mpi_call_error(call, comm, MPI_ERR_PROC_FAILED,
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

/* -- shrinking -------------------------------------------------------------------------------------- */

static void give_comm(MpiCall *call, const Member *member, uint64_t address)
{
    const Agreement *agreement = member->agreement;
    const MpiComm *parent = member->comm;
    uint32_t *ranks = g_memdup2(agreement->alive, agreement->n_alive * sizeof *ranks);
    uint32_t context =
        mpi_comm_new_context(call->world, parent->context, agreement->at.turn.sequence, -1 - (int)agreement->function);
    MpiComm *made = mpi_comm_new(call, context, mpi_group_new(agreement->n_alive, ranks), NULL);
    made->failures_acked = agreement->known;
    if (parent->errhandler)
        made->errhandler = mpi_error_handler_ref(parent->errhandler);
    mpi_store_handle(call, address, made->handle);
}

static MpiStep shrunk(MpiCall *call)
{
    MpiRequest *request = request_of(call);
    Member *member = member_of(request);
    give_comm(call, member, call->args[1]);
    mpi_request_release(request);
    leave(member);
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

/* -- results of those who did not wait --------------------------------------------------------------- */

void mpi_agreement_finished(MpiWorld *world, MpiRequest *request)
{
    MpiCall *call = request->owner->call;
    (void)world;
    if (G_LIKELY(request->sort != MPI_REQUEST_AGREEMENT) || !call)
        return;
    Member *member = member_of(request);
    if (member->agreement->function == MPI_FUNCTION_Comm_ishrink)
        give_comm(call, member, member->address);
    else
        mpi_store_int(call, member->address, member->agreement->flags);
    leave(member);
}
