/* datatypes.c - the MPI functions on datatypes (MPI-3.1 chapter 4; deprecated ones MPI-1.3 section 3.12).
 *
 * Each checks its arguments in rank memory, lets type_map.c do the arithmetic, and registers or reports the result.
 * Deprecated functions are their successors: in C they take the same arguments. Freeing a handle drops one reference;
 * pending communication and the rank's handle table hold their own.
 */
#include "mpi/type_map.h"

#include <string.h>

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

/* -- arguments -------------------------------------------------------------------------------- */

/* A datatype, committed or not. */
static bool check_any_type(MpiCall *call, unsigned arg, MpiType **type, MpiStep *step)
{
    *type = mpi_lookup(call->rank, MPI_KIND_TYPE, call->args[arg]);
    if (!*type) {
        *step = mpi_call_error(
            call, NULL, MPI_ERR_TYPE,
            "%s is not a datatype (argument %u); give a predefined type or one that has been made and "
            "not yet freed",
            call->args[arg] == MPI_HANDLE(MPI_KIND_TYPE, 0) ? "MPI_DATATYPE_NULL" : "this value", arg + 1);
    }
    return *type != NULL;
}

static bool check_not_negative(MpiCall *call, unsigned arg, const char *what, MpiStep *step)
{
    if (mpi_int(call, arg) >= 0) {
        return true;
    }
    *step =
        mpi_call_error(call, NULL, MPI_ERR_COUNT, "%s %d is negative (argument %u)", what, mpi_int(call, arg), arg + 1);
    return false;
}

/* The result of a constructor, or NULL if the type became too large, as the program's new handle. */
static MpiStep give_type(MpiCall *call, unsigned arg, MpiType *type)
{
    MpiWord *handle;
    MpiStep step;
    if (!type) {
        return mpi_call_error(call, NULL, MPI_ERR_NO_MEM,
                              "the new datatype would have more than %" G_GUINT64_FORMAT
                              " separate blocks, 2^62 bytes, or bytes 2^61 away; "
                              "build it from vectors, which count as one block",
                              MPI_TYPE_MAX_BLOCKS);
    }
    if (!mpi_check_output(call, NULL, arg, sizeof *handle, (void **)&handle, &step)) {
        mpi_type_unref(type);
        return step;
    }
    type->made_pc = mpi_program_pc(call->process);
    *handle = type->handle = mpi_register(call->rank, MPI_KIND_TYPE, type);
    return done(call);
}

/* -- constructors -------------------------------------------------------------------------------- */

MpiStep mpi_do_Type_contiguous(MpiCall *call)
{
    enum { COUNT, OLD, NEW };
    MpiType *old;
    int count;
    MpiStep step;
    if (!mpi_check_count(call, NULL, COUNT, &count, &step) || !check_any_type(call, OLD, &old, &step)) {
        return step;
    }
    return give_type(call, NEW, mpi_type_make_vector(1, (uint64_t)count, 0, old));
}

/* `n` extents in bytes; what no type reaches is as far as numbers go, which the constructors refuse. */
static int64_t extents(int n, const MpiType *type)
{
    int64_t bytes;
    return __builtin_mul_overflow((int64_t)n, type->extent, &bytes) ? INT64_MAX : bytes;
}

static MpiStep make_vector(MpiCall *call, bool stride_in_bytes)
{
    enum { COUNT, LENGTH, STRIDE, OLD, NEW };
    MpiType *old;
    int count;
    MpiStep step;
    if (!mpi_check_count(call, NULL, COUNT, &count, &step) ||
        !check_not_negative(call, LENGTH, "block length", &step) || !check_any_type(call, OLD, &old, &step)) {
        return step;
    }
    int64_t stride = stride_in_bytes ? (int64_t)call->args[STRIDE] : extents(mpi_int(call, STRIDE), old);
    return give_type(call, NEW, mpi_type_make_vector((uint64_t)count, (uint64_t)mpi_int(call, LENGTH), stride, old));
}

MpiStep mpi_do_Type_vector(MpiCall *call)
{
    return make_vector(call, false);
}

MpiStep mpi_do_Type_hvector(MpiCall *call)
{
    return make_vector(call, true);
}

MpiStep mpi_do_Type_create_hvector(MpiCall *call)
{
    return make_vector(call, true);
}

static bool check_length(MpiCall *call, unsigned arg, int index, int length, MpiStep *step)
{
    if (length < 0) {
        *step = mpi_call_error(call, NULL, MPI_ERR_COUNT, "block length %d at index %d is negative (argument %u)",
                               length, index, arg + 1);
    }
    return length >= 0;
}

