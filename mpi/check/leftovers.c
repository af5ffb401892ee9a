/* leftovers.c - reports what a process leaves behind when it ends: requests, communicators and other objects that were
 * never freed, messages that no rank received, and MPI not finalized.
 *
 * The check looks at the program's handles, not at objects. So objects that only another object refers to (the old type
 * of a datatype, the group of a communicator) are no leaks, and predefined objects have no entry in the handle table.
 * Each process is checked at its end. Messages and receives without a match are checked at the end of the run, when
 * everything that can come has come. Their causes (causes.c) are those of deadlocks. */
#include "mpi/attribute/attribute.h"
#include "mpi/check/check.h"
#include "mpi/check/waits.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/function.h"
#include "mpi/core/handles.h"
#include "mpi/core/hooks.h"
#include "mpi/core/matcher.h"
#include "mpi/core/places.h"
#include "mpi/core/pool.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

#include <string.h>

/* -- messages and receives that have not met --------------------------------------------------- */

/* Appends what tells one message from another of the same source line. */
static void append_detail(GString *detail, const MpiMessage *message, const MpiRank *sender)
{
    uint32_t context = message->item.key.space >> 1;
    if (context == MPI_COMM_WORLD_INDEX) {
        g_string_append_printf(detail, "from rank %u of MPI_COMM_WORLD", message->from);
    } else {
        g_string_append_printf(detail, "from rank %d of ", message->item.key.source);
        mpi_append_comm_context(detail, sender, context);
        if (message->item.key.source != (int)message->from)
            g_string_append_printf(detail, " (rank %u of MPI_COMM_WORLD)", message->from);
    }
    g_string_append_printf(detail, ", tag %d, %" G_GUINT64_FORMAT " bytes", message->item.key.tag, message->bytes);
}

/* Appends the cause from the table of causes to the detail and returns its advice. If there is none, returns
 * `otherwise`. */
static const char *append_cause(GString *detail, MpiCauses *causes, const MpiWant *want, const char *otherwise)
{
    g_autoptr(GString) cause = g_string_new(NULL);
    const MpiCause *found = mpi_cause_find(causes, want, cause);
    if (cause->len)
        g_string_append_printf(detail, "; %s", cause->str);
    return found ? found->advice : otherwise;
}

static void tell_lost(MpiRank *rank, const MpiMessage *message, MpiCauses *causes)
{
    if (message->collective)
        return; /* it belongs to an operation that was not completed, which is reported for its request */
    const MpiRank *sender = mpi_world_rank(rank->world, message->from);
    MpiWant want = mpi_waits_want_of_message(sender, message);
    g_autoptr(GString) what = g_string_new("a message to this rank, sent at ");
    g_autoptr(GString) detail = g_string_new(NULL);
    mpi_append_place(what, sender->process, message->sent_pc);
    g_string_append(what, ", was never received");
    append_detail(detail, message, sender);
    const char *fix = append_cause(detail, causes, &want,
                                   "receive it, with a source, tag and communicator that name it; or do not send it");
    mpi_finding_add(rank, MPI_CHECK_LOST, UINT64_MAX, what->str, detail->str, fix);
}

static void append_made(GString *out, const MpiRequest *request)
{
    g_string_append_printf(out, "%s at ", request->made_by);
    mpi_append_place(out, request->owner->process, request->made_pc);
}

/* Whether the request is a receive that still waits for its message, which no rank sent. */
static bool is_unmatched(const MpiRequest *request)
{
    return request->sort == MPI_REQUEST_RECEIVE && !request->collective && request->posted && !request->part;
}

static void tell_unmatched(const MpiRequest *request, MpiCauses *causes)
{
    g_autoptr(GString) what = g_string_new("the receive started by ");
    g_autoptr(GString) detail = g_string_new(NULL);
    MpiWant want = mpi_waits_want_of_request(request);
    append_made(what, request);
    g_string_append(what, " never got a message");
    mpi_describe_request(detail, request);
    const char *fix = append_cause(detail, causes, &want,
                                   "send such a message (do its tag and communicator agree?), or cancel the receive "
                                   "and complete it");
    mpi_finding_add(request->owner, MPI_CHECK_LOST, UINT64_MAX, what->str, detail->str, fix);
}

typedef struct Travelling {
    MpiWorld *world;
    MpiCauses *causes;
} Travelling;

