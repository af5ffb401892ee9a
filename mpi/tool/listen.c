/* listen.c - the hooks of the tool interface: what happens to messages, requests and collectives, as counts of
 * performance variables and as records of events.
 *
 * They are added when the first program of a world allocates a handle that needs them, and stay. Events have the time
 * at which they happened, on the clock of the rank or of the network. */
#include "mpi/collective/schedule.h"
#include "mpi/comm/comm.h"
#include "mpi/core/hooks.h"
#include "mpi/core/slots.h"
#include "mpi/p2p/p2p.h"
#include "mpi/tool/tool.h"

/* -- counting ---------------------------------------------------------------------------------- */

static void count(const MpiRank *rank, MpiToolCount what, uint32_t context, uint64_t amount)
{
    const MpiTool *tool = mpi_tool_of(rank);
    for (GList *link = tool ? tool->objects[MPI_TOOL_PVAR_HANDLE].head : NULL; link; link = link->next) {
        MpiToolPvar *pvar = link->data;
        if (pvar->started && pvar->count == what && (!pvar->bound || pvar->context == context))
            pvar->value += amount;
    }
}

static void sample_peaks(const MpiRank *rank)
{
    const MpiTool *tool = mpi_tool_of(rank);
    for (GList *link = tool ? tool->objects[MPI_TOOL_PVAR_HANDLE].head : NULL; link; link = link->next) {
        MpiToolPvar *pvar = link->data;
        if (pvar->started && pvar->way == MPI_TOOL_PEAK)
            pvar->value = MAX(pvar->value, pvar->source(NULL, rank, NULL));
    }
}

/* -- messages ---------------------------------------------------------------------------------- */

static uint32_t context_of(const MpiMessage *message)
{
    return message->item.key.space >> 1;
}

static void record_message(MpiRank *rank, MpiToolHappening happening, const MpiMessage *message, int32_t peer,
                           uint64_t time_ps)
{
    MpiToolData data = {.message = {peer, message->item.key.tag, message->bytes, message->queued}};
    if (!message->collective)
        mpi_tool_record(rank, happening, context_of(message), time_ps, &data);
}

static void sent(MpiWorld *world, MpiCall *call, MpiMessage *message, const MpiBuffer *buffer, MpiRequest *request)
{
    (void)world, (void)buffer;
    if (message->collective)
        return;
    count(call->rank, MPI_TOOL_COUNT_sent, context_of(message), 1);
    count(call->rank, MPI_TOOL_COUNT_bytes_sent, context_of(message), message->bytes);
    record_message(call->rank, MPI_TOOL_SENT, message, request ? request->peer : (int32_t)message->to, call->now);
}

static void transmitted(MpiWorld *world, const MpiCall *call, const MpiMessage *message, unsigned phase,
                        uint64_t began_ps)
{
    (void)world, (void)began_ps;
    if (phase == MPI_PHASE_RTS)
        count(call->rank, MPI_TOOL_COUNT_rendezvous, context_of(message), 1);
}

static void arrived(MpiWorld *world, MpiMessage *message, MpiRequest *receive, uint64_t time_ps)
{
    MpiRank *rank = mpi_world_rank(world, message->to);
    MpiTool *tool = mpi_tool_of(rank);
    sample_peaks(rank);
    if (receive && tool)
        tool->arriving_ps = time_ps; /* they match at once */
    if (!receive)
        record_message(rank, MPI_TOOL_QUEUED, message, message->item.key.source, time_ps);
}

static void posted(MpiWorld *world, MpiCall *call, MpiRequest *receive, bool claimed)
{
    (void)world, (void)receive, (void)claimed;
    sample_peaks(call->rank);
}

static void matched(MpiWorld *world, MpiRequest *receive, MpiMessage *message)
{
    MpiRank *rank = receive->owner;
    MpiTool *tool = mpi_tool_of(rank);
    (void)world;
    if (!tool)
        return;
    bool at_once = tool->arriving_ps != 0;
    uint64_t time_ps = at_once ? tool->arriving_ps : rank->call ? rank->call->now : 0;
    MpiToolData data = {.message = {message->item.key.source, message->item.key.tag, message->bytes, !at_once}};
    tool->arriving_ps = 0;
    count(rank, at_once ? MPI_TOOL_COUNT_matched_at_once : MPI_TOOL_COUNT_matched_late, context_of(message), 1);
    if (!message->collective)
        mpi_tool_record(rank, MPI_TOOL_MATCHED, context_of(message), time_ps, &data);
}

static void received(MpiWorld *world, MpiCall *call, const MpiMessage *message, const MpiRequest *receive)
{
    (void)world, (void)receive;
    if (message->collective)
        return;
    count(call->rank, MPI_TOOL_COUNT_received, context_of(message), 1);
    count(call->rank, MPI_TOOL_COUNT_bytes_received, context_of(message), message->bytes);
    record_message(call->rank, MPI_TOOL_RECEIVED, message, message->item.key.source, call->now);
}

/* -- calls and requests ------------------------------------------------------------------------ */

static void waits(MpiWorld *world, MpiCall *call, MpiRequest *const *requests, unsigned n, bool any)
{
    MpiToolData data = {.blocked = {requests ? (int32_t)n : 0}};
    bool open = !requests;
    (void)world, (void)any;
    for (unsigned i = 0; requests && i < n; i++)
        open = open || (requests[i] && mpi_request_pending(requests[i]));
    sample_peaks(call->rank);
    if (open && !call->background)
        mpi_tool_record(call->rank, MPI_TOOL_BLOCKED, 0, call->now, &data);
}

static void left(MpiWorld *world, const MpiCall *call)
{
    (void)world;
    sample_peaks(call->rank);
}

static void finished(MpiWorld *world, MpiRequest *request)
{
    MpiRank *rank = request->owner;
    MpiToolData data = {.request = {(int32_t)request->sort, request->error}};
    (void)world;
    mpi_tool_record(rank, MPI_TOOL_FINISHED, 0, rank->call ? rank->call->now : 0, &data);
}

/* -- collectives ------------------------------------------------------------------------------- */

static void record_collective(const MpiCall *call, MpiToolHappening happening, const MpiSchedule *schedule)
{
    MpiToolData data = {.collective = {(int32_t)schedule->algorithm->collective, schedule->plan.bytes}};
    mpi_tool_record(call->rank, happening, schedule->comm->context, call->now, &data);
}

static void collective_begun(MpiWorld *world, MpiCall *call, MpiSchedule *schedule)
{
    (void)world;
    count(call->rank, MPI_TOOL_COUNT_collectives, schedule->comm->context, 1);
    record_collective(call, MPI_TOOL_BEGUN, schedule);
}

static void collective_ended(MpiWorld *world, MpiCall *call, MpiSchedule *schedule, MpiRequest *request)
{
    (void)world, (void)request;
    record_collective(call, MPI_TOOL_ENDED, schedule);
}

/* -- listening --------------------------------------------------------------------------------- */

void mpi_tool_listen(MpiWorld *world)
{
    static const MpiHooks hooks = {
        .sent = sent,
        .transmitted = transmitted,
        .arrived = arrived,
        .posted = posted,
        .matched = matched,
        .received = received,
        .waits = waits,
        .left = left,
        .finished = finished,
        .collective_begun = collective_begun,
        .collective_ended = collective_ended,
        .ending = mpi_tool_tell,
    };
    if (mpi_world_slot(world, MPI_SLOT_TOOL))
        return;
    mpi_world_set_slot(world, MPI_SLOT_TOOL, world, NULL);
    mpi_plain_receives_expand(world);
    mpi_hooks_add(world, &hooks);
}