/* What indexed, hindexed and indexed_block have in common: how lengths and displacements are given. */
typedef enum ListForm { LIST_ITEMS, LIST_BYTES, LIST_EQUAL_BLOCKS } ListForm;

static bool read_list(MpiCall *call, ListForm form, int count, const MpiType *old, MpiTypePart *parts, MpiStep *step)
{
    enum { COUNT, LENGTHS, DISPLACEMENTS };
    const void *lengths = NULL, *displacements;
    uint64_t width = form == LIST_BYTES ? sizeof(int64_t) : sizeof(int32_t);
    if ((form != LIST_EQUAL_BLOCKS &&
         !mpi_check_input(call, NULL, LENGTHS, (uint64_t)count * sizeof(int32_t), &lengths, step)) ||
        !mpi_check_input(call, NULL, DISPLACEMENTS, (uint64_t)count * width, &displacements, step)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        int length = lengths ? ((const MpiInt32 *)lengths)[i] : mpi_int(call, LENGTHS);
        int64_t displacement = form == LIST_BYTES ? ((const MpiInt64 *)displacements)[i]
                                                  : extents(((const MpiInt32 *)displacements)[i], old);
        if (!check_length(call, LENGTHS, i, length, step)) {
            return false;
        }
        parts[i] = (MpiTypePart){displacement, (uint64_t)length, old};
    }
    return true;
}

static MpiStep make_list(MpiCall *call, ListForm form)
{
    enum { COUNT, LENGTHS, DISPLACEMENTS, OLD, NEW };
    MpiType *old;
    int count;
    MpiStep step;
    if (!mpi_check_count(call, NULL, COUNT, &count, &step) || !check_any_type(call, OLD, &old, &step)) {
        return step;
    }
    g_autofree MpiTypePart *parts = g_new(MpiTypePart, count);
    if (!read_list(call, form, count, old, parts, &step)) {
        return step;
    }
    return give_type(call, NEW, mpi_type_make_list(parts, (size_t)count, false));
}

MpiStep mpi_do_Type_indexed(MpiCall *call)
{
    return make_list(call, LIST_ITEMS);
}

MpiStep mpi_do_Type_hindexed(MpiCall *call)
{
    return make_list(call, LIST_BYTES);
}

MpiStep mpi_do_Type_create_hindexed(MpiCall *call)
{
    return make_list(call, LIST_BYTES);
}

MpiStep mpi_do_Type_create_indexed_block(MpiCall *call)
{
    return make_list(call, LIST_EQUAL_BLOCKS);
}

MpiStep mpi_do_Type_create_struct(MpiCall *call)
{
    enum { COUNT, LENGTHS, DISPLACEMENTS, TYPES, NEW };
    const void *lengths, *displacements, *types;
    int count;
    MpiStep step;
    if (!mpi_check_count(call, NULL, COUNT, &count, &step) ||
        !mpi_check_input(call, NULL, LENGTHS, (uint64_t)count * sizeof(int32_t), &lengths, &step) ||
        !mpi_check_input(call, NULL, DISPLACEMENTS, (uint64_t)count * sizeof(int64_t), &displacements, &step) ||
        !mpi_check_input(call, NULL, TYPES, (uint64_t)count * sizeof(uint64_t), &types, &step)) {
        return step;
    }
    g_autofree MpiTypePart *parts = g_new(MpiTypePart, count);
    for (int i = 0; i < count; i++) {
        MpiType *type = mpi_lookup(call->rank, MPI_KIND_TYPE, ((const MpiWord *)types)[i]);
        int length = ((const MpiInt32 *)lengths)[i];
        if (!check_length(call, LENGTHS, i, length, &step)) {
            return step;
        }
        if (!type) {
            return mpi_call_error(call, NULL, MPI_ERR_TYPE, "the type at index %d is not a datatype (argument %u)", i,
                                  TYPES + 1);
        }
        parts[i] = (MpiTypePart){((const MpiInt64 *)displacements)[i], (uint64_t)length, type};
    }
    return give_type(call, NEW, mpi_type_make_list(parts, (size_t)count, true));
}

MpiStep mpi_do_Type_struct(MpiCall *call)
{
    return mpi_do_Type_create_struct(call);
}

MpiStep mpi_do_Type_create_resized(MpiCall *call)
{
    enum { OLD, LB, EXTENT, NEW };
    MpiType *old;
    MpiStep step;
    if (!check_any_type(call, OLD, &old, &step)) {
        return step;
    }
    return give_type(call, NEW, mpi_type_make_resized(old, (int64_t)call->args[LB], (int64_t)call->args[EXTENT]));
}