static void tell_travelling(void *item, void *user)
{
    const MpiMessage *message = item;
    const Travelling *travelling = user;
    if (message->live && !message->arrived && !message->cancelled)
        tell_lost(mpi_world_rank(travelling->world, message->to), message, travelling->causes);
}

static void find_lost(MpiRank *rank, MpiCauses *causes)
{
    for (const MpiItem *item = rank->matcher.oldest; item; item = item->next)
        tell_lost(rank, (const MpiMessage *)item, causes);
    for (uint32_t i = 0; i < rank->handles.count; i++) {
        const MpiHandleEntry *entry = &rank->handles.entries[i];
        if (entry->object && entry->kind == MPI_KIND_MESSAGE)
            tell_lost(rank, ((const MpiMatched *)entry->object)->message, causes);
    }
    for (const MpiRequest *request = rank->requests; request; request = request->next)
        if (is_unmatched(request))
            tell_unmatched(request, causes);
}

static void find_all_lost(MpiWorld *world)
{
    if (!mpi_check_is_on(world, MPI_CHECK_LOST))
        return;
    Travelling travelling = {world, mpi_causes_new(world, true)};
    for (uint32_t i = 0; i < world->n_ranks; i++)
        find_lost(mpi_world_rank(world, i), travelling.causes);
    mpi_pool_each(&world->messages, tell_travelling, &travelling);
    mpi_causes_free(travelling.causes);
}

/* -- requests ---------------------------------------------------------------------------------- */

static void find_request(const MpiRequest *request, uint64_t time_ps)
{
    static const char complete_it[] = "complete it with MPI_Wait, MPI_Test or one of their kind";
    const char *fate = " was never completed", *fix = complete_it;
    g_autoptr(GString) what = g_string_new("the request made by ");
    append_made(what, request);
    if (request->persistent && request->active) {
        fate = " was started and never completed";
    } else if (request->persistent) {
        fate = " was never freed";
        fix = "free it with MPI_Request_free when it is not to be started again";
    } else if (request->cancelled) {
        fate = " was cancelled and never completed";
        fix = "complete it all the same, with MPI_Wait: cancelling alone does not free a request";
    } else if (request->overwritten) {
        fate = " was never completed: the variable that held it was given to another request";
        fix = "keep each request in a variable of its own, an array perhaps, and complete all of them";
    }
    g_string_append(what, fate);
    mpi_finding_add(request->owner, MPI_CHECK_LEAKS, time_ps, what->str, NULL, fix);
}

static void find_requests(MpiRank *rank, uint64_t time_ps)
{
    bool lost = mpi_check_is_on(rank->world, MPI_CHECK_LOST);
    for (const MpiRequest *request = rank->requests; request; request = request->next)
        if (request->handle && !request->freed && !(lost && is_unmatched(request)))
            find_request(request, time_ps);
}

/* -- objects ----------------------------------------------------------------------------------- */

typedef struct Sort {
    const char *name, *fix;
} Sort;

static const Sort sorts[] = {
    [MPI_KIND_COMM] = {"communicator", "free it with MPI_Comm_free when it is no longer used"},
    [MPI_KIND_GROUP] = {"group", "free it with MPI_Group_free; that leaves the communicators made from it as they are"},
    [MPI_KIND_TYPE] = {"datatype", "free it with MPI_Type_free; what is under way with it, or made from it, stays"},
    [MPI_KIND_OP] = {"operator", "free it with MPI_Op_free when it is no longer used"},
    [MPI_KIND_ERRHANDLER] = {"error handler",
                             "free it with MPI_Errhandler_free, as often as it was made or asked for; communicators "
                             "that use it keep it"},
    [MPI_KIND_WIN] = {"window", "free it with MPI_Win_free, which all its ranks call"},
    [MPI_KIND_INFO] = {"info object", "free it with MPI_Info_free; whoever was given it has taken a copy"},
    [MPI_KIND_SESSION] = {"session", "end it with MPI_Session_finalize"},
    [MPI_KIND_FILE] = {"file", "close it with MPI_File_close, on all ranks that have opened it"},
    [MPI_KIND_ATTACHED] = {"buffer", "detach it with MPI_Buffer_detach, which also waits until its messages have left"},
};

/* Returns the name of an object; it only tells apart two objects made at one source location. */
static const char *object_name(const MpiHandleEntry *entry)
{
    const MpiComm *comm = entry->kind == MPI_KIND_COMM ? entry->object : NULL;
    const MpiType *type = entry->kind == MPI_KIND_TYPE ? entry->object : NULL;
    return comm && comm->named ? comm->name : type ? type->name : NULL;
}

