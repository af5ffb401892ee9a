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
COLLECTIVE_WITH_COUNTS(Neighbor_allgather, Ineighbor_allgather)
COLLECTIVE_WITH_COUNTS(Neighbor_allgatherv, Ineighbor_allgatherv)
COLLECTIVE_WITH_COUNTS(Neighbor_alltoall, Ineighbor_alltoall)
COLLECTIVE_WITH_COUNTS(Neighbor_alltoallv, Ineighbor_alltoallv)
COLLECTIVE_WITH_COUNTS(Neighbor_alltoallw, Ineighbor_alltoallw)

/* -- the same with large counts ----------------------------------------------------------------------- */

#define WITH_LARGE_COUNTS(name)                                                                                        \
    MpiStep mpi_do_##name##_c(MpiCall *call)                                                                           \
    {                                                                                                                  \
        call->large = true;                                                                                            \
        return mpi_do_##name(call);                                                                                    \
    }

WITH_LARGE_COUNTS(Send)
WITH_LARGE_COUNTS(Bsend)
WITH_LARGE_COUNTS(Ssend)
WITH_LARGE_COUNTS(Rsend)
WITH_LARGE_COUNTS(Recv)
WITH_LARGE_COUNTS(Isend)
WITH_LARGE_COUNTS(Ibsend)
WITH_LARGE_COUNTS(Issend)
WITH_LARGE_COUNTS(Irsend)
WITH_LARGE_COUNTS(Irecv)
WITH_LARGE_COUNTS(Send_init)
WITH_LARGE_COUNTS(Bsend_init)
WITH_LARGE_COUNTS(Ssend_init)
WITH_LARGE_COUNTS(Rsend_init)
WITH_LARGE_COUNTS(Recv_init)
WITH_LARGE_COUNTS(Mrecv)
WITH_LARGE_COUNTS(Imrecv)
WITH_LARGE_COUNTS(Sendrecv)
WITH_LARGE_COUNTS(Sendrecv_replace)
WITH_LARGE_COUNTS(Isendrecv)
WITH_LARGE_COUNTS(Isendrecv_replace)
WITH_LARGE_COUNTS(Buffer_attach)
WITH_LARGE_COUNTS(Buffer_detach)
WITH_LARGE_COUNTS(Reduce_local)
WITH_LARGE_COUNTS(Op_create)
