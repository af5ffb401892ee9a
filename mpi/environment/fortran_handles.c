/* fortran_handles.c - handles and statuses in Fortran's form (MPI-3.1 section 17.2.4 and 17.2.5; MPI-4.0 19.3.4 and
 * 19.3.5).
 *
 * A Fortran handle is the index of the C handle (call.h); the function implies the kind. So conversion is arithmetic
 * and works at any time, and an invalid handle stays invalid. A Fortran status is six integers: source, tag and error
 * at the positions MPI_F_SOURCE and the like, then the members that C programs do not see. MPI_F08_status is a C
 * status.
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"

#include <string.h>

enum { F_STATUS_WORDS = sizeof(MpiStatus) / sizeof(int32_t) };

static MpiStep give_index(MpiCall *call)
{
    call->result = (uint64_t)(int64_t)(int32_t)call->args[0];
    return MPI_STEP_DONE;
}

static MpiStep give_handle(MpiCall *call, MpiHandleKind kind)
{
    call->result = MPI_HANDLE(kind, (uint32_t)call->args[0]);
    return MPI_STEP_DONE;
}

#define CONVERSIONS(Name, kind)                                                                                        \
    MpiStep mpi_do_##Name##_c2f(MpiCall *call)                                                                         \
    {                                                                                                                  \
        return give_index(call);                                                                                       \
    }                                                                                                                  \
    MpiStep mpi_do_##Name##_f2c(MpiCall *call)                                                                         \
    {                                                                                                                  \
        return give_handle(call, kind);                                                                                \
    }

CONVERSIONS(Comm, MPI_KIND_COMM)
CONVERSIONS(Errhandler, MPI_KIND_ERRHANDLER)
CONVERSIONS(Group, MPI_KIND_GROUP)
CONVERSIONS(Info, MPI_KIND_INFO)
CONVERSIONS(Message, MPI_KIND_MESSAGE)
CONVERSIONS(Op, MPI_KIND_OP)
CONVERSIONS(Request, MPI_KIND_REQUEST)
CONVERSIONS(Session, MPI_KIND_SESSION)
CONVERSIONS(Type, MPI_KIND_TYPE)
CONVERSIONS(Win, MPI_KIND_WIN)

/* -- statuses ---------------------------------------------------------------------------------- */

/* All three forms have the same bytes. MPI_STATUS_IGNORE and the like cannot be converted (section 17.2.5). */
static MpiStep convert(MpiCall *call)
{
    const void *from;
    void *to;
    MpiStep step;
    if (call->args[0] == MPI_STATUS_IGNORE_) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG,
                              "argument 1 is MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE, which "
                              "is no status");
    }
    if (!mpi_check_input(call, NULL, 0, F_STATUS_WORDS * sizeof(int32_t), &from, &step) ||
        !mpi_check_output(call, NULL, 1, F_STATUS_WORDS * sizeof(int32_t), &to, &step)) {
        return step;
    }
    memmove(to, from, F_STATUS_WORDS * sizeof(int32_t));
    return MPI_STEP_DONE;
}

MPI_HANDLER(Status_c2f, convert(call))
MPI_HANDLER(Status_f2c, convert(call))
MPI_HANDLER(Status_c2f08, convert(call))
MPI_HANDLER(Status_f082c, convert(call))
MPI_HANDLER(Status_f2f08, convert(call))
MPI_HANDLER(Status_f082f, convert(call))
