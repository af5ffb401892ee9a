/* file_handlers.c - error handlers of files (MPI-4.1 sections 9.3.3 and 14.7), and their handles in Fortran's form.
 *
 * The handler of MPI_FILE_NULL is the one that new files get, and the one that gets the errors of opening and deleting.
 * At first it is MPI_ERRORS_RETURN. */
#include "mpi/comm/comm.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/environment/error_handlers.h"
#include "mpi/file/access.h"

/* Finds what argument 0 names: a file, or MPI_FILE_NULL. */
static bool find(MpiCall *call, MpiRaiser **raiser, MpiStep *step)
{
    MpiFile *file;
    *raiser = &mpi_files_of(call->rank)->null;
    if (call->args[0] == (*raiser)->handle) {
        call->raiser = *raiser;
        return true;
    }
    if (!mpi_file_check(call, &file, step))
        return false;
    *raiser = &file->raiser;
    return true;
}

MPI_HANDLER(File_create_errhandler, mpi_error_handler_create(call, MPI_KIND_FILE))

MpiStep mpi_do_File_set_errhandler(MpiCall *call)
{
    MpiRaiser *raiser;
    MpiStep step;
    return find(call, &raiser, &step) ? mpi_error_handler_set(call, MPI_KIND_FILE, &raiser->errhandler) : step;
}

MpiStep mpi_do_File_get_errhandler(MpiCall *call)
{
    MpiRaiser *raiser;
    MpiStep step;
    return find(call, &raiser, &step) ? mpi_error_handler_get(call, NULL, raiser->errhandler) : step;
}

MpiStep mpi_do_File_call_errhandler(MpiCall *call)
{
    MpiRaiser *raiser;
    MpiStep step;
    return find(call, &raiser, &step) ? mpi_error_handler_call(call, NULL, raiser->errhandler, raiser->handle) : step;
}

MpiStep mpi_do_File_c2f(MpiCall *call)
{
    call->result = (uint64_t)(int64_t)(int32_t)call->args[0];
    return MPI_STEP_DONE;
}

MpiStep mpi_do_File_f2c(MpiCall *call)
{
    call->result = MPI_HANDLE(MPI_KIND_FILE, (uint32_t)call->args[0]);
    return MPI_STEP_DONE;
}
