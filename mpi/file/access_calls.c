/* access_calls.c - the functions that read and write (MPI-4.1 section 14.4).
 *
 * All of them are one function with a set of forms (access.h): where, with whom, and when the call ends. It parses the
 * arguments, finds the place, lets the data move (host_access.c), and starts the time that this takes (timing.c).
 *
 *      parse -> [ordered: wait until all members have said how much] -> move -> start time -> status, request or
 * nothing
 *
 * Because data move at once, errors show at once: a non-blocking call has them itself, not the call that waits for it.
 * A member of a collective with an error takes part in it all the same. */
#include "mpi/collective/collective.h"
#include "mpi/comm/comm.h"
#include "mpi/core/count.h"
#include "mpi/core/findings.h"
#include "mpi/core/function.h"
#include "mpi/core/handlers.h"
#include "mpi/core/hooks.h"
#include "mpi/core/world.h"
#include "mpi/file/access.h"
#include "mpi/type/external32.h"

#include <string.h>

enum { ORDERED_BYTES = 24 };

/* The state of a call. */
typedef struct Transfer {
    MpiFile *file; /* referenced */
    unsigned form;
    MpiBuffer buffer;
    uint64_t position;    /* byte of the view's data where it begins */
    uint64_t bytes, done; /* of the file: wanted, moved */
    uint8_t *packed;      /* the data as they are in the file, or packed; NULL: the program's memory itself */
    uint64_t converted;   /* address of rank memory with data in the program's own representation; 0: none */
    MpiMeeting *meeting;  /* entered, and not yet passed on; or NULL */
    int error;            /* errno */
    const char *unrepresentable;
    int conversion_error; /* of a function of the program */
} Transfer;

static void transfer_free(void *state)
{
    Transfer *transfer = state;
    if (transfer->meeting)
        mpi_meeting_leave(transfer->file->shared, transfer->meeting);
    mpi_file_unref(transfer->file);
    g_free(transfer->packed);
    g_free(transfer);
}

/* -- arguments --------------------------------------------------------------------------------- */

static unsigned buffer_argument(unsigned form)
{
    return form & MPI_ACCESS_AT ? 2 : 1;
}

static unsigned last_argument(unsigned form)
{
    return buffer_argument(form) + 3;
}

/* Whether the access mode of the file allows the access. */
static bool check_mode(MpiCall *call, const MpiFile *file, unsigned form, MpiStep *step)
{
    int amode = file->shared->amode;
    const char *wrong = NULL;
    int class = MPI_ERR_UNSUPPORTED_OPERATION;
    if (form & MPI_ACCESS_WRITE && amode & MPI_MODE_RDONLY_) {
        wrong = "MPI_MODE_RDONLY, so it cannot be written";
        class = MPI_ERR_READ_ONLY;
    } else if (!(form & MPI_ACCESS_WRITE) && amode & MPI_MODE_WRONLY_) {
        wrong = "MPI_MODE_WRONLY, so it cannot be read";
        class = MPI_ERR_ACCESS;
    } else if (amode & MPI_MODE_SEQUENTIAL_ && !(form & (MPI_ACCESS_SHARED | MPI_ACCESS_ORDERED))) {
        wrong = "MPI_MODE_SEQUENTIAL: only the shared file pointer can be used";
    }
    if (wrong)
        *step = mpi_call_error(call, NULL, class, "the file was opened with %s", wrong);
    return !wrong;
}

static bool check_split(MpiCall *call, const MpiFile *file, unsigned form, MpiStep *step)
{
    bool collective = form & (MPI_ACCESS_ALL | MPI_ACCESS_ORDERED);
    if (!file->split || !collective)
        return true;
    *step = mpi_call_error(call, NULL, MPI_ERR_IO,
                           "%s has begun on the file and not ended; there is one split collective at a time, and no "
                           "other collective access meanwhile",
                           file->split_name);
    return false;
}

