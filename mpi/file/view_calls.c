/* view_calls.c - MPI_File_set_view and MPI_File_get_view (MPI-4.1 section 14.3). */
#include "mpi/comm/comm.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/stores.h"
#include "mpi/file/access.h"
#include "mpi/type/type.h"

#include <string.h>

enum { FILE_, DISPLACEMENT, ETYPE, FILETYPE, REPRESENTATION, INFO };

/* The arguments of MPI_File_set_view. */
typedef struct Wanted {
    uint64_t displacement;
    MpiType *etype, *filetype;
    const MpiRepresentation *representation;
} Wanted;

static bool parse_displacement(MpiCall *call, const MpiFile *file, uint64_t *displacement, MpiStep *step)
{
    int64_t given = (int64_t)call->args[DISPLACEMENT];
    bool sequential = file->shared->amode & MPI_MODE_SEQUENTIAL_;
    if (given == MPI_DISPLACEMENT_CURRENT_) {
        *displacement = mpi_view_offset(file->view, file->shared->pointer * file->view->etype_bytes);
        if (!sequential)
            *step = mpi_call_error(call, NULL, MPI_ERR_ARG,
                                   "MPI_DISPLACEMENT_CURRENT is only for files opened with MPI_MODE_SEQUENTIAL "
                                   "(argument 2)");
        return sequential;
    }
    *displacement = (uint64_t)given;
    if (sequential)
        *step = mpi_call_error(call, NULL, MPI_ERR_ARG,
                               "with MPI_MODE_SEQUENTIAL, the displacement is MPI_DISPLACEMENT_CURRENT (argument 2)");
    else if (given < 0)
        *step = mpi_call_error(call, NULL, MPI_ERR_ARG,
                               "the displacement %" G_GINT64_FORMAT " is negative (argument 2)", given);
    return !sequential && given >= 0;
}

static bool parse_representation(MpiCall *call, const MpiRepresentation **representation, MpiStep *step)
{
    const char *name = vm_rank_string(call->process, call->args[REPRESENTATION]);
    if (!name) {
        *step =
            mpi_call_error(call, NULL, MPI_ERR_ARG, "the data representation is not a string in memory (argument 5)");
        return false;
    }
    *representation = mpi_representation_find(call->rank, name);
    if (!*representation)
        *step = mpi_call_error(call, NULL, MPI_ERR_UNSUPPORTED_DATAREP,
                               "there is no data representation \"%.40s\" (argument 5); there are native, internal, "
                               "external32, and what MPI_Register_datarep was given",
                               name);
    return *representation;
}

static bool parse(MpiCall *call, MpiFile **file, Wanted *wanted, MpiStep *step)
{
    return mpi_file_check(call, file, step) && mpi_check_type(call, NULL, ETYPE, &wanted->etype, step) &&
           mpi_check_type(call, NULL, FILETYPE, &wanted->filetype, step) &&
           parse_displacement(call, *file, &wanted->displacement, step) &&
           parse_representation(call, &wanted->representation, step) && mpi_check_info(call, NULL, INFO, step);
}

/* All members have come. The first resets the shared file pointer, which others can only move later. */
static MpiStep view_agreed(MpiCall *call)
{
    MpiFile *file = mpi_meeting_file(call);
    MpiMeeting *meeting = mpi_meeting_of(call);
    MpiInfo *info = NULL;
    MpiStep step;
    if (!mpi_meeting_agrees(call, "the size of the etype and the data representation", &step) ||
        !mpi_check_info_hints(call, NULL, INFO, &info, &step))
        return step;
    mpi_hints_take(file, info);
    mpi_info_free(info);
    if (!meeting->decided) {
        meeting->decided = true;
        file->shared->pointer = 0;
    }
    mpi_view_unref(file->view);
    file->view = mpi_view_ref(meeting->said[file->comm->rank].view);
    file->position = 0;
    return mpi_file_done(call);
}

static MpiStep sizes_known(MpiCall *call)
{
    MpiFile *file;
    Wanted wanted;
    MpiStep step;
    if (!parse(call, &file, &wanted, &step))
        return step;
    const MpiFileSizes *sizes = &mpi_files_of(call->rank)->asked;
    const char *wrong = "it has too many pieces for a view";
    uint64_t etype_bytes = mpi_representation_bytes(sizes, wanted.etype);
    if (etype_bytes && mpi_representation_bytes(sizes, wanted.filetype) % etype_bytes)
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "the file type does not consist of whole etypes (argument 4)");
    MpiType *tile = mpi_file_type(sizes, wanted.filetype);
    MpiView *view = tile ? mpi_view_new(wanted.displacement, wanted.etype, wanted.filetype, tile, wanted.representation,
                                        sizes, &wrong)
                         : NULL;
    if (tile)
        mpi_type_unref(tile);
    if (view && view->overlapping && !(file->shared->amode & MPI_MODE_RDONLY_)) {
        mpi_view_unref(view);
        view = NULL;
        wrong = "pieces of it overlap, which is only allowed with MPI_MODE_RDONLY";
    }
    if (!view)
        return mpi_call_error(call, NULL, MPI_ERR_IO, "the file type cannot be used (argument 4): %s", wrong);
    MpiSaid said = {.a = view->etype_bytes, .b = g_str_hash(wanted.representation->name), .view = view};
    step = mpi_meeting_hold(call, file, said, view_agreed);
    mpi_view_unref(view);
    return step;
}

MpiStep mpi_do_File_set_view(MpiCall *call)
{
    MpiFile *file;
    Wanted wanted;
    MpiStep step;
    if (!parse(call, &file, &wanted, &step))
        return step;
    return mpi_representation_ask(call, wanted.representation, wanted.etype, wanted.filetype,
                                  &mpi_files_of(call->rank)->asked, sizes_known);
}

/* Gives a type to the program: predefined ones themselves, others as a duplicate, which the program frees. */
static MpiStep give_type(MpiCall *call, unsigned arg, MpiType *type)
{
    if (!type->predefined && !mpi_type_is_f90(type))
        return mpi_type_give_duplicate(call, arg, mpi_type_duplicate(type));
    mpi_store_handle(call, call->args[arg], type->handle);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_File_get_view(MpiCall *call)
{
    MpiFile *file;
    MpiStep step;
    if (!mpi_file_check(call, &file, &step) || !mpi_check_result(call, 1, 8, &step) ||
        !mpi_check_result(call, 2, sizeof(MpiHandle), &step) || !mpi_check_result(call, 3, sizeof(MpiHandle), &step))
        return step;
    const char *name = file->view->representation->name;
    void *text;
    if (!mpi_check_output(call, NULL, 4, strlen(name) + 1, &text, &step))
        return step;
    memcpy(text, name, strlen(name) + 1);
    mpi_store_handle(call, call->args[1], file->view->given);
    step = give_type(call, 2, file->view->etype);
    return step == MPI_STEP_DONE && !call->result ? give_type(call, 3, file->view->filetype) : step;
}