static void find_object(MpiRank *rank, const MpiHandleEntry *entry, uint64_t time_ps)
{
    const Sort *sort = &sorts[entry->kind];
    const char *name = object_name(entry);
    g_autoptr(GString) what = g_string_new(NULL);
    bool attached = entry->kind == MPI_KIND_ATTACHED;
    g_string_append_printf(what, "the %s that %s %s at ", sort->name, mpi_function(entry->made_by)->info.name,
                           attached ? "attached" : "made");
    mpi_append_place(what, rank->process, entry->made_pc);
    g_string_append(what, attached ? " was never detached" : " was never freed");
    g_autofree char *detail = name ? g_strdup_printf("its name is \"%s\"", name) : NULL;
    mpi_finding_add(rank, MPI_CHECK_LEAKS, time_ps, what->str, detail, sort->fix);
}

/* Datatypes of Fortran's kinds belong to MPI itself and are no leaks (MPI-3.1 section 17.1.9), nor are objects that MPI
 * has made by itself. */
static bool is_leak(const MpiHandleEntry *entry)
{
    return entry->kind < G_N_ELEMENTS(sorts) && sorts[entry->kind].name && entry->made_pc != VCODE_NONE &&
           !(entry->kind == MPI_KIND_TYPE && mpi_type_is_f90(entry->object));
}

static void find_objects(MpiRank *rank, uint64_t time_ps)
{
    for (uint32_t i = 0; i < rank->handles.count; i++) {
        const MpiHandleEntry *entry = &rank->handles.entries[i];
        if (entry->object && is_leak(entry))
            find_object(rank, entry, time_ps);
    }
}

static void find_keyval(MpiRank *rank, const char *made_by, uint32_t made_pc, void *user)
{
    g_autoptr(GString) what = g_string_new("the attribute key that ");
    g_string_append_printf(what, "%s made at ", made_by);
    mpi_append_place(what, rank->process, made_pc);
    g_string_append(what, " was never freed");
    mpi_finding_add(rank, MPI_CHECK_LEAKS, *(const uint64_t *)user, what->str, NULL,
                    "free it with MPI_Comm_free_keyval or MPI_Type_free_keyval; attributes that are set keep it");
}

/* A new request is stored in a variable. If that holds the last handle of another request, records that. */
static void note_overwritten(MpiWorld *world, MpiCall *call, MpiRequest *request, uint64_t address)
{
    MpiHandle handle;
    const void *from = vm_rank_read(call->process, address, sizeof handle);
    (void)world;
    (void)request;
    if (!from)
        return;
    memcpy(&handle, from, sizeof handle);
    MpiRequest *lost = mpi_handle_lookup(call->rank, MPI_KIND_REQUEST, handle);
    if (lost)
        lost->overwritten = true;
}

static void leaks_begin(MpiWorld *world)
{
    if (mpi_check_is_on(world, MPI_CHECK_LEAKS))
        mpi_hooks_add(world, &(MpiHooks){.stored = note_overwritten});
}

static void leaks_exited(MpiRank *rank, uint64_t time_ps)
{
    if (!mpi_check_is_on(rank->world, MPI_CHECK_LEAKS))
        return;
    find_requests(rank, time_ps);
    find_objects(rank, time_ps);
    mpi_attributes_each_keyval(rank, find_keyval, &time_ps);
}

const MpiPart mpi_part_leaks = {.begin = leaks_begin, .exited = leaks_exited, .end = find_all_lost};

/* -- MPI itself -------------------------------------------------------------------------------- */

/* Reports a process that ended without MPI_Finalize, and where it called exit(). After a return from main, no frame of
 * the program is left. */
static void unfinalized_exited(MpiRank *rank, uint64_t time_ps)
{
    if (rank->state != MPI_RANK_ACTIVE)
        return;
    uint32_t pc = mpi_place_in_program(rank->process);
    g_autoptr(GString) what = g_string_new("the process ended");
    if (pc != VCODE_NONE) {
        g_string_append(what, " at ");
        mpi_append_place(what, rank->process, pc);
    }
    g_string_append(what, " without calling MPI_Finalize");
    mpi_finding_add(rank, MPI_CHECK_FINALIZE, time_ps, what->str, NULL,
                    "call MPI_Finalize on every way out of the program; where one rank alone gives up, MPI_Abort");
}

const MpiPart mpi_part_unfinalized = {.exited = unfinalized_exited};