static bool check_last(MpiCall *call, unsigned form, MpiStep *step)
{
    unsigned last = last_argument(form);
    if (form & MPI_ACCESS_LATER)
        return mpi_check_result(call, last, sizeof(MpiHandle), step);
    return form & MPI_ACCESS_BEGIN || call->args[last] == MPI_STATUS_IGNORE_ ||
           mpi_check_result(call, last, sizeof(MpiStatus), step);
}

static bool check_etypes(MpiCall *call, const MpiFile *file, const Transfer *transfer, MpiStep *step)
{
    const MpiView *view = file->view;
    if (transfer->bytes % view->etype_bytes == 0)
        return true;
    *step = mpi_call_error(call, NULL, MPI_ERR_IO,
                           "%" G_GUINT64_FORMAT " bytes are not a whole number of etypes, which have %" G_GUINT64_FORMAT
                           " bytes; the view is made of %s",
                           transfer->bytes, view->etype_bytes, mpi_type_describe(view->etype));
    return false;
}

static bool is_of_bytes(const MpiType *type)
{
    for (uint32_t i = 0; i < type->n_blocks; i++)
        if (type->blocks[i].primitive != MPI_PRIM_BYTE)
            return false;
    return true;
}

/* Under --check=signatures: whether the buffer consists of what the view says. An etype of bytes matches everything. */
static bool check_signature(MpiCall *call, const MpiFile *file, const Transfer *transfer, MpiStep *step)
{
    const MpiType *etype = file->view->etype, *type = transfer->buffer.type;
    uint64_t bytes = transfer->buffer.count * type->size;
    if (!mpi_check_is_on(call->world, MPI_CHECK_SIGNATURES) || !bytes || is_of_bytes(etype) ||
        mpi_signatures_match(type, etype, bytes))
        return true;
    g_autoptr(GString) out = g_string_new("the buffer has ");
    mpi_append_type_items(out, type, transfer->buffer.count, call->process);
    g_string_append(out, ", but the etype of the view is ");
    mpi_append_type_items(out, etype, 1, call->process);
    mpi_append_signature_difference(out, etype, type, bytes);
    *step = mpi_finding_stop(call, MPI_CHECK_SIGNATURES,
                             "%s; name the same basic types in both, or set a view whose etype is MPI_BYTE", out->str);
    return false;
}

/* Finds the byte of the view's data where the access begins, given in etypes. */
static bool find_place(MpiCall *call, Transfer *transfer, int64_t etype, MpiStep *step)
{
    const MpiView *view = transfer->file->view;
    uint64_t end;
    bool found = etype >= 0 && !__builtin_mul_overflow((uint64_t)etype, view->etype_bytes, &transfer->position) &&
                 !__builtin_add_overflow(transfer->position, transfer->bytes, &end) &&
                 mpi_view_offset(view, end) != UINT64_MAX;
    if (!found && etype < 0)
        *step =
            mpi_call_error(call, NULL, MPI_ERR_ARG, "the offset %" G_GINT64_FORMAT " is negative (argument 2)", etype);
    else if (!found)
        *step = mpi_call_error(call, NULL, MPI_ERR_ARG,
                               "the access ends beyond what files can hold: %" G_GUINT64_FORMAT
                               " bytes from etype %" G_GINT64_FORMAT " of the view on",
                               transfer->bytes, etype);
    return found;
}

static Transfer *parse(MpiCall *call, unsigned form, MpiStep *step)
{
    MpiFile *file;
    MpiBuffer buffer;
    if (!mpi_file_check(call, &file, step) || !check_last(call, form, step) || !check_mode(call, file, form, step) ||
        !check_split(call, file, form, step) ||
        !mpi_check_buffer(call, NULL, buffer_argument(form), !(form & MPI_ACCESS_WRITE), &buffer, step))
        return NULL;
    Transfer *transfer = g_new0(Transfer, 1);
    *transfer = (Transfer){.file = mpi_file_ref(file),
                           .form = form,
                           .buffer = buffer,
                           .bytes = buffer.count * mpi_representation_bytes(&file->view->sizes, buffer.type)};
    call->state = transfer;
    call->state_free = transfer_free;
    return check_etypes(call, file, transfer, step) && check_signature(call, file, transfer, step) ? transfer : NULL;
}

