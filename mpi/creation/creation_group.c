/* creation_group.c - makers of communicators that only a group calls (MPI_Comm_create_group) or that run in the
 * background (MPI_Comm_idup), and the freeing that waits (MPI_Comm_disconnect). */
#include "mpi/collective/collective.h"
#include "mpi/collective/share.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/creation/making.h"
#include "mpi/p2p/p2p.h"

/* -- MPI_Comm_create_group (MPI-3.1 section 6.4.2) --------------------------------------------- */

/* A creation that some members of the group have called and others have not. It ends with a barrier, so no member can
 * call it a second time before all have called it once. */
typedef struct Gathering {
    uint32_t parent, context, entered;
    int tag;
    MpiGroup *group;
} Gathering;

static void gathering_free(void *gathering)
{
    mpi_group_unref(((Gathering *)gathering)->group);
    g_free(gathering);
}

static bool same_group(const MpiGroup *a, const MpiGroup *b)
{
    bool same = a->size == b->size;
    for (uint32_t i = 0; same && a != b && i < a->size; i++)
        same = mpi_group_world_rank(a, i) == mpi_group_world_rank(b, i);
    return same;
}

/* Returns the context of the new communicator. The first member gets a new number, and the last one removes the
 * entry. */
static uint32_t gather_context(MpiWorld *world, const MpiComm *comm, MpiGroup *group, int tag)
{
    Gathering *gathering = NULL;
    guint i = 0;
    GPtrArray *gatherings = mpi_world_slot(world, MPI_SLOT_GATHERINGS);
    if (!gatherings) {
        gatherings = g_ptr_array_new_with_free_func(gathering_free);
        mpi_world_set_slot(world, MPI_SLOT_GATHERINGS, gatherings, (GDestroyNotify)g_ptr_array_unref);
    }
    for (; i < gatherings->len && !gathering; i++) {
        Gathering *each = g_ptr_array_index(gatherings, i);
        if (each->parent == comm->context && each->tag == tag && same_group(each->group, group))
            gathering = each;
    }
    if (!gathering) {
        gathering = g_new0(Gathering, 1);
        *gathering = (Gathering){
            .parent = comm->context, .context = world->next_context++, .tag = tag, .group = mpi_group_ref(group)};
        g_ptr_array_add(gatherings, gathering);
        i++;
    }
    uint32_t context = gathering->context;
    if (++gathering->entered == group->size)
        g_ptr_array_remove_index_fast(gatherings, i - 1);
    return context;
}

static MpiStep create_group_done(MpiCall *call)
{
    const MpiCreation *creation = call->state;
    mpi_store_handle(call, call->args[creation->result], creation->made->handle);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Comm_create_group(MpiCall *call)
{
    enum { COMM, GROUP, TAG, RESULT };
    MpiComm *comm;
    MpiGroup *group;
    int tag;
    MpiStep step;
    if (!mpi_check_comm(call, COMM, &comm, &step) || !mpi_check_intra(call, comm, &step) ||
        !mpi_check_result(call, RESULT, 8, &step) || !mpi_check_creation_members(call, comm, GROUP, &group, &step) ||
        !mpi_check_tag(call, comm, TAG, false, &tag, &step))
        return step;
    if (mpi_group_find(group, call->rank->index) < 0) {
        mpi_store_handle(call, call->args[RESULT], MPI_HANDLE(MPI_KIND_COMM, 0));
        return MPI_STEP_DONE;
    }
    MpiCreation *creation = mpi_creation_begin(call, comm, RESULT);
    uint32_t context = gather_context(call->world, comm, group, tag);
    creation->made = mpi_comm_new(call, context, mpi_group_ref(group), NULL);
    if (comm->errhandler)
        creation->made->errhandler = mpi_error_handler_ref(comm->errhandler);
    return mpi_collective_synchronize(call, creation->made, create_group_done);
}

/* -- MPI_Comm_idup: the communicator is there at once, and agreed upon in the background ------- */

static MpiStep idup_agree(MpiCall *call)
{
    const MpiCreation *creation = call->state;
    MpiComm *parent = creation->parent, *made = creation->made;
    if (call->attribute.error != MPI_SUCCESS)
        return mpi_creation_refused(call, creation);
    mpi_store_handle(call, call->args[creation->result], made->handle);
    call->state_free(call->state);
    call->state = NULL;
    mpi_task_new(call, parent, MPI_COLLECTIVE_BARRIER);
    call->form = MPI_FORM_NONBLOCKING;
    return mpi_task_run(call);
}

static MpiStep idup(MpiCall *call, bool hints_given)
{
    MpiStep step;
    MpiCreation *creation = mpi_creation_begin_dup(call, hints_given, true, &step);
    return creation ? mpi_creation_duplicate(call, creation, idup_agree) : step;
}

MPI_HANDLER(Comm_idup, idup(call, false))
MPI_HANDLER(Comm_idup_with_info, idup(call, true))

/* -- MPI_Comm_disconnect (MPI-3.1 section 10.5.4) ---------------------------------------------- */

static MpiStep disconnect_agreed(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_comm_free_parse(call, &comm, &step) ? mpi_comm_free_begin(call, comm) : step;
}

static MpiStep disconnect_quiet(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_comm_free_parse(call, &comm, &step) ? mpi_collective_synchronize(call, comm, disconnect_agreed) : step;
}

MpiStep mpi_do_Comm_disconnect(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_comm_free_parse(call, &comm, &step) || !mpi_share_check(call, comm, -1, &step))
        return step;
    GPtrArray *pending = g_ptr_array_new();
    for (MpiRequest *request = call->rank->requests; request; request = request->next)
        if (request->comm == comm && mpi_request_pending(request) && request->sort != MPI_REQUEST_ANCHOR)
            g_ptr_array_add(pending, request);
    step = mpi_call_wait(call, (MpiRequest **)pending->pdata, pending->len, disconnect_quiet);
    g_ptr_array_unref(pending);
    return step;
}
