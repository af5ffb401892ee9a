/* records.c - events on their way to callbacks (MPI-4.1 section 15.3.8).
 *
 * What happens to a rank is recorded when it happens, which may be while the rank computes. Its next call of MPI tells
 * the callbacks before it returns: one after the other, in order of what happened, as functions of the program on the
 * program's time. There a callback may do whatever the program may do there, so the safety that is required is
 * MPI_T_CB_REQUIRE_NONE; of several callbacks of a registration the one with the weakest promise is called.
 *
 * What happens in callbacks is recorded, too, and told when they are through; what happens in callbacks that are told
 * of that is dropped, or a callback that causes its own event would never end. A registration keeps a limited number of
 * records, and drops what comes when it is full. What is dropped is counted and told to the handler for that, once in
 * each call of MPI, and what happens meanwhile is dropped, too. */
#include "mpi/core/world.h"
#include "mpi/tool/tool.h"

enum { SAFETY_NONE, SOURCE = 0, DEEPEST = 1 };

static const MpiToolCallback *callback_of(const MpiToolRegistration *registration)
{
    for (int safety = 0; safety < MPI_TOOL_SAFETIES; safety++)
        if (registration->callbacks[safety].function)
            return &registration->callbacks[safety];
    return NULL;
}

void mpi_tool_record(MpiRank *rank, MpiToolHappening happening, uint32_t context, uint64_t time_ps,
                     const MpiToolData *data)
{
    MpiTool *tool = mpi_tool_of(rank);
    unsigned depth = tool && tool->current ? tool->current->depth + 1 : 0;
    for (GList *link = tool ? tool->objects[MPI_TOOL_REGISTRATION].head : NULL; link; link = link->next) {
        MpiToolRegistration *registration = link->data;
        if (registration->happening != happening || (registration->bound && registration->context != context) ||
            !callback_of(registration))
            continue;
        if (registration->waiting == registration->most || depth > DEEPEST || tool->handling) {
            registration->dropped++;
            continue;
        }
        MpiToolRecord *record = g_new0(MpiToolRecord, 1);
        record->link.data = record;
        record->registration = registration;
        record->row = registration->row;
        record->depth = depth;
        record->time_ps = time_ps;
        record->data = *data;
        registration->waiting++;
        g_queue_push_tail_link(&tool->records, &record->link);
    }
}

static void record_free(MpiTool *tool, MpiToolRecord *record)
{
    g_queue_unlink(&tool->records, &record->link);
    record->registration->waiting--;
    g_free(record);
}

void mpi_tool_records_drop(MpiTool *tool, const MpiToolRegistration *registration)
{
    for (GList *link = tool->records.head, *next; link; link = next) {
        next = link->next;
        if (((MpiToolRecord *)link->data)->registration == registration)
            record_free(tool, link->data);
    }
}

void mpi_tool_records_clear(MpiTool *tool)
{
    while (tool->records.head)
        record_free(tool, tool->records.head->data);
    g_clear_pointer(&tool->current, g_free);
}

/* -- telling ----------------------------------------------------------------------------------- */

static MpiStep tell_next(MpiCall *call);

static MpiStep told(MpiCall *call)
{
    MpiTool *tool = mpi_tool_of(call->rank);
    g_clear_pointer(&tool->current, g_free);
    tool->handling = false;
    return tell_next(call);
}

/* Returns a registration whose handler has to be told of dropped events in this round, or NULL. Forgets those that
 * nobody handles. */
static MpiToolRegistration *with_dropped(const MpiTool *tool)
{
    for (GList *link = tool->objects[MPI_TOOL_REGISTRATION].head; link; link = link->next) {
        MpiToolRegistration *registration = link->data;
        if (!registration->dropped_handler)
            registration->dropped = 0;
        if (registration->dropped && registration->handled != tool->round)
            return registration;
    }
    return NULL;
}

static MpiStep tell_record(MpiCall *call, MpiTool *tool)
{
    MpiToolRecord *record = tool->records.head->data;
    MpiToolRegistration *registration = record->registration;
    const MpiToolCallback *callback = callback_of(registration);
    g_queue_unlink(&tool->records, &record->link);
    registration->waiting--;
    tool->current = record;
    if (!callback) /* taken back meanwhile */
        return told(call);
    record->handle = (uint64_t)MPI_TOOL_INSTANCE << 56 | ++tool->serial;
    uint64_t args[] = {record->handle, registration->object.handle, SAFETY_NONE, callback->user_data};
    return mpi_call_upcall(call, callback->function, args, G_N_ELEMENTS(args), told);
}

static MpiStep tell_next(MpiCall *call)
{
    MpiTool *tool = mpi_tool_of(call->rank);
    if (tool->records.head)
        return tell_record(call, tool);
    MpiToolRegistration *registration = with_dropped(tool);
    if (!registration) {
        tool->telling = false;
        tool->through = true;
        return MPI_STEP_DONE;
    }
    const MpiToolCallback *callback = callback_of(registration);
    uint64_t args[] = {registration->dropped, registration->object.handle, SOURCE, SAFETY_NONE,
                       callback ? callback->user_data : 0};
    registration->dropped = 0;
    registration->handled = tool->round;
    tool->handling = true;
    return mpi_call_upcall(call, registration->dropped_handler, args, G_N_ELEMENTS(args), told);
}

bool mpi_tool_tell(MpiWorld *world, MpiCall *call, MpiStep *step)
{
    MpiTool *tool = mpi_tool_of(call->rank);
    (void)world;
    if (!tool || tool->telling)
        return false;
    tool->round += !tool->through;
    if (tool->through || (!tool->records.head && !with_dropped(tool))) {
        tool->through = false;
        return false;
    }
    tool->telling = true;
    *step = tell_next(call);
    return true;
}
