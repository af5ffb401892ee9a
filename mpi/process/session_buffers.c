/* session_buffers.c - buffers for buffered sends that are attached to sessions (MPI-4.1 section 3.6). They serve all
 * communicators that come from the session and have none of their own. */
#include "mpi/core/handlers.h"
#include "mpi/p2p/p2p.h"
#include "mpi/process/process.h"

MpiStep mpi_do_Session_attach_buffer(MpiCall *call)
{
    MpiSession *session;
    MpiStep step;
    return mpi_session_check(call, &session, &step) ? mpi_buffered_attach(call, NULL, 1, mpi_session_attached(session))
                                                    : step;
}

MpiStep mpi_do_Session_detach_buffer(MpiCall *call)
{
    MpiSession *session;
    MpiStep step;
    return mpi_session_check(call, &session, &step) ? mpi_buffered_detach(call, NULL, 1, mpi_session_attached(session))
                                                    : step;
}

MpiStep mpi_do_Session_flush_buffer(MpiCall *call)
{
    MpiSession *session;
    MpiStep step;
    return mpi_session_check(call, &session, &step) ? mpi_buffered_flush(call, *mpi_session_attached(session)) : step;
}

MpiStep mpi_do_Session_iflush_buffer(MpiCall *call)
{
    MpiSession *session;
    MpiStep step;
    return mpi_session_check(call, &session, &step) ? mpi_buffered_iflush(call, NULL, 1, *mpi_session_attached(session))
                                                    : step;
}
