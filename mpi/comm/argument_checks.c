/* argument_checks.c - checks of arguments that most calls share, except datatypes and operators.
 *
 * A check that fails ends the call through the error handler and returns false. Then *step is what the call's handler
 * must return. Messages count arguments from 1, as people do.
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handles.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"

#include <string.h>

/* -- handles that are not what they should be -------------------------------------------------- */

typedef struct KindWords {
    const char *noun, *null;
    int error_class;
} KindWords;

static const KindWords words[] = {
#define MPI_KIND(identifier, noun, null, error_class, drop, predefined)                                                \
    [MPI_KIND_##identifier] = {noun, null, error_class},
#include "mpi/core/kinds.def"
};

const char *mpi_argument_noun(MpiHandleKind kind)
{
    return words[kind].noun;
}

static MpiStep bad_handle(MpiCall *call, MpiComm *comm, const KindWords *kind, const char *where, const char *what,
                          const char *advice)
{
    return mpi_call_error(call, comm, kind->error_class, "the %s is %s (%s)%s", kind->noun, what, where, advice);
}

MpiStep mpi_argument_bad_handle(MpiCall *call, MpiComm *comm, MpiHandleKind kind, MpiHandle handle, const char *where)
{
    uint64_t is = handle >> 32;
    g_autofree char *what = NULL;
    if (handle == MPI_HANDLE(kind, 0))
        return bad_handle(call, comm, &words[kind], where, words[kind].null,
                          kind == MPI_KIND_COMM ? "; a rank that is left out of a new communicator must not use it"
                                                : "; make one first, or look whether the call that made it has failed");
    if (is == (uint64_t)kind && mpi_handle_was_given(call->rank, handle))
        return bad_handle(call, comm, &words[kind], where, "not in use any more: it has been freed",
                          "; free it after its last use");
    if (is != (uint64_t)kind && is > 0 && is < G_N_ELEMENTS(words) && words[is].noun &&
        (handle == MPI_HANDLE(is, 0) || mpi_handle_lookup(call->rank, (MpiHandleKind)is, handle))) {
        bool null = handle == MPI_HANDLE(is, 0), vowel = strchr("aeiou", words[is].noun[0]);
        what = null ? g_strdup(words[is].null) : g_strdup_printf("%s %s", vowel ? "an" : "a", words[is].noun);
        return bad_handle(call, comm, &words[kind], where, what, "; are the arguments in the right order?");
    }
    what = g_strdup_printf("0x%" G_GINT64_MODIFIER "x, which is no handle", handle);
    return bad_handle(call, comm, &words[kind], where, what, "; has the variable been set?");
}

MpiStep mpi_argument_bad_handle_of(MpiCall *call, MpiComm *comm, MpiHandleKind kind, unsigned arg)
{
    char where[32];
    g_snprintf(where, sizeof where, "argument %u", arg + 1);
    return mpi_argument_bad_handle(call, comm, kind, call->args[arg], where);
}

/* -- communicators, counts, memory -------------------------------------------------------------- */

bool mpi_check_comm(MpiCall *call, unsigned arg, MpiComm **comm, MpiStep *step)
{
    *comm = mpi_handle_lookup(call->rank, MPI_KIND_COMM, call->args[arg]);
    bool outside = call->rank->state != MPI_RANK_ACTIVE && (uint32_t)call->args[arg] < MPI_FIRST_USER_INDEX;
    if (*comm && G_LIKELY(!outside)) {
        return true;
    }
    *step = *comm ? mpi_call_error(call, NULL, MPI_ERR_COMM,
                                   "%s is there from MPI_Init to MPI_Finalize; sessions have other communicators "
                                   "(argument %u)",
                                   (*comm)->name, arg + 1)
                  : mpi_argument_bad_handle_of(call, NULL, MPI_KIND_COMM, arg);
    return false;
}

bool mpi_check_intra(MpiCall *call, MpiComm *comm, MpiStep *step)
{
    if (comm->inter)
        *step = mpi_call_error(call, comm, MPI_ERR_COMM,
                               "not defined on inter-communicators; use an intra-communicator (MPI_Intercomm_merge)");
    return !comm->inter;
}

bool mpi_check_count(MpiCall *call, MpiComm *comm, unsigned arg, int *count, MpiStep *step)
{
    *count = mpi_int(call, arg);
    if (*count < 0) {
        *step = mpi_call_error(call, comm, MPI_ERR_COUNT, "the count %d is negative (argument %u)", *count, arg + 1);
    }
    return *count >= 0;
}

bool mpi_check_any_count(MpiCall *call, MpiComm *comm, unsigned arg, int64_t *count, MpiStep *step)
{
    *count = call->large ? (int64_t)call->args[arg] : mpi_int(call, arg);
    vm_check_argument(call->process, arg);
    if (*count < 0) {
        *step = mpi_call_error(call, comm, MPI_ERR_COUNT, "the count %" G_GINT64_FORMAT " is negative (argument %u)",
                               *count, arg + 1);
    }
    return *count >= 0;
}

static MpiStep bad_address(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t bytes, const char *access)
{
    uint64_t address = call->args[arg];
    if (!address) {
        return mpi_call_error(call, comm, MPI_ERR_ARG,
                              "argument %u is a null pointer; it must be the address of %" G_GUINT64_FORMAT
                              " bytes to %s",
                              arg + 1, bytes, access);
    }
    return mpi_call_error(call, comm, MPI_ERR_ARG,
                          "argument %u points to 0x%" G_GINT64_MODIFIER
                          "x, where the process may not %s %" G_GUINT64_FORMAT " bytes",
                          arg + 1, address, access, bytes);
}

bool mpi_check_output(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t bytes, void **host, MpiStep *step)
{
    g_assert(call);
    *host = bytes ? vm_rank_write(call->process, call->args[arg], bytes) : call;
    if (!*host) {
        *step = bad_address(call, comm, arg, bytes, "write");
    }
    return *host;
}

bool mpi_check_input(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t bytes, const void **host, MpiStep *step)
{
    g_assert(call);
    *host = bytes ? vm_rank_read(call->process, call->args[arg], bytes) : call;
    if (!*host) {
        *step = bad_address(call, comm, arg, bytes, "read");
    }
    return *host;
}

/* -- peers, tags and roots --------------------------------------------------------------------- */

bool mpi_check_inter(MpiCall *call, MpiComm **comm, MpiStep *step)
{
    if (!mpi_check_comm(call, 0, comm, step))
        return false;
    if (!(*comm)->inter)
        *step = mpi_call_error(call, *comm, MPI_ERR_COMM, "argument 1 is not an inter-communicator");
    return (*comm)->inter;
}

/* Advice on the commonest mistake: sending to a neighbour beyond the first or the last rank. */
static const char *advice_on_peer(const MpiComm *comm, int peer)
{
    if (comm->inter || (peer != -1 && (int64_t)peer != comm->group->size))
        return "";
    if (peer == -1 && comm->rank == 0)
        return "; is that rank - 1 on rank 0? Where there is no neighbour, name MPI_PROC_NULL";
    if (peer == -1)
        return "; a neighbour that is not there is MPI_PROC_NULL";
    return comm->rank + 1 == comm->group->size
               ? "; is that rank + 1 on the last rank? Where there is no neighbour, name MPI_PROC_NULL"
               : "; ranks count from 0";
}

bool mpi_check_peer(MpiCall *call, MpiComm *comm, unsigned arg, bool receive, int *peer, MpiStep *step)
{
    *peer = mpi_int(call, arg);
    vm_check_argument(call->process, arg);
    if (receive && *peer == MPI_ANY_SOURCE_)
        return mpi_ask_wildcard(call->world, call, comm, arg, "mpi_assert_no_any_source", "MPI_ANY_SOURCE", step);
    if (*peer == MPI_PROC_NULL_ || (*peer >= 0 && (uint32_t)*peer < mpi_comm_peers(comm)->size))
        return true;
    *step = mpi_call_error(
        call, comm, MPI_ERR_RANK, "argument %u, the %s rank, is %d, but the communicator has ranks 0 to %u%s", arg + 1,
        receive ? "source" : "destination", *peer, mpi_comm_peers(comm)->size - 1, advice_on_peer(comm, *peer));
    return false;
}

bool mpi_check_tag(MpiCall *call, MpiComm *comm, unsigned arg, bool receive, int *tag, MpiStep *step)
{
    *tag = mpi_int(call, arg);
    vm_check_argument(call->process, arg);
    if (*tag >= 0)
        return true;
    if (receive && *tag == MPI_ANY_TAG_)
        return mpi_ask_wildcard(call->world, call, comm, arg, "mpi_assert_no_any_tag", "MPI_ANY_TAG", step);
    *step = mpi_call_error(call, comm, MPI_ERR_TAG, "argument %u, the tag, is %d; tags are 0 to %d%s", arg + 1, *tag,
                           MPI_TAG_UB_VALUE_, receive ? " or MPI_ANY_TAG" : "");
    return false;
}

bool mpi_check_root(MpiCall *call, MpiComm *comm, unsigned arg, int *root, MpiStep *step)
{
    *root = mpi_int(call, arg);
    vm_check_argument(call->process, arg);
    if (*root >= 0 && (uint32_t)*root < mpi_comm_peers(comm)->size)
        return true;
    if (comm->inter && (*root == MPI_ROOT_ || *root == MPI_PROC_NULL_))
        return true;
    *step =
        mpi_call_error(call, comm, MPI_ERR_ROOT, "argument %u, the root, is %d, but the %s has ranks 0 to %u%s",
                       arg + 1, *root, comm->inter ? "remote group" : "communicator", mpi_comm_peers(comm)->size - 1,
                       comm->inter ? "; in the root's group it is MPI_ROOT or MPI_PROC_NULL" : "");
    return false;
}

/* -- names ------------------------------------------------------------------------------------- */

MpiStep mpi_argument_give_name(MpiCall *call, const char *name)
{
    const char *text = name ? name : "";
    size_t length = strlen(text);
    MpiStep step;
    if (!mpi_check_result(call, 1, length + 1, &step) || !mpi_check_result(call, 2, 4, &step))
        return step;
    memcpy(vm_rank_write(call->process, call->args[1], length + 1), text, length + 1);
    mpi_store_int(call, call->args[2], (int)length);
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

char *mpi_argument_take_name(MpiCall *call, MpiComm *comm, MpiStep *step)
{
    const char *name = vm_rank_string(call->process, call->args[1]);
    if (!name)
        *step = mpi_call_error(call, comm, MPI_ERR_ARG, "argument 2 is not a string in the program's memory");
    return name ? g_strndup(name, MPI_MAX_OBJECT_NAME_ - 1) : NULL;
}
