/* datatypes.c - the constructors of datatypes (MPI-3.1 chapter 4; deprecated ones MPI-1.3 section 3.12; large counts
 * MPI-4.0 section 5.1).
 *
 * Each checks its arguments in rank memory, writes them into an envelope, lets type_map.c do the arithmetic, and
 * registers the result. A deprecated function has the same arguments in C as its successor, which serves both. The _c
 * functions differ only in the width of their numbers; this is the argument `wide` throughout.
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/type/envelope.h"
#include "mpi/type/type.h"
#include "mpi/type/type_map.h"

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

/* -- arguments --------------------------------------------------------------------------------- */

static int64_t number(const MpiCall *call, unsigned arg, bool wide)
{
    return wide ? (int64_t)call->args[arg] : mpi_int(call, arg);
}

static bool check_not_negative(MpiCall *call, unsigned arg, bool wide, const char *what, int64_t *value, MpiStep *step)
{
    *value = number(call, arg, wide);
    if (*value < 0) {
        *step = mpi_call_error(call, NULL, MPI_ERR_COUNT, "%s %" G_GINT64_FORMAT " is negative (argument %u)", what,
                               *value, arg + 1);
    }
    return *value >= 0;
}

bool mpi_check_type_numbers(MpiCall *call, unsigned arg, uint64_t n, bool wide, int64_t **numbers, MpiStep *step)
{
    uint64_t bytes;
    const void *from;
    *numbers = NULL;
    if (__builtin_mul_overflow(n, wide ? sizeof(int64_t) : sizeof(int32_t), &bytes)) {
        bytes = INT64_MAX; /* more memory than any process has */
    }
    if (!mpi_check_input(call, NULL, arg, bytes, &from, step)) {
        return false;
    }
    *numbers = g_new(int64_t, n);
    for (uint64_t i = 0; i < n; i++) {
        (*numbers)[i] = wide ? ((const MpiInt64 *)from)[i] : ((const MpiInt32 *)from)[i];
    }
    return true;
}

bool mpi_check_type_order(MpiCall *call, unsigned arg, MpiStep *step)
{
    int order = mpi_int(call, arg);
    if (order != MPI_ORDER_C_ && order != MPI_ORDER_FORTRAN_) {
        *step = mpi_call_error(call, NULL, MPI_ERR_ARG,
                               "order %d (argument %u) is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN", order, arg + 1);
        return false;
    }
    return true;
}

MpiStep mpi_type_give(MpiCall *call, unsigned arg, MpiType *type, MpiEnvelope *envelope)
{
    MpiWord *handle;
    MpiStep step;
    if (!type) {
        mpi_envelope_unref(envelope);
        return mpi_call_error(call, NULL, MPI_ERR_NO_MEM,
                              "the new datatype would have more than %" G_GUINT64_FORMAT
                              " separate blocks, 2^62 bytes, or bytes 2^61 away; "
                              "build it from vectors, which count as one block",
                              MPI_TYPE_MAX_BLOCKS);
    }
    type->envelope = envelope;
    if (!mpi_check_output(call, NULL, arg, sizeof *handle, (void **)&handle, &step)) {
        mpi_type_unref(type);
        return step;
    }
    type->made_pc = call->pc;
    *handle = type->handle = mpi_handle_register(call, MPI_KIND_TYPE, type);
    return done(call);
}

/* -- contiguous and vectors -------------------------------------------------------------------- */

static MpiStep make_contiguous(MpiCall *call, bool wide)
{
    enum { COUNT, OLD, NEW };
    MpiType *old;
    int64_t count;
    MpiStep step;
    if (!check_not_negative(call, COUNT, wide, "the count", &count, &step) ||
        !mpi_check_any_type(call, OLD, &old, &step)) {
        return step;
    }
    MpiEnvelope *envelope = mpi_envelope_new(MPI_COMBINER_CONTIGUOUS_, wide);
    mpi_envelope_count(envelope, count);
    mpi_envelope_type(envelope, old);
    return mpi_type_give(call, NEW, mpi_type_make_vector(1, (uint64_t)count, 0, old), envelope);
}

MPI_HANDLER(Type_contiguous, make_contiguous(call, false))
MPI_HANDLER(Type_contiguous_c, make_contiguous(call, true))