/* -- time -------------------------------------------------------------------------------------- */

static bool failed(const Transfer *transfer)
{
    return transfer->error || transfer->unrepresentable || transfer->conversion_error;
}

static MpiStep fail(MpiCall *call, const Transfer *transfer)
{
    bool write = transfer->form & MPI_ACCESS_WRITE;
    if (transfer->unrepresentable)
        return mpi_call_error(call, NULL, MPI_ERR_CONVERSION, "a value cannot be written in external32: %s",
                              transfer->unrepresentable);
    if (transfer->conversion_error)
        return mpi_call_error(call, NULL, MPI_ERR_CONVERSION,
                              "the conversion function of the data representation \"%s\" returned error %d",
                              transfer->file->view->representation->name, transfer->conversion_error);
    return mpi_file_fail(call, transfer->file->shared, write ? "cannot write" : "cannot read", transfer->error);
}

static MpiStep end_blocking(MpiCall *call)
{
    const Transfer *transfer = call->state;
    const MpiRequest *request = (const MpiRequest *)(uintptr_t)call->room[0];
    MpiStatus status = request->status;
    int error = request->error;
    mpi_timing_end(call);
    mpi_status_write(call, call->args[last_argument(transfer->form)], &status, false);
    if (error)
        return mpi_file_misses_member(call);
    return failed(transfer) ? fail(call, transfer) : mpi_file_done(call);
}

/* Data have moved: counts them, moves the individual file pointer, and starts the time. */
static MpiStep start(MpiCall *call)
{
    Transfer *transfer = call->state;
    MpiFile *file = transfer->file;
    unsigned form = transfer->form;
    MpiStep step;
    if (form & MPI_ACCESS_ALL) {
        transfer->meeting =
            mpi_meeting_enter(call, file, (MpiSaid){transfer->position, transfer->done, file->view}, &step);
        if (!transfer->meeting)
            return step;
    }
    uint64_t memory = mpi_representation_memory_bytes(file->view->representation, &file->view->sizes,
                                                      transfer->buffer.type, transfer->done);
    mpi_count_file_bytes(call->rank, form & MPI_ACCESS_WRITE, transfer->done);
    mpi_conflicts_note(call, file, form & MPI_ACCESS_WRITE, transfer->position, transfer->done);
    if (!(form & (MPI_ACCESS_AT | MPI_ACCESS_SHARED | MPI_ACCESS_ORDERED)))
        file->position += transfer->done / file->view->etype_bytes;
    MpiMeeting *meeting = form & MPI_ACCESS_ORDERED ? NULL : g_steal_pointer(&transfer->meeting);
    MpiRequest *request = mpi_timing_start(call, file, form, transfer->position, transfer->done, meeting);
    request->status.bytes = memory;
    if (form & MPI_ACCESS_BEGIN) {
        file->split = request;
        file->split_name = call->name;
        file->split_buffer = transfer->buffer.address;
        return failed(transfer) ? fail(call, transfer) : mpi_file_done(call);
    }
    if (!(form & MPI_ACCESS_LATER))
        return mpi_timing_wait(call, request, end_blocking);
    if (failed(transfer)) {
        mpi_request_release(request);
        return fail(call, transfer);
    }
    mpi_tell_used(call->world, call, request, &transfer->buffer, !(form & MPI_ACCESS_WRITE), -1);
    mpi_count_file_time(call->rank, call->now - call->entered_ps);
    return mpi_request_publish(call, request, call->args[last_argument(form)]);
}

/* -- moving data ------------------------------------------------------------------------------- */

static void move(Transfer *transfer, uint8_t *data)
{
    const MpiFile *file = transfer->file;
    transfer->done = mpi_host_access(file->shared, file->view, transfer->form & MPI_ACCESS_WRITE, transfer->position,
                                     transfer->bytes, data, &transfer->error);
}

