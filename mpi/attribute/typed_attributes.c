/* typed_attributes.c - functions on datatypes with attributes and names: MPI_Type_dup, MPI_Type_free and the names
 * (MPI-3.1 sections 4.1.9, 4.1.10 and 6.8).
 *
 * Freeing a handle drops one reference; pending communication and the rank's handle table hold their own. The callbacks
 * of attributes run at once, in simulated code, so dup and free leave the VM if the type has attributes.
 */
#include "mpi/attribute/attribute.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/type/type.h"

#include <string.h>

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

/* -- free -------------------------------------------------------------------------------------- */

/* Checks that the type is not predefined or treated as such. */
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
    if (call->attribute.error != MPI_SUCCESS) {
        return mpi_call_error(call, NULL, call->attribute.error,
                              "an attribute's delete function returned error %d, so the datatype stays",
                              call->attribute.error);
    }
    if (!mpi_check_type_variable(call, &handle, &type, &step) || !check_freeable(call, type, &step)) {
        return step; /* a callback may have changed the variable */
    }
    mpi_handle_unregister(call->rank, *handle);
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
    if (!mpi_check_type_variable(call, &handle, &type, &step) || !check_freeable(call, type, &step)) {
        return step;
    }
    if (!mpi_type_has_attributes(call->rank, type)) {
        call->attribute.error = MPI_SUCCESS;
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

/* call->state is the new type. Its envelope has the old one. */
static MpiStep dup_finish(MpiCall *call)
{
    MpiType *type = call->state;
    call->state = NULL;
    call->state_free = NULL;
    if (call->attribute.error == MPI_SUCCESS) {
        return mpi_type_give_duplicate(call, 1, type);
    }
    mpi_type_unref(type);
    MpiWord *handle;
    MpiStep step;
    if (!mpi_check_output(call, NULL, 1, sizeof *handle, (void **)&handle, &step)) {
        return step;
    }
    *handle = MPI_HANDLE(MPI_KIND_TYPE, 0);
    return mpi_call_error(call, NULL, call->attribute.error,
                          "an attribute's copy function returned error %d, so there is no new datatype",
                          call->attribute.error);
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
    MpiType *type = mpi_type_duplicate(old);
    call->state = type;
    call->state_free = unref_state;
    call->attribute.error = MPI_SUCCESS;
    return attributes ? mpi_type_attributes_copy(call, old, type, dup_finish) : dup_finish(call);
}

/* -- names ------------------------------------------------------------------------------------- */

MpiStep mpi_do_Type_get_name(MpiCall *call)
{
    MpiType *type;
    MpiStep step;
    return mpi_check_any_type(call, 0, &type, &step)
               ? mpi_argument_give_name(call, mpi_attribute_type_name(call->rank, type))
               : step;
}

/* Names that are too long are cut, as Fortran's would be (MPI-3.1 section 6.8). */
MpiStep mpi_do_Type_set_name(MpiCall *call)
{
    MpiType *type;
    MpiStep step;
    if (!mpi_check_any_type(call, 0, &type, &step)) {
        return step;
    }
    char *name = mpi_argument_take_name(call, NULL, &step);
    if (!name) {
        return step;
    }
    mpi_attribute_type_rename(call->rank, type, name);
    return done(call);
}
