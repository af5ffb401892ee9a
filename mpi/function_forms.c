/* function_forms.c - gives the several forms of one MPI operation the same handler.
 *
 *      MPI_Bcast        mpi_do_Bcast(): parses the arguments, makes a task, and mpi_task_run() looks at call->form
 *      MPI_Ibcast       non-blocking: one more argument, the request (MPI-3.1 section 5.12)
 *      MPI_Bcast_init   persistent: two more, info and request (MPI-4.0 section 6.13)
 *      MPI_Bcast_c      large counts: int becomes MPI_Count, displacements MPI_Aint (MPI-4.0 section 2.5.8); code that
 *                       reads a count looks at call->large
 *
 * Arguments that the forms share have the same numbers. */
#include "mpi/collective/schedule.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"

static MpiStep in_form(MpiCall *call, MpiForm form, bool large, MpiHandler handler)
{
    call->form = form;
    call->large = large;
    return handler(call);
}

/* A handler for each form that functions.def makes of a row. */
#define MPI_FUNCTION(name, sort, arguments, standard)
#define MPI_WITH_LARGE_COUNTS_SINCE(name, sort, arguments, standard, large_standard)                                   \
    MpiStep mpi_do_##name##_c(MpiCall *call)                                                                           \
    {                                                                                                                  \
        call->large = true;                                                                                            \
        return mpi_do_##name(call);                                                                                    \
    }
#define MPI_COLLECTIVE_WITHOUT_COUNTS(name, nonblocking, arguments, standard)                                          \
    MpiStep mpi_do_##nonblocking(MpiCall *call)                                                                        \
    {                                                                                                                  \
        return in_form(call, MPI_FORM_NONBLOCKING, false, mpi_do_##name);                                              \
    }                                                                                                                  \
    MpiStep mpi_do_##name##_init(MpiCall *call)                                                                        \
    {                                                                                                                  \
        return in_form(call, MPI_FORM_PERSISTENT, false, mpi_do_##name);                                               \
    }
#define MPI_COLLECTIVE(name, nonblocking, arguments, standard)                                                         \
    MPI_COLLECTIVE_WITHOUT_COUNTS(name, nonblocking, arguments, standard)                                              \
    MpiStep mpi_do_##name##_c(MpiCall *call)                                                                           \
    {                                                                                                                  \
        return in_form(call, MPI_FORM_BLOCKING, true, mpi_do_##name);                                                  \
    }                                                                                                                  \
    MpiStep mpi_do_##nonblocking##_c(MpiCall *call)                                                                    \
    {                                                                                                                  \
        return in_form(call, MPI_FORM_NONBLOCKING, true, mpi_do_##name);                                               \
    }                                                                                                                  \
    MpiStep mpi_do_##name##_init_c(MpiCall *call)                                                                      \
    {                                                                                                                  \
        return in_form(call, MPI_FORM_PERSISTENT, true, mpi_do_##name);                                                \
    }
#include "mpi/functions.def"