/* Returns `n` extents in bytes. On overflow returns the greatest number, which the constructors refuse. */
static int64_t extents(int64_t n, const MpiType *type)
{
    int64_t bytes;
    return __builtin_mul_overflow(n, type->extent, &bytes) ? INT64_MAX : bytes;
}

static MpiStep make_vector(MpiCall *call, bool stride_in_bytes, bool wide)
{
    enum { COUNT, LENGTH, STRIDE, OLD, NEW };
    MpiType *old;
    int64_t count, length, stride = number(call, STRIDE, wide || stride_in_bytes);
    MpiStep step;
    if (!check_not_negative(call, COUNT, wide, "the count", &count, &step) ||
        !check_not_negative(call, LENGTH, wide, "block length", &length, &step) ||
        !mpi_check_any_type(call, OLD, &old, &step)) {
        return step;
    }
    MpiEnvelope *envelope = mpi_envelope_new(stride_in_bytes ? MPI_COMBINER_HVECTOR_ : MPI_COMBINER_VECTOR_, wide);
    mpi_envelope_count(envelope, count);
    mpi_envelope_count(envelope, length);
    (stride_in_bytes ? mpi_envelope_aint : mpi_envelope_count)(envelope, stride);
    mpi_envelope_type(envelope, old);
    int64_t bytes = stride_in_bytes ? stride : extents(stride, old);
    return mpi_type_give(call, NEW, mpi_type_make_vector((uint64_t)count, (uint64_t)length, bytes, old), envelope);
}

MPI_HANDLER(Type_vector, make_vector(call, false, false))
MPI_HANDLER(Type_vector_c, make_vector(call, false, true))
MPI_HANDLER(Type_hvector, make_vector(call, true, false))
MPI_HANDLER(Type_create_hvector, make_vector(call, true, false))
MPI_HANDLER(Type_create_hvector_c, make_vector(call, true, true))

/* -- lists ------------------------------------------------------------------------------------- */

static bool check_length(MpiCall *call, unsigned arg, int64_t index, int64_t length, MpiStep *step)
{
    if (length < 0) {
        *step =
            mpi_call_error(call, NULL, MPI_ERR_COUNT,
                           "block length %" G_GINT64_FORMAT " at index %" G_GINT64_FORMAT " is negative (argument %u)",
                           length, index, arg + 1);
    }
    return length >= 0;
}

/* The differences between the list constructors. */
typedef struct ListForm {
    MpiCombiner combiner;
    bool equal; /* all blocks have the same length */
    bool bytes; /* displacements are in bytes, not in extents */
} ListForm;

static const ListForm indexed = {MPI_COMBINER_INDEXED_, false, false};
static const ListForm hindexed = {MPI_COMBINER_HINDEXED_, false, true};
static const ListForm indexed_block = {MPI_COMBINER_INDEXED_BLOCK_, true, false};
static const ListForm hindexed_block = {MPI_COMBINER_HINDEXED_BLOCK_, true, true};

/* Arguments of a list constructor: displacements, and lengths or a common length. */
typedef struct ListArguments {
    int64_t count, length;
    int64_t *lengths, *displacements;
} ListArguments;

static void list_clear(ListArguments *list)
{
    g_free(list->lengths);
    g_free(list->displacements);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ListArguments, list_clear)

static bool read_list(MpiCall *call, const ListForm *form, bool wide, ListArguments *list, MpiStep *step)
{
    enum { COUNT, LENGTHS, DISPLACEMENTS };
    if (!check_not_negative(call, COUNT, wide, "the count", &list->count, step)) {
        return false;
    }
    uint64_t n = (uint64_t)list->count;
    if (form->equal ? !check_not_negative(call, LENGTHS, wide, "block length", &list->length, step)
                    : !mpi_check_type_numbers(call, LENGTHS, n, wide, &list->lengths, step)) {
        return false;
    }
    if (!mpi_check_type_numbers(call, DISPLACEMENTS, n, wide || form->bytes, &list->displacements, step)) {
        return false;
    }
    for (int64_t i = 0; list->lengths && i < list->count; i++) {
        if (!check_length(call, LENGTHS, i, list->lengths[i], step)) {
            return false;
        }
    }
    return true;
}

