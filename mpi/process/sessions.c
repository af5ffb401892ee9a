/* sessions.c - sessions and process sets (MPI-4.1 sections 11.3 and 11.4).
 *
 * While a process has a session, it may call MPI, but MPI_COMM_WORLD and MPI_COMM_SELF belong to MPI_Init. There are
 * the two process sets of the standard: mpi://WORLD, the processes that were started together, and mpi://SELF. */
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"
#include "mpi/core/threads.h"
#include "mpi/core/world.h"
#include "mpi/environment/error_handlers.h"
#include "mpi/p2p/p2p.h"
#include "mpi/process/process.h"

#include <string.h>

struct MpiSession {
    MpiRaiser raiser;
    MpiRank *rank;
    MpiInfo *info; /* as the program gave it, with what came of it */
    MpiSessionBuffer *buffer;
};

static const char *const psets[] = {"mpi://WORLD", "mpi://SELF"};

/* -- the object ------------------------------------------------------------------------------------------ */

void mpi_session_free(MpiSession *session)
{
    mpi_error_handler_unref(session->raiser.errhandler);
    mpi_info_free(session->info);
    g_clear_pointer(&session->buffer->attached, g_free);
    mpi_group_session_unref(session->buffer);
    g_free(session);
}

MpiAttached **mpi_session_attached(MpiSession *session)
{
    return &session->buffer->attached;
}

static bool check_session(MpiCall *call, MpiHandle handle, MpiSession **session, MpiStep *step)
{
    *session = mpi_handle_lookup(call->rank, MPI_KIND_SESSION, handle);
    if (*session)
        call->raiser = &(*session)->raiser;
    else
        *step = mpi_argument_bad_handle(call, NULL, MPI_KIND_SESSION, handle, "argument 1");
    return *session;
}

bool mpi_session_check(MpiCall *call, MpiSession **session, MpiStep *step)
{
    return check_session(call, call->args[0], session, step);
}

/* Returns the `thread_level` that is provided: the one that was asked for, or else the highest. */
static MpiThreadLevel thread_level(const MpiInfo *info)
{
    const char *asked = mpi_info_get(info, "thread_level");
    for (int i = 0; asked && i < MPI_THREAD_LEVELS; i++)
        if (strcmp(asked, mpi_thread_levels[i]) == 0)
            return (MpiThreadLevel)i;
    return MPI_THREAD_MULTIPLE_;
}