static bool check_subarray(MpiCall *call, int n, const int *sizes, const int *subsizes, const int *starts,
                           MpiStep *step)
{
    for (int i = 0; i < n; i++) {
        if (sizes[i] < 1 || subsizes[i] < 1 || starts[i] < 0 || starts[i] > (int64_t)sizes[i] - subsizes[i]) {
            *step = mpi_call_error(call, NULL, MPI_ERR_ARG,
                                   "dimension %d: a block of %d from index %d on does not lie inside an array of %d "
                                   "(arguments 2 to 4)",
                                   i, subsizes[i], starts[i], sizes[i]);
            return false;
        }
    }
    return true;
}

static int *copy_dimensions(const void *from, int n, bool reverse)
{
    int *to = g_new(int, n);
    for (int i = 0; i < n; i++) {
        to[reverse ? n - 1 - i : i] = ((const MpiInt32 *)from)[i];
    }
    return to;
}

MpiStep mpi_do_Type_create_subarray(MpiCall *call)
{
    enum { DIMENSIONS, SIZES, SUBSIZES, STARTS, ORDER, OLD, NEW };
    const void *arrays[STARTS + 1];
    int n = mpi_int(call, DIMENSIONS), order = mpi_int(call, ORDER);
    MpiType *old;
    MpiStep step;
    if (n < 1 || (order != MPI_ORDER_C_ && order != MPI_ORDER_FORTRAN_)) {
        return n < 1
                   ? mpi_call_error(call, NULL, MPI_ERR_ARG, "%d dimensions (argument 1); an array has at least one", n)
                   : mpi_call_error(call, NULL, MPI_ERR_ARG,
                                    "order %d (argument 5) is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN", order);
    }
    for (unsigned i = SIZES; i <= STARTS; i++) {
        if (!mpi_check_input(call, NULL, i, (uint64_t)n * sizeof(int32_t), &arrays[i], &step)) {
            return step;
        }
    }
    g_autofree int *sizes = copy_dimensions(arrays[SIZES], n, order == MPI_ORDER_FORTRAN_);
    g_autofree int *subsizes = copy_dimensions(arrays[SUBSIZES], n, order == MPI_ORDER_FORTRAN_);
    g_autofree int *starts = copy_dimensions(arrays[STARTS], n, order == MPI_ORDER_FORTRAN_);
    if (!check_subarray(call, n, sizes, subsizes, starts, &step) || !check_any_type(call, OLD, &old, &step)) {
        return step;
    }
    return give_type(call, NEW, mpi_type_make_subarray((unsigned)n, sizes, subsizes, starts, old));
}

/* A duplicate is committed if its original is (MPI-3.1 section 4.1.10). */
MpiStep mpi_do_Type_dup(MpiCall *call)
{
    MpiType *old;
    MpiStep step;
    if (!check_any_type(call, 0, &old, &step)) {
        return step;
    }
    MpiType *type = mpi_type_make_copy(old);
    if (old->committed) {
        mpi_type_commit(type);
    }
    return give_type(call, 1, type);
}

/* -- life ----------------------------------------------------------------------------------------------- */

/* Argument 1 points at a handle. */
static bool check_handle_pointer(MpiCall *call, MpiWord **handle, MpiType **type, MpiStep *step)
{
    if (!mpi_check_output(call, NULL, 0, sizeof **handle, (void **)handle, step)) {
        return false;
    }
    *type = mpi_lookup(call->rank, MPI_KIND_TYPE, **handle);
    if (!*type) {
        *step = mpi_call_error(call, NULL, MPI_ERR_TYPE,
                               "argument 1 points to %s; it must point to a datatype that has not been freed",
                               **handle == MPI_HANDLE(MPI_KIND_TYPE, 0) ? "MPI_DATATYPE_NULL" : "no datatype handle");
    }
    return *type != NULL;
}

MpiStep mpi_do_Type_commit(MpiCall *call)
{
    MpiWord *handle;
    MpiType *type;
    MpiStep step;
    if (!check_handle_pointer(call, &handle, &type, &step)) {
        return step;
    }
    if (!type->predefined) {
        mpi_type_commit(type);
    }
    return done(call);
}