static MpiEnvelope *list_envelope(const ListForm *form, const ListArguments *list, bool wide)
{
    MpiEnvelope *envelope = mpi_envelope_new(form->combiner, wide);
    mpi_envelope_count(envelope, list->count);
    if (form->equal) {
        mpi_envelope_count(envelope, list->length);
    }
    for (int64_t i = 0; !form->equal && i < list->count; i++) {
        mpi_envelope_count(envelope, list->lengths[i]);
    }
    for (int64_t i = 0; i < list->count; i++) {
        (form->bytes ? mpi_envelope_aint : mpi_envelope_count)(envelope, list->displacements[i]);
    }
    return envelope;
}

static MpiStep make_list(MpiCall *call, const ListForm *form, bool wide)
{
    enum { COUNT, LENGTHS, DISPLACEMENTS, OLD, NEW };
    g_auto(ListArguments) list = {0};
    MpiType *old;
    MpiStep step;
    if (!read_list(call, form, wide, &list, &step) || !mpi_check_any_type(call, OLD, &old, &step)) {
        return step;
    }
    g_autofree MpiTypePart *parts = g_new(MpiTypePart, (size_t)list.count);
    for (int64_t i = 0; i < list.count; i++) {
        int64_t at = form->bytes ? list.displacements[i] : extents(list.displacements[i], old);
        parts[i] = (MpiTypePart){at, (uint64_t)(form->equal ? list.length : list.lengths[i]), old};
    }
    MpiEnvelope *envelope = list_envelope(form, &list, wide);
    mpi_envelope_type(envelope, old);
    return mpi_type_give(call, NEW, mpi_type_make_list(parts, (size_t)list.count, false), envelope);
}

MPI_HANDLER(Type_indexed, make_list(call, &indexed, false))
MPI_HANDLER(Type_indexed_c, make_list(call, &indexed, true))
MPI_HANDLER(Type_hindexed, make_list(call, &hindexed, false))
MPI_HANDLER(Type_create_hindexed, make_list(call, &hindexed, false))
MPI_HANDLER(Type_create_hindexed_c, make_list(call, &hindexed, true))
MPI_HANDLER(Type_create_indexed_block, make_list(call, &indexed_block, false))
MPI_HANDLER(Type_create_indexed_block_c, make_list(call, &indexed_block, true))
MPI_HANDLER(Type_create_hindexed_block, make_list(call, &hindexed_block, false))
MPI_HANDLER(Type_create_hindexed_block_c, make_list(call, &hindexed_block, true))

/* -- struct ------------------------------------------------------------------------------------ */

static MpiStep make_struct(MpiCall *call, bool wide)
{
    enum { COUNT, LENGTHS, DISPLACEMENTS, TYPES, NEW };
    static const ListForm form = {MPI_COMBINER_STRUCT_, false, true};
    g_auto(ListArguments) list = {0};
    const void *types;
    MpiStep step;
    if (!read_list(call, &form, wide, &list, &step) ||
        !mpi_check_input(call, NULL, TYPES, (uint64_t)list.count * sizeof(uint64_t), &types, &step)) {
        return step;
    }
    g_autofree MpiTypePart *parts = g_new(MpiTypePart, (size_t)list.count);
    for (int64_t i = 0; i < list.count; i++) {
        MpiType *type = mpi_handle_lookup(call->rank, MPI_KIND_TYPE, ((const MpiWord *)types)[i]);
        if (!type) {
            return mpi_call_error(call, NULL, MPI_ERR_TYPE,
                                  "the type at index %" G_GINT64_FORMAT " is not a datatype (argument %u)", i,
                                  TYPES + 1);
        }
        parts[i] = (MpiTypePart){list.displacements[i], (uint64_t)list.lengths[i], type};
    }
    MpiEnvelope *envelope = list_envelope(&form, &list, wide);
    for (int64_t i = 0; i < list.count; i++) {
        mpi_envelope_type(envelope, (MpiType *)parts[i].type);
    }
    return mpi_type_give(call, NEW, mpi_type_make_list(parts, (size_t)list.count, true), envelope);
}

