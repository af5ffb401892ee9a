/* observed_events.c - tells an observer (MpiObserver.event) what a debugger stops at: messages that are sent, arrive
 * and are matched, errors that calls raise, findings when they are made. The short ways of messages stay open. */
#include "mpi/watch/observed_events.h"

#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

static void tell(const MpiWorld *world, const MpiEvent *event)
{
    const MpiObserver *observer = mpi_world_slot(world, MPI_SLOT_OBSERVED_EVENTS);
    observer->event(observer->user, event);
}

static MpiEvent event_of(MpiEventSort sort, const MpiMessage *message)
{
    return (MpiEvent){.sort = sort,
                      .rank = sort == MPI_EVENT_SENT ? message->from : message->to,
                      .id = message->id,
                      .bytes = message->bytes,
                      .from = message->from,
                      .to = message->to,
                      .tag = message->item.key.tag,
                      .collective = message->collective,
                      .rendezvous = message->rendezvous,
                      .context = message->item.key.space >> 1,
                      .pc = message->sent_pc};
}

static void sent(MpiWorld *world, MpiCall *call, MpiMessage *message, const MpiBuffer *buffer, MpiRequest *request)
{
    MpiEvent event = event_of(MPI_EVENT_SENT, message);
    (void)call, (void)buffer, (void)request;
    tell(world, &event);
}

static void sent_plainly(MpiWorld *world, MpiRank *rank, MpiMessage *message, MpiPlainReceive *receive)
{
    MpiEvent event = event_of(MPI_EVENT_SENT, message);
    (void)rank, (void)receive;
    tell(world, &event);
}

static void arrived(MpiWorld *world, MpiMessage *message, MpiRequest *receive, uint64_t time_ps)
{
    MpiEvent event = event_of(MPI_EVENT_ARRIVED, message);
    (void)receive, (void)time_ps;
    tell(world, &event);
}

static void matched(MpiWorld *world, MpiRequest *receive, MpiMessage *message)
{
    MpiEvent event = event_of(MPI_EVENT_MATCHED, message);
    event.received_pc = receive->made_pc;
    event.call = receive->made_by;
    tell(world, &event);
}

static void matched_plainly(MpiWorld *world, MpiPlainReceive *receive, MpiMessage *message)
{
    MpiEvent event = event_of(MPI_EVENT_ARRIVED, message);
    const MpiRank *rank = mpi_world_rank(world, message->to);
    if (!message->queued)
        tell(world, &event);
    event.sort = MPI_EVENT_MATCHED;
    event.received_pc = mpi_place_of_call(world, rank->process);
    event.call = receive->exchange ? "MPI_Sendrecv" : "MPI_Recv";
    tell(world, &event);
}

static void raised(MpiWorld *world, const MpiCall *call, int error_class)
{
    MpiEvent event = {.sort = MPI_EVENT_ERROR,
                      .rank = call->rank->index,
                      .pc = call->pc,
                      .call = call->name,
                      .word = mpi_error_name(error_class)};
    tell(world, &event);
}

static void found(MpiWorld *world, const MpiRank *rank, MpiCheck check, const char *what)
{
    MpiEvent event = {.sort = MPI_EVENT_FOUND, .rank = rank->index, .word = mpi_check_row(check)->name, .text = what};
    tell(world, &event);
}

void mpi_observe_events(MpiWorld *world, const MpiObserver *observer)
{
    static const MpiHooks hooks = {.sent = sent,
                                   .sent_plainly = sent_plainly,
                                   .arrived = arrived,
                                   .matched = matched,
                                   .matched_plainly = matched_plainly,
                                   .raised = raised,
                                   .found = found};
    MpiObserver *own = mpi_world_slot(world, MPI_SLOT_OBSERVED_EVENTS);
    if (!own) {
        own = g_new0(MpiObserver, 1);
        mpi_world_set_slot(world, MPI_SLOT_OBSERVED_EVENTS, own, g_free);
        mpi_hooks_add_short(world, &hooks);
    }
    *own = *observer;
}

void mpi_world_append_comm(const MpiWorld *world, uint32_t rank, uint32_t context, GString *out)
{
    mpi_append_comm_context(out, mpi_world_rank(world, rank), context);
}