/* Returns the program's memory, if data can move from and to it directly. */
static uint8_t *plain_memory(const Transfer *transfer)
{
    const MpiBuffer *buffer = &transfer->buffer;
    if (!buffer->type->contiguous || vm_rank_is_watched(buffer->process))
        return NULL;
    if (transfer->form & MPI_ACCESS_WRITE)
        return (uint8_t *)(uintptr_t)vm_rank_read(buffer->process, buffer->address, transfer->bytes);
    return vm_rank_write(buffer->process, buffer->address, transfer->bytes);
}

static bool pack(const Transfer *transfer, void *out)
{
    const MpiBuffer *buffer = &transfer->buffer;
    return mpi_type_pack(buffer->type, buffer->count, buffer->process, buffer->address, out);
}

static bool unpack(const Transfer *transfer, const void *in, uint64_t bytes)
{
    const MpiBuffer *buffer = &transfer->buffer;
    return mpi_type_unpack(buffer->type, buffer->count, buffer->process, buffer->address, in, bytes);
}

static MpiStep buffer_gone(MpiCall *call)
{
    return mpi_call_error(call, NULL, MPI_ERR_BUFFER, "the buffer is not all in the program's memory");
}

static MpiStep no_memory(MpiCall *call, uint64_t bytes)
{
    return mpi_call_error(call, NULL, MPI_ERR_NO_MEM, "no memory for %" G_GUINT64_FORMAT " bytes on their way", bytes);
}

static MpiStep move_native(MpiCall *call, Transfer *transfer)
{
    bool write = transfer->form & MPI_ACCESS_WRITE;
    uint8_t *memory = transfer->bytes ? plain_memory(transfer) : transfer->packed;
    if (memory || !transfer->bytes) {
        move(transfer, memory);
        return start(call);
    }
    transfer->packed = g_try_malloc(transfer->bytes);
    if (!transfer->packed)
        return no_memory(call, transfer->bytes);
    if (!transfer->buffer.type->contiguous) /* otherwise only the simulator needs the copy */
        mpi_call_charge(call, mpi_call_copying_ps(call, 0, transfer->bytes));
    if (write && !pack(transfer, transfer->packed))
        return buffer_gone(call);
    move(transfer, transfer->packed);
    if (!write && !unpack(transfer, transfer->packed, transfer->done))
        return buffer_gone(call);
    g_clear_pointer(&transfer->packed, g_free);
    return start(call);
}

static MpiStep move_external32(MpiCall *call, Transfer *transfer)
{
    const MpiBuffer *buffer = &transfer->buffer;
    bool write = transfer->form & MPI_ACCESS_WRITE;
    uint64_t native_bytes = buffer->count * buffer->type->size;
    transfer->packed = g_try_malloc0(transfer->bytes + 1);
    g_autofree char *native = g_try_malloc0(native_bytes + 1);
    if (!transfer->packed || !native)
        return no_memory(call, transfer->bytes + native_bytes);
    mpi_call_charge(call, mpi_call_copying_ps(call, 0, native_bytes));
    if (write) {
        if (!pack(transfer, native))
            return buffer_gone(call);
        transfer->unrepresentable =
            mpi_external32_encode(buffer->type, buffer->count, native, (char *)transfer->packed);
        if (!transfer->unrepresentable)
            move(transfer, transfer->packed);
    } else {
        move(transfer, transfer->packed);
        mpi_external32_decode(buffer->type, buffer->count, (const char *)transfer->packed, native);
        if (!unpack(transfer, native,
                    mpi_representation_memory_bytes(transfer->file->view->representation, &transfer->file->view->sizes,
                                                    buffer->type, transfer->done)))
            return buffer_gone(call);
    }
    g_clear_pointer(&transfer->packed, g_free);
    return start(call);
}

/* -- data representations of the program ------------------------------------------------------- */

