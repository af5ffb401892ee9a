/* pending.c - memory in use by requests, and accesses to it that come too early (MPI-3.1 sections 3.7.2 and 5.12).
 *
 * From the start of an operation until the program has seen its request complete (MPI_Wait, MPI_Test ...), its send
 * buffers may be read but not written, and its receive buffers must not be accessed at all. Each rank has a set of the
 * areas that its requests use. While it is not empty, an access hook of the VM compares every access of the rank with
 * it, at the instruction that makes the access. The buffers of a call are compared with it when the call begins. Copies
 * by the library itself are allowed.
 *
 * Areas have no gaps (memory_areas.h), so neighbouring columns of a matrix do not meet. Each partition of a partitioned
 * operation is an area of its own: at the sender from MPI_Pready on, at the receiver until MPI_Parrived. */
#include "mpi/check/memory_areas.h"
#include "mpi/collective/collective.h"
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

typedef struct Pending {
    MpiArea area; /* first member, since sets see only this */
    const MpiRequest *request;
    MpiType *type; /* referenced */
    bool written;  /* the operation writes to it, so the program must not even read it */
    int partition; /* number of the partition, or -1 */
    uint32_t pc;   /* location of the call that started it */
} Pending;

typedef struct PendingSet { /* the areas of a rank */
    MpiAreaSet set;
    MpiRank *rank;
    bool hooked;
} PendingSet;

typedef struct PendingSets { /* the areas of a world, for --check=pending and --check=overlap */
    uint32_t ranks;
    PendingSet *of[]; /* by rank; NULL: the rank has had no request yet */
} PendingSets;

/* -- words ------------------------------------------------------------------------------------- */

/* Appends for example "the buffer that MPI_Isend at a.c:12 sends from". */
static void append_pending(GString *out, const Pending *pending)
{
    const MpiRequest *request = pending->request;
    VmRank *process = request->owner->process;
    if (pending->partition >= 0)
        g_string_append_printf(out, "partition %d of ", pending->partition);
    g_string_append(out, "the buffer that ");
    mpi_append_call_place(out, process, request->made_by, request->made_pc);
    if (pending->pc != request->made_pc) {
        g_string_append(out, " (started at ");
        mpi_append_place(out, process, pending->pc);
        g_string_append_c(out, ')');
    }
    g_string_append(out, pending->written ? " receives into" : " sends from");
}

/* -- accesses of the program ------------------------------------------------------------------- */

static const Pending *find_forbidden(const MpiAreaSet *set, uint64_t low, uint64_t high, bool write)
{
    const Pending *item;
    guint at = UINT_MAX;
    while ((item = (const Pending *)mpi_area_set_next(set, low, high, &at)))
        if ((write || item->written) && mpi_area_touches(&item->area, low, high))
            return item;
    return NULL;
}

/* Accesses to windows without a request end with a synchronisation of the window. */
static bool is_without_request(const Pending *item)
{
    return item->request->sort == MPI_REQUEST_REMOTE && !item->request->handle;
}

static const char *advice_for(const Pending *item)
{
    if (is_without_request(item))
        return "that access is not over; call MPI_Win_flush_local first, or end the epoch with MPI_Win_fence, "
               "MPI_Win_unlock or MPI_Win_complete";
    return item->partition >= 0 && item->written
               ? "its request is pending; call MPI_Parrived until it answers true, or MPI_Wait, first"
               : "its request is pending; call MPI_Wait, or MPI_Test until it answers true, first";
}

static bool may_access(VmRank *process, uint64_t address, uint64_t size, bool write, void *user)
{
    const PendingSet *pending = user;
    if (!mpi_area_set_near(&pending->set, address, address + size))
        return true;
    const Pending *item = vm_rank_acts(process) ? find_forbidden(&pending->set, address, address + size, write) : NULL;
    if (G_LIKELY(!item))
        return true;
    const char *function = vm_rank_acting(process);
    g_autoptr(GString) out = g_string_new(function);
    g_string_append_printf(out, "%s%s %" G_GUINT64_FORMAT " byte%s at address 0x%" G_GINT64_MODIFIER "x, in ",
                           function ? ": " : "", write ? "writes" : "reads", size, size == 1 ? "" : "s", address);
    append_pending(out, item);
    g_string_append_printf(out, ", while %s, or use another buffer [%s]", advice_for(item),
                           mpi_check_row(MPI_CHECK_PENDING)->name);
    vm_rank_fault(process, VM_FAULT_IN_USE, address, "%s", out->str);
    return false;
}

