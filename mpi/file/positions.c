/* positions.c - file pointers, which count etypes of the view (MPI-4.1 sections 14.4.3 and 14.4.4). */
#include "mpi/comm/comm.h"
#include "mpi/core/handlers.h"
#include "mpi/core/stores.h"
#include "mpi/file/access.h"

#include <errno.h>

/* Sequential files have one way of access only. */
static bool check_seekable(MpiCall *call, const MpiFile *file, MpiStep *step)
{
    bool sequential = file->shared->amode & MPI_MODE_SEQUENTIAL_;
    if (sequential)
        *step = mpi_call_error(call, NULL, MPI_ERR_UNSUPPORTED_OPERATION,
                               "the file was opened with MPI_MODE_SEQUENTIAL: there are only shared file pointers, and "
                               "no seeking");
    return !sequential;
}

/* Returns the number of etypes of the view that begin before the end of the file. */
static bool find_end(MpiCall *call, const MpiFile *file, uint64_t *end, MpiStep *step)
{
    uint64_t size, etype = file->view->etype_bytes;
    if (!mpi_file_size(file->shared, &size)) {
        *step = mpi_file_fail(call, file->shared, "cannot find the end of", errno);
        return false;
    }
    *end = (mpi_view_bytes_before(file->view, size) + etype - 1) / etype;
    return true;
}

/* Finds where the pointer goes that is at `from`. */
static bool find_target(MpiCall *call, const MpiFile *file, uint64_t from, uint64_t *target, MpiStep *step)
{
    int64_t offset = (int64_t)call->args[1], place;
    int whence = mpi_int(call, 2);
    uint64_t base = 0;
    if (whence != MPI_SEEK_SET_ && whence != MPI_SEEK_CUR_ && whence != MPI_SEEK_END_) {
        *step = mpi_call_error(call, NULL, MPI_ERR_ARG,
                               "%d is not MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END (argument 3)", whence);
        return false;
    }
    if (whence == MPI_SEEK_CUR_)
        base = from;
    if (whence == MPI_SEEK_END_ && !find_end(call, file, &base, step))
        return false;
    if (__builtin_add_overflow((int64_t)base, offset, &place) || place < 0) {
        *step = mpi_call_error(call, NULL, MPI_ERR_ARG,
                               "offset %" G_GINT64_FORMAT " from etype %" G_GUINT64_FORMAT
                               " leads before the beginning of the view (argument 2)",
                               offset, base);
        return false;
    }
    *target = (uint64_t)place;
    return true;
}

MpiStep mpi_do_File_seek(MpiCall *call)
{
    MpiFile *file;
    MpiStep step;
    if (!mpi_file_check(call, &file, &step) || !check_seekable(call, file, &step) ||
        !find_target(call, file, file->position, &file->position, &step))
        return step;
    return mpi_file_done(call);
}

MpiStep mpi_do_File_get_position(MpiCall *call)
{
    MpiFile *file;
    MpiStep step;
    if (!mpi_file_check(call, &file, &step) || !check_seekable(call, file, &step) ||
        !mpi_check_result(call, 1, 8, &step))
        return step;
    mpi_store_handle(call, call->args[1], file->position);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_File_get_byte_offset(MpiCall *call)
{
    MpiFile *file;
    MpiStep step;
    uint64_t position, place = UINT64_MAX;
    if (!mpi_file_check(call, &file, &step) || !check_seekable(call, file, &step) ||
        !mpi_check_result(call, 2, 8, &step))
        return step;
    int64_t offset = (int64_t)call->args[1];
    if (offset >= 0 && !__builtin_mul_overflow((uint64_t)offset, file->view->etype_bytes, &position))
        place = mpi_view_offset(file->view, position);
    if (place == UINT64_MAX)
        return mpi_call_error(call, NULL, MPI_ERR_ARG,
                              "offset %" G_GINT64_FORMAT " is not in the view of any file (argument 2)", offset);
    mpi_store_handle(call, call->args[2], place);
    return MPI_STEP_DONE;
}

/* -- the shared file pointer ------------------------------------------------------------------- */

static MpiStep reached(MpiCall *call)
{
    mpi_timing_end(call);
    return mpi_file_done(call);
}

static MpiStep seek_agreed(MpiCall *call)
{
    const MpiFile *file = mpi_meeting_file(call);
    MpiMeeting *meeting = mpi_meeting_of(call);
    MpiStep step;
    uint64_t target;
    if (!mpi_meeting_agrees(call, "offset and origin", &step))
        return step;
    if (!meeting->decided) {
        if (!find_target(call, file, file->shared->pointer, &target, &step))
            return step;
        meeting->decided = true;
        file->shared->pointer = target;
    }
    return mpi_timing_one(call, file->comm, file->shared->storage, VM_STORAGE_NAME, reached);
}

MpiStep mpi_do_File_seek_shared(MpiCall *call)
{
    MpiFile *file;
    MpiStep step;
    if (!mpi_file_check(call, &file, &step) || !check_seekable(call, file, &step))
        return step;
    MpiSaid said = {.a = call->args[1], .b = (uint64_t)(int64_t)mpi_int(call, 2)};
    return mpi_meeting_hold(call, file, said, seek_agreed);
}

MpiStep mpi_do_File_get_position_shared(MpiCall *call)
{
    MpiFile *file;
    MpiStep step;
    if (!mpi_file_check(call, &file, &step) || !check_seekable(call, file, &step) ||
        !mpi_check_result(call, 1, 8, &step))
        return step;
    mpi_store_handle(call, call->args[1], file->shared->pointer);
    return mpi_timing_one(call, file->comm, file->shared->storage, VM_STORAGE_NAME, reached);
}