static MpiStep converted(MpiCall *call)
{
    Transfer *transfer = call->state;
    transfer->conversion_error = (int)(int32_t)call->upcall_result;
    if (transfer->form & MPI_ACCESS_WRITE && !transfer->conversion_error) {
        const void *data = vm_rank_read(call->process, transfer->converted, transfer->bytes);
        move(transfer, (uint8_t *)(uintptr_t)data);
    }
    vm_library_free(call->process, transfer->converted);
    return start(call);
}

/* Calls f(userbuf, datatype, count, filebuf, position, extra_state). */
static MpiStep convert(MpiCall *call, Transfer *transfer, uint64_t function, uint64_t count)
{
    const MpiBuffer *buffer = &transfer->buffer;
    uint64_t args[] = {buffer->address,
                       buffer->type->handle,
                       count,
                       transfer->converted,
                       0,
                       transfer->file->view->representation->extra};
    return mpi_call_upcall(call, function, args, G_N_ELEMENTS(args), converted);
}

static MpiStep move_converted(MpiCall *call, Transfer *transfer)
{
    const MpiRepresentation *representation = transfer->file->view->representation;
    bool write = transfer->form & MPI_ACCESS_WRITE;
    uint64_t function = write ? representation->write : representation->read;
    if (!function || !transfer->bytes)
        return move_native(call, transfer);
    transfer->converted = vm_library_malloc(call->process, transfer->bytes);
    void *data = transfer->converted ? vm_rank_write(call->process, transfer->converted, transfer->bytes) : NULL;
    if (!data)
        return no_memory(call, transfer->bytes);
    if (write)
        return convert(call, transfer, function, transfer->buffer.count);
    move(transfer, data);
    uint64_t item = mpi_representation_bytes(&transfer->file->view->sizes, transfer->buffer.type);
    return convert(call, transfer, function, transfer->done / item);
}

static MpiStep move_data(MpiCall *call)
{
    Transfer *transfer = call->state;
    mpi_loans_settle(call->rank);
    switch (transfer->file->view->representation->sort) {
    case MPI_REP_EXTERNAL32: return move_external32(call, transfer);
    case MPI_REP_USER: return move_converted(call, transfer);
    case MPI_REP_NATIVE: break;
    }
    return move_native(call, transfer);
}

/* -- where ------------------------------------------------------------------------------------- */

/* All members have said how much they access: each takes its place behind those of lower ranks. */
static MpiStep ordered(MpiCall *call)
{
    Transfer *transfer = call->state;
    MpiMeeting *meeting = transfer->meeting;
    MpiSharedFile *shared = transfer->file->shared;
    MpiStep step;
    if (!meeting->decided) {
        meeting->decided = true;
        for (uint32_t i = 0; i < meeting->size; i++) {
            uint64_t etypes = meeting->said[i].a;
            meeting->said[i].a = shared->pointer;
            shared->pointer += etypes;
        }
    }
    uint64_t place = meeting->said[transfer->file->comm->rank].a;
    return find_place(call, transfer, (int64_t)MIN(place, INT64_MAX), &step) ? move_data(call) : step;
}

static MpiStep access_file(MpiCall *call, unsigned form)
{
    MpiStep step;
    Transfer *transfer = parse(call, form, &step);
    if (!transfer)
        return step;
    MpiFile *file = transfer->file;
    uint64_t etypes = transfer->bytes / file->view->etype_bytes;
    if (form & MPI_ACCESS_ORDERED) {
        transfer->meeting = mpi_meeting_enter(call, file, (MpiSaid){.a = etypes}, &step);
        return transfer->meeting ? mpi_collective_agree(call, file->comm, ORDERED_BYTES, ordered) : step;
    }
    int64_t place = form & MPI_ACCESS_AT       ? (int64_t)call->args[1]
                    : form & MPI_ACCESS_SHARED ? (int64_t)file->shared->pointer
                                               : (int64_t)file->position;
    if (!find_place(call, transfer, place, &step))
        return step;
    if (form & MPI_ACCESS_SHARED)
        file->shared->pointer += etypes;
    return move_data(call);
}