/* Whether a block of memory may be freed or moved. Not while an operation uses it. */
static bool may_release(VmRank *process, uint64_t address, uint64_t size, bool write, void *user)
{
    const PendingSet *pending = user;
    const Pending *item = vm_rank_acts(process) ? find_forbidden(&pending->set, address, address + size, write) : NULL;
    if (!item)
        return true;
    const char *function = vm_rank_acting(process);
    g_autoptr(GString) out = g_string_new(function ? function : "the library");
    g_string_append(out, " gives back ");
    append_pending(out, item);
    g_string_append_printf(out, ", while %s [%s]",
                           is_without_request(item) ? advice_for(item) : "its request is pending; call MPI_Wait first",
                           mpi_check_row(MPI_CHECK_PENDING)->name);
    vm_rank_fault(process, VM_FAULT_IN_USE, address, "%s", out->str);
    return false;
}

/* -- the set of a rank ------------------------------------------------------------------------- */

static PendingSet *set_of(const MpiRank *rank, bool make)
{
    PendingSets *sets = mpi_world_slot(rank->world, MPI_SLOT_PENDING);
    PendingSet **set = &sets->of[rank->index];
    if (!*set && make) {
        *set = g_new0(PendingSet, 1);
        mpi_area_set_init(&(*set)->set);
        (*set)->rank = (MpiRank *)rank;
    }
    return *set;
}

static void set_hook(PendingSet *pending, bool wanted)
{
    pending->rank->areas = pending->set.items->len;
    if (pending->hooked == wanted)
        return;
    pending->hooked = wanted;
    VmRank *process = pending->rank->process;
    (wanted ? vm_rank_add_access_check : vm_rank_remove_access_hook)(process, may_access, pending);
    (wanted ? vm_rank_add_release_hook : vm_rank_remove_access_hook)(process, may_release, pending);
}

static void item_free(Pending *item)
{
    mpi_area_clear(&item->area);
    mpi_type_unref(item->type);
    g_free(item);
}

static void sets_free(void *data)
{
    PendingSets *sets = data;
    for (uint32_t i = 0; i < sets->ranks; i++) {
        PendingSet *pending = sets->of[i];
        for (guint k = 0; pending && k < pending->set.items->len; k++)
            item_free(g_ptr_array_index(pending->set.items, k));
        if (pending)
            mpi_area_set_clear(&pending->set);
        g_free(pending);
    }
    g_free(sets);
}

static void note_used(MpiWorld *world, MpiCall *call, const MpiRequest *request, const MpiBuffer *buffer, bool written,
                      int partition)
{
    PendingSet *pending = set_of(call->rank, true);
    if (!buffer->process || !buffer->type || !buffer->count || !buffer->type->size)
        return;
    if (request->peer == MPI_PROC_NULL_)
        return;
    Pending *item = g_new(Pending, 1);
    *item = (Pending){.request = request,
                      .type = mpi_type_ref(buffer->type),
                      .written = written,
                      .partition = partition,
                      .pc = call->pc};
    mpi_area_init(&item->area, buffer->type, buffer->count, buffer->address);
    mpi_area_set_add(&pending->set, &item->area);
    set_hook(pending, mpi_check_is_on(world, MPI_CHECK_PENDING));
}

typedef struct Leaving {
    const MpiRequest *request;
    int partition; /* -1: all partitions */
} Leaving;

static bool leaves(MpiArea *area, void *context)
{
    Pending *item = (Pending *)area;
    const Leaving *leaving = context;
    if (item->request != leaving->request || (leaving->partition >= 0 && item->partition != leaving->partition))
        return false;
    item_free(item);
    return true;
}

static void note_looked(MpiWorld *world, MpiRequest *request, int partition)
{
    (void)world;
    PendingSet *pending = set_of(request->owner, false);
    Leaving leaving = {request, partition};
    if (!pending || !pending->set.items->len)
        return;
    mpi_area_set_remove(&pending->set, leaves, &leaving);
    set_hook(pending, pending->set.items->len && pending->hooked);
}

static void note_finished(MpiWorld *world, MpiRequest *request)
{
    note_looked(world, request, -1);
}

/* The program will not see the request complete, so its areas are dropped now. */
static void note_given_up(MpiWorld *world, MpiCall *call, MpiRequest *request)
{
    (void)call;
    note_looked(world, request, -1);
}

/* -- the buffers of operations ----------------------------------------------------------------- */

