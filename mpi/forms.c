/* forms.c - one handler, many functions: the forms in which MPI has the same operation.
 *
 *      MPI_Bcast        mpi_do_Bcast(): parses the arguments, makes a task, and mpi_task_run() looks at call->form
 *      MPI_Ibcast       non-blocking: one more argument, the request (MPI-3.1 section 5.12)
 *      MPI_Bcast_init   persistent: two more, info and request (MPI-4.0 section 6.13)
 *      MPI_Bcast_c      large counts: int becomes MPI_Count, displacements MPI_Aint (MPI-4.0 section 2.5.8); whoever
 *                       reads a count looks at call->large
 *
 * The arguments that the forms share have the same numbers. */
#include "mpi/collective.h"

static MpiStep in_form(MpiCall *call, MpiForm form, bool large, MpiHandler handler)
{
    call->form = form;
    call->large = large;
    return handler(call);
}

#define COLLECTIVE(blocking, nonblocking)                                                                              \
    MpiStep mpi_do_##nonblocking(MpiCall *call)                                                                        \
    {                                                                                                                  \
        return in_form(call, MPI_FORM_NONBLOCKING, false, mpi_do_##blocking);                                          \
    }                                                                                                                  \
    MpiStep mpi_do_##blocking##_init(MpiCall *call)                                                                    \
    {                                                                                                                  \
        return in_form(call, MPI_FORM_PERSISTENT, false, mpi_do_##blocking);                                           \
    }

#define COLLECTIVE_WITH_COUNTS(blocking, nonblocking)                                                                  \
    COLLECTIVE(blocking, nonblocking)                                                                                  \
    MpiStep mpi_do_##blocking##_c(MpiCall *call)                                                                       \
    {                                                                                                                  \
        return in_form(call, MPI_FORM_BLOCKING, true, mpi_do_##blocking);                                              \
    }                                                                                                                  \
    MpiStep mpi_do_##nonblocking##_c(MpiCall *call)                                                                    \
    {                                                                                                                  \
        return in_form(call, MPI_FORM_NONBLOCKING, true, mpi_do_##blocking);                                           \
    }                                                                                                                  \
    MpiStep mpi_do_##blocking##_init_c(MpiCall *call)                                                                  \
    {                                                                                                                  \
        return in_form(call, MPI_FORM_PERSISTENT, true, mpi_do_##blocking);                                            \
    }

COLLECTIVE(Barrier, Ibarrier)
COLLECTIVE_WITH_COUNTS(Bcast, Ibcast)
COLLECTIVE_WITH_COUNTS(Gather, Igather)
COLLECTIVE_WITH_COUNTS(Gatherv, Igatherv)
COLLECTIVE_WITH_COUNTS(Scatter, Iscatter)
COLLECTIVE_WITH_COUNTS(Scatterv, Iscatterv)
COLLECTIVE_WITH_COUNTS(Allgather, Iallgather)
COLLECTIVE_WITH_COUNTS(Allgatherv, Iallgatherv)
COLLECTIVE_WITH_COUNTS(Alltoall, Ialltoall)
COLLECTIVE_WITH_COUNTS(Alltoallv, Ialltoallv)
COLLECTIVE_WITH_COUNTS(Alltoallw, Ialltoallw)
COLLECTIVE_WITH_COUNTS(Reduce, Ireduce)
COLLECTIVE_WITH_COUNTS(Allreduce, Iallreduce)
COLLECTIVE_WITH_COUNTS(Reduce_scatter, Ireduce_scatter)
COLLECTIVE_WITH_COUNTS(Reduce_scatter_block, Ireduce_scatter_block)
COLLECTIVE_WITH_COUNTS(Scan, Iscan)
COLLECTIVE_WITH_COUNTS(Exscan, Iexscan)