#define READ_AND_WRITE(read_name, write_name, form)                                                                    \
    MPI_HANDLER(read_name, access_file(call, (form)))                                                                  \
    MPI_HANDLER(write_name, access_file(call, (form) | MPI_ACCESS_WRITE))

READ_AND_WRITE(File_read_at, File_write_at, MPI_ACCESS_AT)
READ_AND_WRITE(File_read_at_all, File_write_at_all, MPI_ACCESS_AT | MPI_ACCESS_ALL)
READ_AND_WRITE(File_iread_at, File_iwrite_at, MPI_ACCESS_AT | MPI_ACCESS_LATER)
READ_AND_WRITE(File_iread_at_all, File_iwrite_at_all, MPI_ACCESS_AT | MPI_ACCESS_ALL | MPI_ACCESS_LATER)
READ_AND_WRITE(File_read, File_write, 0)
READ_AND_WRITE(File_read_all, File_write_all, MPI_ACCESS_ALL)
READ_AND_WRITE(File_iread, File_iwrite, MPI_ACCESS_LATER)
READ_AND_WRITE(File_iread_all, File_iwrite_all, MPI_ACCESS_ALL | MPI_ACCESS_LATER)
READ_AND_WRITE(File_read_shared, File_write_shared, MPI_ACCESS_SHARED)
READ_AND_WRITE(File_iread_shared, File_iwrite_shared, MPI_ACCESS_SHARED | MPI_ACCESS_LATER)
READ_AND_WRITE(File_read_ordered, File_write_ordered, MPI_ACCESS_ORDERED)
READ_AND_WRITE(File_read_at_all_begin, File_write_at_all_begin, MPI_ACCESS_AT | MPI_ACCESS_ALL | MPI_ACCESS_BEGIN)
READ_AND_WRITE(File_read_all_begin, File_write_all_begin, MPI_ACCESS_ALL | MPI_ACCESS_BEGIN)
READ_AND_WRITE(File_read_ordered_begin, File_write_ordered_begin, MPI_ACCESS_ORDERED | MPI_ACCESS_BEGIN)

/* -- the ends of split collectives ------------------------------------------------------------- */

static MpiStep split_ended(MpiCall *call)
{
    const MpiRequest *request = (const MpiRequest *)(uintptr_t)call->room[0];
    MpiStatus status = request->status;
    int error = request->error;
    mpi_timing_end(call);
    mpi_status_write(call, call->args[2], &status, false);
    return error ? mpi_file_misses_member(call) : mpi_file_done(call);
}

/* Whether the names are those of a beginning and its end. */
static bool belong_together(const char *begin, const char *end)
{
    size_t length = strlen(end) - strlen("end");
    return strncmp(begin, end, length) == 0 && g_str_has_prefix(begin + length, "begin");
}

static MpiStep end_split(MpiCall *call)
{
    MpiFile *file;
    MpiStep step;
    if (!mpi_file_check(call, &file, &step))
        return step;
    if (call->args[2] != MPI_STATUS_IGNORE_ && !mpi_check_result(call, 2, sizeof(MpiStatus), &step))
        return step;
    if (!file->split || !belong_together(file->split_name, call->name))
        return mpi_call_error(call, NULL, MPI_ERR_IO, "%s has begun on the file, so that this cannot end it",
                              file->split ? file->split_name : "no split collective");
    if (call->args[1] != file->split_buffer)
        return mpi_call_error(call, NULL, MPI_ERR_BUFFER, "the buffer (argument 2) is not the one that was given to %s",
                              file->split_name);
    return mpi_timing_wait(call, g_steal_pointer(&file->split), split_ended);
}

MPI_HANDLER(File_read_at_all_end, end_split(call))
MPI_HANDLER(File_read_all_end, end_split(call))
MPI_HANDLER(File_read_ordered_end, end_split(call))
MPI_HANDLER(File_write_at_all_end, end_split(call))
MPI_HANDLER(File_write_all_end, end_split(call))
MPI_HANDLER(File_write_ordered_end, end_split(call))
