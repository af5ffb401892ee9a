/* error_handlers.h - the functions on error handlers, for any kind of object (error_handlers.c).
 *
 * MPI_Comm_set_errhandler, MPI_Win_set_errhandler and so on differ only in the object of their first argument. Their
 * handlers look it up and call these functions, which do the rest of the call. */
#ifndef ORRERY_MPI_ERROR_HANDLERS_H
#define ORRERY_MPI_ERROR_HANDLERS_H

#include "mpi/comm/comm.h"

/* MPI_X_create_errhandler(function, &errhandler): a handler for objects of this kind. */
MpiStep mpi_error_handler_create(MpiCall *call, MpiHandleKind kind);

/* Checks that argument `arg` is an error handler that objects of this kind may have; see comm.h on such checks. */
bool mpi_error_handler_check(MpiCall *call, unsigned arg, MpiHandleKind kind, MpiErrhandler **handler, MpiStep *step);

/* MPI_X_set_errhandler(object, errhandler): replaces the reference *of, which may be NULL. */
MpiStep mpi_error_handler_set(MpiCall *call, MpiHandleKind kind, MpiErrhandler **of);

/* MPI_X_get_errhandler(object, &errhandler). `comm` gets the errors of a call without a raiser; or NULL. */
MpiStep mpi_error_handler_get(MpiCall *call, MpiComm *comm, MpiErrhandler *handler);

/* MPI_X_call_errhandler(object, code), for the object with this handle and handler. */
MpiStep mpi_error_handler_call(MpiCall *call, MpiComm *comm, const MpiErrhandler *handler, MpiHandle object);

#endif
