/* creation.c - makes communicators from communicators, in calls of all members: dup and create (MPI-3.1 section 6.4).
 * Dup and create run a barrier, which costs as much as the exchange of a real library. */
#include "mpi/attribute/attribute.h"
#include "mpi/collective/collective.h"
#include "mpi/collective/share.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"
#include "mpi/creation/making.h"

#include <string.h>

/* -- dup --------------------------------------------------------------------------------------- */

static void creation_free(void *state)
{
    MpiCreation *creation = state;
    if (creation->group)
        mpi_group_unref(creation->group);
    mpi_info_free(creation->hints);
    mpi_comm_unref(creation->parent);
    g_free(creation);
}

MpiCreation *mpi_creation_begin(MpiCall *call, MpiComm *parent, unsigned result)
{
    MpiCreation *creation = g_new0(MpiCreation, 1);
    creation->parent = parent;
    parent->refs++; /* callbacks may free the communicator */
    creation->turn = mpi_comm_turn(call, parent);
    creation->result = result;
    call->state = creation;
    call->state_free = creation_free;
    return creation;
}

/* New communicators inherit the error handler of the old one (section 8.3). */
MpiComm *mpi_creation_make(MpiCall *call, MpiCreation *creation, int64_t colour, MpiGroup *group, MpiGroup *remote)
{
    MpiComm *parent = creation->parent;
    uint32_t context = mpi_comm_new_contexts(call->world, parent->context, creation->turn, colour, remote ? 2 : 1);
    if (!remote && group != call->world->world_group)
        mpi_group_inherit(group, parent->group);
    MpiComm *made = remote ? mpi_comm_new_inter(call, context, group, remote, parent->inter->low)
                           : mpi_comm_new(call, context, group, NULL);
    if (parent->errhandler)
        made->errhandler = mpi_error_handler_ref(parent->errhandler);
    mpi_comm_take_hints(made, g_steal_pointer(&creation->hints));
    creation->made = made;
    return made;
}

MpiStep mpi_creation_refused(MpiCall *call, const MpiCreation *creation)
{
    MpiComm *made = creation->made;
    mpi_attributes_drop(made);
    mpi_handle_unregister(call->rank, made->handle);
    mpi_comm_unref(made);
    mpi_store_handle(call, call->args[creation->result], MPI_HANDLE(MPI_KIND_COMM, 0));
    return mpi_call_error(call, creation->parent, call->attribute.error,
                          "an attribute's copy function returned error %d, so there is no new communicator",
                          call->attribute.error);
}

MpiStep mpi_creation_duplicate(MpiCall *call, MpiCreation *creation, MpiHandler then)
{
    MpiComm *parent = creation->parent;
    MpiGroup *remote = parent->inter ? mpi_group_ref(parent->inter->remote) : NULL;
    MpiComm *made = mpi_creation_make(call, creation, 0, mpi_group_ref(parent->group), remote);
    if (parent->topology)
        made->topology = mpi_comm_topology_ref(parent->topology);
    return mpi_attributes_copy(call, parent, made, then);
}

static MpiStep dup_finish(MpiCall *call)
{
    const MpiCreation *creation = call->state;
    if (call->attribute.error != MPI_SUCCESS)
        return mpi_creation_refused(call, creation);
    mpi_store_handle(call, call->args[creation->result], creation->made->handle);
    return MPI_STEP_DONE;
}

static MpiStep dup_make(MpiCall *call)
{
    return mpi_creation_duplicate(call, call->state, dup_finish);
}

MpiCreation *mpi_creation_begin_dup(MpiCall *call, bool hints_given, bool request, MpiStep *step)
{
    enum { COMM, HINTS };
    unsigned result = hints_given ? HINTS + 1 : HINTS;
    MpiComm *comm;
    MpiInfo *hints = NULL;
    if (!mpi_check_comm(call, COMM, &comm, step) ||
        (hints_given && !mpi_check_info_hints(call, comm, HINTS, &hints, step)))
        return NULL;
    if (!mpi_check_result(call, result, sizeof(MpiHandle), step) ||
        (request && !mpi_check_result(call, result + 1, sizeof(MpiHandle), step)) ||
        !mpi_share_check(call, comm, -1, step)) {
        mpi_info_free(hints);
        return NULL;
    }
    MpiCreation *creation = mpi_creation_begin(call, comm, result);
    creation->hints = hints;
    return creation;
}

static MpiStep dup_begin(MpiCall *call, bool hints_given)
{
    MpiStep step;
    MpiCreation *creation = mpi_creation_begin_dup(call, hints_given, false, &step);
    return creation ? mpi_collective_synchronize(call, creation->parent, dup_make) : step;
}

MPI_HANDLER(Comm_dup, dup_begin(call, false))
MPI_HANDLER(Comm_dup_with_info, dup_begin(call, true))

/* -- create ------------------------------------------------------------------------------------ */

static MpiStep create_make(MpiCall *call)
{
    MpiCreation *creation = call->state;
    MpiHandle handle = MPI_HANDLE(MPI_KIND_COMM, 0);
    if (mpi_group_find(creation->group, call->rank->index) >= 0) {
        /* Members may name disjoint groups in one call (section 6.4.2). The first member of a group identifies it. */
        int64_t colour = mpi_group_world_rank(creation->group, 0);
        handle = mpi_creation_make(call, creation, colour, mpi_group_ref(creation->group), NULL)->handle;
    }
    mpi_store_handle(call, call->args[2], handle);
    return MPI_STEP_DONE;
}

bool mpi_check_creation_members(MpiCall *call, MpiComm *comm, unsigned arg, MpiGroup **group, MpiStep *step)
{
    *group = mpi_handle_lookup(call->rank, MPI_KIND_GROUP, call->args[arg]);
    if (!*group) {
        *step = mpi_call_error(call, comm, MPI_ERR_GROUP, "argument %u is not a group", arg + 1);
        return false;
    }
    for (uint32_t i = 0; i < (*group)->size; i++) {
        uint32_t member = mpi_group_world_rank(*group, i);
        if (mpi_group_find(comm->group, member) >= 0)
            continue;
        *step = mpi_call_error(call, comm, MPI_ERR_GROUP,
                               "rank %u of MPI_COMM_WORLD is in the group but not in the communicator", member);
        return false;
    }
    return true;
}

MpiStep mpi_do_Comm_create(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    MpiGroup *group;
    if (!mpi_check_comm(call, 0, &comm, &step) || !mpi_check_result(call, 2, 8, &step) ||
        !mpi_check_creation_members(call, comm, 1, &group, &step) || !mpi_share_check(call, comm, -1, &step))
        return step;
    MpiCreation *creation = mpi_creation_begin(call, comm, 2);
    if (!comm->inter) {
        creation->group = mpi_group_ref(group);
        return mpi_collective_synchronize(call, comm, create_make);
    }
    /* Each side chooses some of its members, which keep the order of their group. */
    int place = mpi_group_find(group, call->rank->index);
    creation->colour = place < 0 ? MPI_UNDEFINED_ : 0;
    mpi_split_enter(call, creation, place);
    return mpi_collective_agree(call, comm, MPI_SPLIT_BYTES, mpi_split_finish);
}