MPI_HANDLER(Type_create_struct, make_struct(call, false))
MPI_HANDLER(Type_create_struct_c, make_struct(call, true))
MPI_HANDLER(Type_struct, make_struct(call, false))

/* -- resized, subarray ------------------------------------------------------------------------- */

static MpiStep make_resized(MpiCall *call, bool wide)
{
    enum { OLD, LB, EXTENT, NEW };
    MpiType *old;
    MpiStep step;
    int64_t lb = (int64_t)call->args[LB], extent = (int64_t)call->args[EXTENT];
    if (!mpi_check_any_type(call, OLD, &old, &step)) {
        return step;
    }
    MpiEnvelope *envelope = mpi_envelope_new(MPI_COMBINER_RESIZED_, wide);
    mpi_envelope_aint(envelope, lb);
    mpi_envelope_aint(envelope, extent);
    mpi_envelope_type(envelope, old);
    return mpi_type_give(call, NEW, mpi_type_make_resized(old, lb, extent), envelope);
}

MPI_HANDLER(Type_create_resized, make_resized(call, false))
MPI_HANDLER(Type_create_resized_c, make_resized(call, true))

static bool check_subarray(MpiCall *call, int n, const int64_t *sizes, const int64_t *subsizes, const int64_t *starts,
                           MpiStep *step)
{
    for (int i = 0; i < n; i++) {
        if (sizes[i] < 1 || subsizes[i] < 1 || starts[i] < 0 || starts[i] > sizes[i] - subsizes[i]) {
            *step = mpi_call_error(call, NULL, MPI_ERR_ARG,
                                   "dimension %d: a block of %" G_GINT64_FORMAT " from index %" G_GINT64_FORMAT
                                   " on does not lie inside an array of %" G_GINT64_FORMAT " (arguments 2 to 4)",
                                   i, subsizes[i], starts[i], sizes[i]);
            return false;
        }
    }
    return true;
}

static void reverse(int64_t *numbers, int n)
{
    for (int i = 0; i < n / 2; i++) {
        int64_t last = numbers[n - 1 - i];
        numbers[n - 1 - i] = numbers[i];
        numbers[i] = last;
    }
}

static MpiEnvelope *subarray_envelope(int n, const int64_t *const arrays[3], int order, bool wide)
{
    MpiEnvelope *envelope = mpi_envelope_new(MPI_COMBINER_SUBARRAY_, wide);
    mpi_envelope_int(envelope, n);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < n; j++) {
            mpi_envelope_count(envelope, arrays[i][j]);
        }
    }
    mpi_envelope_int(envelope, order);
    return envelope;
}

static MpiStep make_subarray(MpiCall *call, bool wide)
{
    enum { DIMENSIONS, SIZES, SUBSIZES, STARTS, ORDER, OLD, NEW };
    g_autofree int64_t *sizes = NULL, *subsizes = NULL, *starts = NULL;
    int n = mpi_int(call, DIMENSIONS), order = mpi_int(call, ORDER);
    MpiType *old;
    MpiStep step;
    if (n < 1) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "%d dimensions (argument 1); an array has at least one", n);
    }
    if (!mpi_check_type_order(call, ORDER, &step) ||
        !mpi_check_type_numbers(call, SIZES, (uint64_t)n, wide, &sizes, &step) ||
        !mpi_check_type_numbers(call, SUBSIZES, (uint64_t)n, wide, &subsizes, &step) ||
        !mpi_check_type_numbers(call, STARTS, (uint64_t)n, wide, &starts, &step) ||
        !check_subarray(call, n, sizes, subsizes, starts, &step) || !mpi_check_any_type(call, OLD, &old, &step)) {
        return step;
    }
    MpiEnvelope *envelope = subarray_envelope(n, (const int64_t *const[]){sizes, subsizes, starts}, order, wide);
    mpi_envelope_type(envelope, old);
    if (order == MPI_ORDER_FORTRAN_) {
        reverse(sizes, n);
        reverse(subsizes, n);
        reverse(starts, n);
    }
    return mpi_type_give(call, NEW, mpi_type_make_subarray((unsigned)n, sizes, subsizes, starts, old), envelope);
}

MPI_HANDLER(Type_create_subarray, make_subarray(call, false))
MPI_HANDLER(Type_create_subarray_c, make_subarray(call, true))
