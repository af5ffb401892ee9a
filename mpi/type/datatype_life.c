/* datatype_life.c - MPI functions on datatypes that exist: dup, commit, free, sizes and bounds, names, addresses
 * (MPI-3.1 sections 4.1.5 to 4.1.11, 6.8).
 *
 * Freeing a handle drops one reference; pending communication and the rank's handle table hold their own. Attributes
 * are asked at once, which takes simulated code, so dup and free leave the VM where there are any.
 */
#include "mpi/type/envelope.h"

#include <string.h>

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

/* -- life -------------------------------------------------------------------------------------- */

/* Argument 1 points at a handle. */
static bool check_handle_pointer(MpiCall *call, MpiWord **handle, MpiType **type, MpiStep *step)
{
    if (!mpi_check_output(call, NULL, 0, sizeof **handle, (void **)handle, step)) {
        return false;
    }
    *type = mpi_lookup(call->rank, MPI_KIND_TYPE, **handle);
    if (!*type) {
        *step = mpi_call_bad_handle(call, NULL, MPI_KIND_TYPE, **handle, "argument 1 points to it");
    }
    return *type;
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

/* The program holds on to it as to a predefined type. */
static bool check_freeable(MpiCall *call, const MpiType *type, MpiStep *step)
{
    if (!type->predefined && !mpi_type_is_f90(type)) {
        return true;
    }
    *step = mpi_call_error(call, NULL, MPI_ERR_TYPE, "%s is predefined and cannot be freed (argument 1)",
                           mpi_type_describe(type));
    return false;
}

static MpiStep free_finish(MpiCall *call)
{
    MpiWord *handle;
    MpiType *type;
    MpiStep step;
    if (call->callback_error != MPI_SUCCESS) {
        return mpi_call_error(call, NULL, call->callback_error,
                              "an attribute's delete function returned error %d, so the datatype stays",
                              call->callback_error);
    }
    if (!check_handle_pointer(call, &handle, &type, &step) || !check_freeable(call, type, &step)) {
        return step; /* a callback may have changed the variable */
    }
    mpi_unregister(call->rank, *handle);
    mpi_type_unref(type);
    *handle = MPI_HANDLE(MPI_KIND_TYPE, 0);
    return done(call);
}

static void unref_state(void *state)
{
    mpi_type_unref(state);
}

MpiStep mpi_do_Type_free(MpiCall *call)
{
    MpiWord *handle;
    MpiType *type;
    MpiStep step;
    if (!check_handle_pointer(call, &handle, &type, &step) || !check_freeable(call, type, &step)) {
        return step;
    }
    if (!mpi_type_has_attributes(call->rank, type)) {
        call->callback_error = MPI_SUCCESS;
        return free_finish(call);
    }
    if (call->local) {
        return MPI_STEP_GLOBAL;
    }
    call->state = mpi_type_ref(type);
    call->state_free = unref_state;
    return mpi_type_attributes_delete(call, type, free_finish);
}

/* -- dup (MPI-3.1 section 4.1.10) -------------------------------------------------------------- */

/* call->state is the new type, whose envelope names the old one. */
static MpiStep dup_finish(MpiCall *call)
{
    MpiType *type = call->state;
    MpiEnvelope *envelope = g_steal_pointer(&type->envelope);
    call->state = NULL;
    call->state_free = NULL;
    if (call->callback_error == MPI_SUCCESS) {
        return mpi_type_give(call, 1, type, envelope);
    }
    mpi_envelope_unref(envelope);
    mpi_type_unref(type);
    MpiWord *handle;
    MpiStep step;
    if (!mpi_check_output(call, NULL, 1, sizeof *handle, (void **)&handle, &step)) {
        return step;
    }
    *handle = MPI_HANDLE(MPI_KIND_TYPE, 0);
    return mpi_call_error(call, NULL, call->callback_error,
                          "an attribute's copy function returned error %d, so there is no new datatype",
                          call->callback_error);
}

/* A duplicate is committed if its original is. */
MpiStep mpi_do_Type_dup(MpiCall *call)
{
    MpiType *old;
    MpiStep step;
    if (!mpi_check_any_type(call, 0, &old, &step)) {
        return step;
    }
    bool attributes = mpi_type_has_attributes(call->rank, old);
    if (attributes && call->local) {
        return MPI_STEP_GLOBAL;
    }
    MpiType *type = mpi_type_make_copy(old);
    type->envelope = mpi_envelope_new(MPI_COMBINER_DUP_, false);
    mpi_envelope_type(type->envelope, old);
    if (old->committed) {
        mpi_type_commit(type);
    }
    call->state = type;
    call->state_free = unref_state;
    call->callback_error = MPI_SUCCESS;
    return attributes ? mpi_type_attributes_copy(call, old, type, dup_finish) : dup_finish(call);
}

/* -- questions --------------------------------------------------------------------------------- */

MpiStep mpi_do_Type_size(MpiCall *call)
{
    MpiType *type;
    MpiInt32 *size;
    MpiStep step;
    if (!mpi_check_any_type(call, 0, &type, &step) ||
        !mpi_check_output(call, NULL, 1, sizeof *size, (void **)&size, &step)) {
        return step;
    }
    *size = type->size <= INT32_MAX ? (int32_t)type->size : MPI_UNDEFINED_;
    return done(call);
}

/* The functions that answer with MPI_Aint or MPI_Count: up to two of them, from argument 2 on. */
static MpiStep answer_aints(MpiCall *call, unsigned n, int64_t (*answer)(const MpiType *type, unsigned i))
{
    MpiType *type;
    MpiInt64 *values[2];
    MpiStep step;
    if (!mpi_check_any_type(call, 0, &type, &step)) {
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

static int64_t answer_size(const MpiType *type, unsigned i)
{
    (void)i;
    return (int64_t)type->size;
}

MpiStep mpi_do_Type_size_x(MpiCall *call)
{
    return answer_aints(call, 1, answer_size);
}

MpiStep mpi_do_Type_size_c(MpiCall *call)
{
    return answer_aints(call, 1, answer_size);
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

MpiStep mpi_do_Type_get_extent_x(MpiCall *call)
{
    return answer_aints(call, 2, answer_bounds);
}

MpiStep mpi_do_Type_get_extent_c(MpiCall *call)
{
    return answer_aints(call, 2, answer_bounds);
}

MpiStep mpi_do_Type_get_true_extent(MpiCall *call)
{
    return answer_aints(call, 2, answer_true_bounds);
}

MpiStep mpi_do_Type_get_true_extent_x(MpiCall *call)
{
    return answer_aints(call, 2, answer_true_bounds);
}

MpiStep mpi_do_Type_get_true_extent_c(MpiCall *call)
{
    return answer_aints(call, 2, answer_true_bounds);
}

MpiStep mpi_do_Type_get_name(MpiCall *call)
{
    MpiType *type;
    char *name;
    MpiInt32 *length;
    MpiStep step;
    if (!mpi_check_any_type(call, 0, &type, &step)) {
        return step;
    }
    const char *given = mpi_type_name(call->rank, type), *text = given ? given : "";
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
    if (!mpi_check_any_type(call, 0, &type, &step)) {
        return step;
    }
    const char *name = vm_rank_string(call->process, call->args[1]);
    if (!name) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "the name is not a string in memory (argument 2)");
    }
    mpi_type_rename(call->rank, type, name);
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

/* Addresses are numbers here, so this is arithmetic that wraps (MPI-3.1 section 4.1.5). */
MpiStep mpi_do_Aint_add(MpiCall *call)
{
    call->result = call->args[0] + call->args[1];
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Aint_diff(MpiCall *call)
{
    call->result = call->args[0] - call->args[1];
    return MPI_STEP_DONE;
}
