/* session_comms.c - communicators from groups, without another communicator (MPI-4.1 sections 7.4.2 and 7.6.2).
 *
 * The members of a group find each other by the group and the string tag. They meet in a barrier, so none can call a
 * second time before all have called once. The leaders of two groups find each other as those at a port do. */
#include "mpi/collective/collective.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/environment/error_handlers.h"
#include "mpi/process/process.h"

#include <string.h>

enum { MAX_STRINGTAG = 256 };

/* A creation that some members of the group have called and others have not. */
typedef struct Gathering {
    uint32_t function, context, entered;
    char *tag;
    MpiGroup *group;
} Gathering;

static void gathering_free(void *data)
{
    Gathering *gathering = data;
    mpi_group_unref(gathering->group);
    g_free(gathering->tag);
    g_free(gathering);
}

static bool same_group(const MpiGroup *a, const MpiGroup *b)
{
    bool same = a->size == b->size;
    for (uint32_t i = 0; same && a != b && i < a->size; i++)
        same = mpi_group_world_rank(a, i) == mpi_group_world_rank(b, i);
    return same;
}

/* Returns the context of the new communicator, which the first member gets from the world. */
static uint32_t gather(MpiCall *call, MpiGroup *group, const char *tag)
{
    MpiUniverse *universe = mpi_universe(call->world);
    if (!universe->gatherings)
        universe->gatherings = g_ptr_array_new_with_free_func(gathering_free);
    Gathering *gathering = NULL;
    guint i = 0;
    for (; i < universe->gatherings->len && !gathering; i++) {
        Gathering *each = universe->gatherings->pdata[i];
        if (each->function == call->function && strcmp(each->tag, tag) == 0 && same_group(each->group, group))
            gathering = each;
    }
    if (!gathering) {
        gathering = g_new(Gathering, 1);
        *gathering = (Gathering){.function = call->function,
                                 .context = call->world->next_context++,
                                 .tag = g_strdup(tag),
                                 .group = mpi_group_ref(group)};
        g_ptr_array_add(universe->gatherings, gathering);
        i++;
    }
    uint32_t context = gathering->context;
    if (++gathering->entered == group->size)
        g_ptr_array_remove_index_fast(universe->gatherings, i - 1);
    return context;
}

/* -- arguments ------------------------------------------------------------------------------------------- */

/* Gets the handler in argument `arg`: from now on it gets the errors of the call. */
static bool check_errhandler(MpiCall *call, unsigned arg, MpiErrhandler **handler, MpiStep *step)
{
    MpiProcess *process = mpi_process(call->rank);
    if (!mpi_error_handler_check(call, arg, MPI_KIND_COMM, handler, step))
        return false;
    process->maker = (MpiRaiser){MPI_HANDLE(MPI_KIND_COMM, 0), *handler, NULL};
    call->raiser = &process->maker;
    return true;
}

static bool check_group(MpiCall *call, unsigned arg, MpiGroup **group, MpiStep *step)
{
    *group = mpi_handle_lookup(call->rank, MPI_KIND_GROUP, call->args[arg]);
    if (!*group)
        *step = mpi_argument_bad_handle_of(call, NULL, MPI_KIND_GROUP, arg);
    return *group;
}

static bool check_member(MpiCall *call, unsigned arg, MpiGroup *group, MpiStep *step)
{
    if (mpi_group_find(group, call->rank->index) >= 0)
        return true;
    *step = mpi_call_error(call, NULL, MPI_ERR_GROUP, "this process is not in the group (argument %u)", arg + 1);
    return false;
}

static bool check_tag(MpiCall *call, unsigned arg, const char **tag, MpiStep *step)
{
    *tag = vm_rank_string(call->process, call->args[arg]);
    if (*tag && strlen(*tag) < MAX_STRINGTAG)
        return true;
    *step = mpi_call_error(call, NULL, MPI_ERR_ARG, "the string tag %s (argument %u)",
                           *tag ? "is longer than MPI_MAX_STRINGTAG_LEN" : "is not in memory", arg + 1);
    return false;
}

static bool check_leader(MpiCall *call, unsigned arg, const MpiGroup *group, MpiStep *step)
{
    int leader = mpi_int(call, arg);
    if (leader >= 0 && (uint32_t)leader < group->size)
        return true;
    *step = mpi_call_error(call, NULL, MPI_ERR_RANK, "the leader is %d, but the group has %u members (argument %u)",
                           leader, group->size, arg + 1);
    return false;
}

/* -- MPI_Comm_create_from_group -------------------------------------------------------------------------- */

static MpiStep created(MpiCall *call)
{
    enum { RESULT = 4 };
    mpi_store_handle(call, call->args[RESULT], call->room[0]);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Comm_create_from_group(MpiCall *call)
{
    enum { GROUP, TAG, INFO, ERRHANDLER, RESULT };
    MpiErrhandler *handler;
    MpiGroup *group;
    MpiInfo *hints;
    const char *tag;
    MpiStep step;
    if (!check_errhandler(call, ERRHANDLER, &handler, &step) || !check_group(call, GROUP, &group, &step) ||
        !mpi_check_result(call, RESULT, 8, &step))
        return step;
    if (group->size == 0) {
        mpi_store_handle(call, call->args[RESULT], MPI_HANDLE(MPI_KIND_COMM, 0));
        return MPI_STEP_DONE;
    }
    if (!check_member(call, GROUP, group, &step) || !check_tag(call, TAG, &tag, &step) ||
        !mpi_check_info_hints(call, NULL, INFO, &hints, &step))
        return step;
    MpiComm *made = mpi_comm_new(call, gather(call, group, tag), mpi_group_ref(group), NULL);
    made->errhandler = mpi_error_handler_ref(handler);
    mpi_comm_take_hints(made, hints);
    call->room[0] = made->handle;
    call->raiser = NULL;
    return mpi_collective_synchronize(call, made, created);
}

/* -- MPI_Intercomm_create_from_groups -------------------------------------------------------------------- */

MpiStep mpi_do_Intercomm_create_from_groups(MpiCall *call)
{
    enum { LOCAL, LEADER, REMOTE, REMOTE_LEADER, TAG, INFO, ERRHANDLER, RESULT };
    MpiErrhandler *handler;
    MpiGroup *local, *remote = NULL;
    const char *tag;
    MpiStep step;
    if (!check_errhandler(call, ERRHANDLER, &handler, &step) || !check_group(call, LOCAL, &local, &step) ||
        !check_member(call, LOCAL, local, &step) || !check_leader(call, LEADER, local, &step) ||
        !check_tag(call, TAG, &tag, &step) || !mpi_check_info(call, NULL, INFO, &step) ||
        !mpi_check_result(call, RESULT, 8, &step))
        return step;
    uint32_t at = (uint32_t)mpi_group_find(local, call->rank->index);
    bool leads = at == (uint32_t)mpi_int(call, LEADER);
    if (leads && (!check_group(call, REMOTE, &remote, &step) || !check_leader(call, REMOTE_LEADER, remote, &step)))
        return step;
    MpiComm *hidden = mpi_comm_hidden(call->rank, gather(call, local, tag), mpi_group_ref(local), at);
    MpiUnion *joining = mpi_union_new(call, hidden, (uint32_t)mpi_int(call, LEADER), RESULT);
    mpi_comm_unref(hidden); /* the call has it now */
    joining->errhandler = mpi_error_handler_ref(handler);
    return leads ? mpi_connect_meet(call, tag, -1, remote) : mpi_union_tell(call);
}