MpiStep mpi_do_Type_free(MpiCall *call)
{
    MpiWord *handle;
    MpiType *type;
    MpiStep step;
    if (!check_handle_pointer(call, &handle, &type, &step)) {
        return step;
    }
    if (type->predefined) {
        return mpi_call_error(call, NULL, MPI_ERR_TYPE, "%s is predefined and cannot be freed (argument 1)",
                              type->name);
    }
    mpi_unregister(call->rank, *handle);
    mpi_type_unref(type);
    *handle = MPI_HANDLE(MPI_KIND_TYPE, 0);
    return done(call);
}

/* -- questions --------------------------------------------------------------------------------------------- */

MpiStep mpi_do_Type_size(MpiCall *call)
{
    MpiType *type;
    MpiInt32 *size;
    MpiStep step;
    if (!check_any_type(call, 0, &type, &step) ||
        !mpi_check_output(call, NULL, 1, sizeof *size, (void **)&size, &step)) {
        return step;
    }
    *size = type->size <= INT32_MAX ? (int32_t)type->size : MPI_UNDEFINED_;
    return done(call);
}

/* The functions that answer with addresses: up to two of them, from argument 2 on. */
static MpiStep answer_aints(MpiCall *call, unsigned n, int64_t (*answer)(const MpiType *type, unsigned i))
{
    MpiType *type;
    MpiInt64 *values[2];
    MpiStep step;
    if (!check_any_type(call, 0, &type, &step)) {
        return step;
    }
    for (unsigned i = 0; i < n; i++) {
        if (!mpi_check_output(call, NULL, 1 + i, sizeof *values[i], (void **)&values[i], &step)) {
            return step;
        }
    }
    for (unsigned i = 0; i < n; i++) {
        *values[i] = answer(type, i);
    }
    return done(call);
}

static int64_t answer_extent(const MpiType *type, unsigned i)
{
    (void)i;
    return type->extent;
}

static int64_t answer_upper_bound(const MpiType *type, unsigned i)
{
    (void)i;
    return type->lb + type->extent;
}

static int64_t answer_bounds(const MpiType *type, unsigned i)
{
    return i == 0 ? type->lb : type->extent;
}

static int64_t answer_true_bounds(const MpiType *type, unsigned i)
{
    return i == 0 ? type->true_lb : type->true_extent;
}

MpiStep mpi_do_Type_extent(MpiCall *call)
{
    return answer_aints(call, 1, answer_extent);
}

MpiStep mpi_do_Type_lb(MpiCall *call)
{
    return answer_aints(call, 1, answer_bounds);
}

MpiStep mpi_do_Type_ub(MpiCall *call)
{
    return answer_aints(call, 1, answer_upper_bound);
}

MpiStep mpi_do_Type_get_extent(MpiCall *call)
{
    return answer_aints(call, 2, answer_bounds);
}

MpiStep mpi_do_Type_get_true_extent(MpiCall *call)
{
    return answer_aints(call, 2, answer_true_bounds);
}

MpiStep mpi_do_Type_get_name(MpiCall *call)
{
    MpiType *type;
    char *name;
    MpiInt32 *length;
    MpiStep step;
    if (!check_any_type(call, 0, &type, &step)) {
        return step;
    }
    const char *text = type->name ? type->name : "";
    size_t n = strlen(text);
    g_assert(n < MPI_MAX_OBJECT_NAME_);
    if (!mpi_check_output(call, NULL, 1, n + 1, (void **)&name, &step) ||
        !mpi_check_output(call, NULL, 2, sizeof *length, (void **)&length, &step)) {
        return step;
    }
    memcpy(name, text, n + 1);
    *length = (int32_t)n;
    return done(call);
}

/* Longer names are cut, as Fortran's would be (MPI-3.1 section 6.8). */
MpiStep mpi_do_Type_set_name(MpiCall *call)
{
    MpiType *type;
    MpiStep step;
    if (!check_any_type(call, 0, &type, &step)) {
        return step;
    }
    const char *name = vm_rank_string(call->process, call->args[1]);
    if (!name) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "the name is not a string in memory (argument 2)");
    }
    if (type->predefined) {
        return mpi_call_error(call, NULL, MPI_ERR_TYPE, "%s is predefined and keeps its name (argument 1)", type->name);
    }
    g_free(type->name);
    type->name = g_strndup(name, MPI_MAX_OBJECT_NAME_ - 1);
    return done(call);
}

MpiStep mpi_do_Get_address(MpiCall *call)
{
    MpiInt64 *address;
    MpiStep step;
    if (!mpi_check_output(call, NULL, 1, sizeof *address, (void **)&address, &step)) {
        return step;
    }
    *address = (int64_t)call->args[0];
    return done(call);
}

MpiStep mpi_do_Address(MpiCall *call)
{
    return mpi_do_Get_address(call);
}