static MpiStep opened(MpiCall *call)
{
    MpiErrhandler *handler = mpi_handle_lookup(call->rank, MPI_KIND_ERRHANDLER, call->args[1]);
    const MpiInfo *given = mpi_handle_lookup(call->rank, MPI_KIND_INFO, call->args[0]);
    MpiSession *session = g_new0(MpiSession, 1);
    session->rank = call->rank;
    session->buffer = mpi_group_session_ref(g_new0(MpiSessionBuffer, 1));
    session->info = given ? mpi_info_copy(given) : mpi_info_new();
    MpiThreadLevel level = thread_level(session->info);
    mpi_info_set(session->info, "thread_level", mpi_thread_levels[level]);
    call->rank->session_level = MAX(call->rank->session_level, (int)level);
    if (call->rank->state == MPI_RANK_STARTED && !mpi_process_has_session(call->rank))
        call->rank->main_thread = call->thread;
    mpi_info_set(session->info, "mpi_memory_alloc_kinds", "mpi");
    session->raiser =
        (MpiRaiser){mpi_handle_register(call, MPI_KIND_SESSION, session), mpi_error_handler_ref(handler), NULL};
    mpi_process(call->rank)->sessions++;
    mpi_store_handle(call, call->args[2], session->raiser.handle);
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Session_init(MpiCall *call)
{
    MpiErrhandler *handler;
    MpiStep step;
    if (!mpi_error_handler_check(call, 1, MPI_KIND_SESSION, &handler, &step))
        return step;
    MpiProcess *process = mpi_process(call->rank);
    process->maker = (MpiRaiser){MPI_HANDLE(MPI_KIND_SESSION, 0), handler, NULL};
    call->raiser = &process->maker;
    if (!mpi_check_info(call, NULL, 0, &step) || !mpi_check_result(call, 2, 8, &step))
        return step;
    return mpi_process_begin(call, opened);
}

MpiStep mpi_do_Session_finalize(MpiCall *call)
{
    MpiHandle handle;
    MpiSession *session;
    MpiStep step;
    if (!mpi_check_result(call, 0, 8, &step))
        return step;
    memcpy(&handle, vm_rank_read(call->process, call->args[0], 8), 8);
    if (!check_session(call, handle, &session, &step))
        return step;
    if (session->buffer->attached)
        mpi_handle_unregister(call->rank, session->buffer->attached->handle);
    mpi_handle_unregister(call->rank, handle);
    mpi_process(call->rank)->sessions--;
    call->raiser = NULL;
    mpi_session_free(session);
    mpi_store_handle(call, call->args[0], MPI_HANDLE(MPI_KIND_SESSION, 0));
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Session_get_info(MpiCall *call)
{
    MpiSession *session;
    MpiStep step;
    if (!check_session(call, call->args[0], &session, &step) || !mpi_check_result(call, 1, 8, &step))
        return step;
    return mpi_info_give(call, 1, mpi_info_copy(session->info));
}

/* -- process sets ---------------------------------------------------------------------------------------- */

MpiStep mpi_do_Session_get_num_psets(MpiCall *call)
{
    MpiSession *session;
    MpiStep step;
    if (!check_session(call, call->args[0], &session, &step) || !mpi_check_info(call, NULL, 1, &step) ||
        !mpi_check_result(call, 2, 4, &step))
        return step;
    mpi_store_int(call, call->args[2], (int)G_N_ELEMENTS(psets));
    return MPI_STEP_DONE;
}

/* Stores a name as far as there is room for it, and how much it needs. */
static MpiStep store_name(MpiCall *call, const char *name, uint64_t length_at, uint64_t name_at)
{
    enum { LENGTH = 3 };
    MpiStep step;
    int32_t room;
    if (!mpi_check_result(call, LENGTH, 4, &step))
        return step;
    memcpy(&room, vm_rank_read(call->process, length_at, sizeof room), sizeof room);
    if (room < 0)
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "the length is %d (argument %d)", room, LENGTH + 1);
    uint64_t bytes = MIN((uint64_t)room, strlen(name) + 1);
    if (bytes) {
        if (!mpi_check_result(call, LENGTH + 1, bytes, &step))
            return step;
        char *to = vm_rank_write(call->process, name_at, bytes);
        memcpy(to, name, bytes - 1);
        to[bytes - 1] = '\0';
    }
    mpi_store_int(call, length_at, (int)strlen(name) + 1);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Session_get_nth_pset(MpiCall *call)
{
    MpiSession *session;
    MpiStep step;
    int n = mpi_int(call, 2);
    if (!check_session(call, call->args[0], &session, &step) || !mpi_check_info(call, NULL, 1, &step))
        return step;
    if (n < 0 || n >= (int)G_N_ELEMENTS(psets))
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "there is no process set %d: there are 0 to %d (argument 3)", n,
                              (int)G_N_ELEMENTS(psets) - 1);
    return store_name(call, psets[n], call->args[3], call->args[4]);
}

/* Returns the members of the process set in argument 1, or NULL with an error. */
static MpiGroup *members(MpiCall *call, MpiStep *step)
{
    const char *name = vm_rank_string(call->process, call->args[1]);
    if (name && g_ascii_strcasecmp(name, psets[0]) == 0)
        return mpi_group_ref(mpi_rank_world_comm(call->rank)->group);
    if (name && g_ascii_strcasecmp(name, psets[1]) == 0)
        return mpi_group_ref(mpi_rank_self_comm(call->rank)->group);
    *step = name
                ? mpi_call_error(call, NULL, MPI_ERR_ARG,
                                 "there is no process set \"%.64s\": there are mpi://WORLD and mpi://SELF (argument 2)",
                                 name)
                : mpi_call_error(call, NULL, MPI_ERR_ARG, "the name of the process set is not in memory (argument 2)");
    return NULL;
}

MpiStep mpi_do_Session_get_pset_info(MpiCall *call)
{
    MpiSession *session;
    MpiStep step;
    if (!check_session(call, call->args[0], &session, &step) || !mpi_check_result(call, 2, 8, &step))
        return step;
    MpiGroup *group = members(call, &step);
    if (!group)
        return step;
    g_autofree char *size = g_strdup_printf("%u", group->size);
    MpiInfo *info = mpi_info_new();
    mpi_info_set(info, "mpi_size", size);
    mpi_group_unref(group);
    return mpi_info_give(call, 2, info);
}

MpiStep mpi_do_Group_from_session_pset(MpiCall *call)
{
    MpiSession *session;
    MpiStep step;
    if (!check_session(call, call->args[0], &session, &step) || !mpi_check_result(call, 2, 8, &step))
        return step;
    mpi_store_handle(call, call->args[2], MPI_HANDLE(MPI_KIND_GROUP, 0));
    MpiGroup *group = members(call, &step);
    if (!group)
        return step;
    MpiGroup *own = mpi_group_copy(group);
    mpi_group_unref(group);
    own->session = mpi_group_session_ref(session->buffer);
    mpi_store_handle(call, call->args[2], mpi_handle_register(call, MPI_KIND_GROUP, own));
    return MPI_STEP_DONE;
}

/* -- error handlers -------------------------------------------------------------------------------------- */

MPI_HANDLER(Session_create_errhandler, mpi_error_handler_create(call, MPI_KIND_SESSION))

MpiStep mpi_do_Session_set_errhandler(MpiCall *call)
{
    MpiSession *session;
    MpiStep step;
    return check_session(call, call->args[0], &session, &step)
               ? mpi_error_handler_set(call, MPI_KIND_SESSION, &session->raiser.errhandler)
               : step;
}

MpiStep mpi_do_Session_get_errhandler(MpiCall *call)
{
    MpiSession *session;
    MpiStep step;
    return check_session(call, call->args[0], &session, &step)
               ? mpi_error_handler_get(call, NULL, session->raiser.errhandler)
               : step;
}

MpiStep mpi_do_Session_call_errhandler(MpiCall *call)
{
    MpiSession *session;
    MpiStep step;
    return check_session(call, call->args[0], &session, &step)
               ? mpi_error_handler_call(call, NULL, session->raiser.errhandler, session->raiser.handle)
               : step;
}