typedef struct Adding {
    MpiCall *call;
    const MpiRequest *request;
} Adding;

static bool add_piece(const MpiBuffer *piece, bool written, void *context)
{
    const Adding *adding = context;
    note_used(adding->call->world, adding->call, adding->request, piece, written, -1);
    return true;
}

static void note_background(MpiWorld *world, MpiCall *call, MpiCall *agent, MpiRequest *request)
{
    Adding adding = {call, request};
    (void)world;
    (void)agent;
    mpi_task_visit(mpi_operation_task(request->operation), add_piece, &adding);
}

/* -- the buffers that calls name --------------------------------------------------------------- */

static const Pending *find_meeting(const PendingSet *pending, const MpiArea *area, bool write)
{
    const Pending *item;
    guint at = UINT_MAX;
    while ((item = (const Pending *)mpi_area_set_next(&pending->set, area->low, area->high, &at)))
        if ((write || item->written) && mpi_areas_meet(&item->area, area))
            return item;
    return NULL;
}

/* `what` names the buffer; NULL: it is that of argument `arg`. */
static bool check(MpiCall *call, const char *what, unsigned arg, const MpiBuffer *buffer, bool written, MpiStep *step)
{
    const PendingSet *pending = set_of(call->rank, false);
    if (!pending || !pending->set.items->len || !buffer->process || !buffer->type ||
        !mpi_check_is_on(call->world, MPI_CHECK_OVERLAP))
        return true;
    MpiArea area;
    mpi_area_init(&area, buffer->type, buffer->count, buffer->address);
    const Pending *item = find_meeting(pending, &area, written);
    mpi_area_clear(&area);
    if (!item)
        return true;
    g_autoptr(GString) out = g_string_new(what);
    if (!what)
        g_string_append_printf(out, "argument %u, the buffer", arg + 1);
    g_string_append(out, written ? ", where data are to come in, overlaps "
                                 : ", where data are to be taken from, overlaps ");
    append_pending(out, item);
    g_string_append_printf(out, ", while %s, or use another buffer",
                           is_without_request(item) ? advice_for(item)
                                                    : "that request is pending; call MPI_Wait for it first");
    *step = mpi_finding_stop(call, MPI_CHECK_OVERLAP, "%s", out->str);
    return false;
}

static bool is_free(MpiWorld *world, MpiCall *call, unsigned arg, const MpiBuffer *buffer, bool written, bool later,
                    MpiStep *step)
{
    (void)world;
    return later || check(call, NULL, arg, buffer, written, step);
}

typedef struct Checking {
    MpiCall *call;
    const char *what;
    MpiStep *step;
} Checking;

static bool check_piece(const MpiBuffer *piece, bool written, void *context)
{
    const Checking *checking = context;
    return check(checking->call, checking->what, 0, piece, written, checking->step);
}

/* Checks the buffers of a persistent request that is about to be started. */
static bool may_start(MpiWorld *world, MpiCall *call, const MpiRequest *request, MpiStep *step)
{
    (void)world;
    if (!set_of(call->rank, false))
        return true;
    g_autoptr(GString) what = g_string_new("a buffer of the request made by ");
    mpi_append_call_place(what, call->process, request->made_by, request->made_pc);
    Checking checking = {call, what->str, step};
    switch (request->sort) {
    case MPI_REQUEST_SEND:
    case MPI_REQUEST_RECEIVE:
        return request->peer == MPI_PROC_NULL_ ||
               check_piece(&request->buffer, request->sort == MPI_REQUEST_RECEIVE, &checking);
    case MPI_REQUEST_COLLECTIVE: return mpi_task_visit(mpi_operation_task(request->operation), check_piece, &checking);
    default: return true;
    }
}

static void begin(MpiWorld *world)
{
    if (!mpi_check_is_on(world, MPI_CHECK_PENDING) && !mpi_check_is_on(world, MPI_CHECK_OVERLAP))
        return;
    PendingSets *sets = g_malloc0(sizeof *sets + world->room * sizeof sets->of[0]);
    sets->ranks = world->room;
    mpi_world_set_slot(world, MPI_SLOT_PENDING, sets, sets_free);
    mpi_hooks_add_short(world, &(MpiHooks){.used = note_used,
                                           .looked = note_looked,
                                           .finished = note_finished,
                                           .given_up = note_given_up,
                                           .background_begun = note_background,
                                           .buffer = is_free,
                                           .start = may_start});
}

const MpiPart mpi_part_pending = {.begin = begin};
