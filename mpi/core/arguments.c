/* arguments.c - checks of arguments that most calls share.
 *
 * A check that fails ends the call through the error handler and says so by answering false; what the handler of the
 * call must return is then in *step. Argument numbers count from 1 in messages, as people do.
 */
#include "mpi/core/local.h"

bool mpi_check_comm(MpiCall *call, unsigned arg, MpiComm **comm, MpiStep *step)
{
    *comm = mpi_lookup(call->rank, MPI_KIND_COMM, call->args[arg]);
    if (*comm) {
        return true;
    }
    *step = mpi_call_bad_argument(call, NULL, MPI_KIND_COMM, arg);
    return false;
}

bool mpi_check_intra(MpiCall *call, MpiComm *comm, MpiStep *step)
{
    if (comm->inter)
        *step = mpi_call_error(call, comm, MPI_ERR_COMM,
                               "not defined on inter-communicators; use an intra-communicator (MPI_Intercomm_merge)");
    return !comm->inter;
}

bool mpi_check_type(MpiCall *call, MpiComm *comm, unsigned arg, MpiType **type, MpiStep *step)
{
    *type = mpi_lookup(call->rank, MPI_KIND_TYPE, call->args[arg]);
    if (!*type) {
        *step = mpi_call_bad_argument(call, comm, MPI_KIND_TYPE, arg);
        return false;
    }
    if (!(*type)->committed) {
        *step = mpi_call_error(call, comm, MPI_ERR_TYPE,
                               "%s has not been committed (argument %u); call MPI_Type_commit before using it",
                               mpi_type_describe(*type), arg + 1);
        return false;
    }
    return true;
}

bool mpi_check_type_of(MpiCall *call, MpiComm *comm, unsigned arg, bool none, MpiType **type, MpiStep *step)
{
    if (!none || call->args[arg] != MPI_HANDLE(MPI_KIND_TYPE, 0))
        return mpi_check_type(call, comm, arg, type, step);
    *type = mpi_type_predefined(MPI_PRIM_BYTE);
    mpi_note_portability(call, "has MPI_DATATYPE_NULL for the type of 0 items",
                         "name any datatype: the standard wants one also where there is nothing to move");
    return true;
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
