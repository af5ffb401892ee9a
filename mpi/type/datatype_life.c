/* datatype_life.c - MPI functions on existing datatypes: commit, sizes and bounds, addresses (MPI-3.1 sections 4.1.5
 * to 4.1.11). The functions for attributes and names are in attribute/typed_attributes.c. */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/type/envelope.h"
#include "mpi/type/type.h"
#include "mpi/type/type_map.h"

#include <string.h>

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

/* -- life -------------------------------------------------------------------------------------- */

MpiStep mpi_do_Type_commit(MpiCall *call)
{
    MpiWord *handle;
    MpiType *type;
    MpiStep step;
    if (!mpi_check_type_variable(call, &handle, &type, &step)) {
        return step;
    }
    if (!type->predefined) {
        mpi_type_commit(type);
    }
    return done(call);
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

/* Implements functions whose results are MPI_Aint or MPI_Count: `n` of them (1 or 2), from argument 2 on. */
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

MPI_HANDLER(Type_size_x, answer_aints(call, 1, answer_size))
MPI_HANDLER(Type_size_c, answer_aints(call, 1, answer_size))
MPI_HANDLER(Type_extent, answer_aints(call, 1, answer_extent))
MPI_HANDLER(Type_lb, answer_aints(call, 1, answer_bounds))
MPI_HANDLER(Type_ub, answer_aints(call, 1, answer_upper_bound))
MPI_HANDLER(Type_get_extent, answer_aints(call, 2, answer_bounds))
MPI_HANDLER(Type_get_extent_x, answer_aints(call, 2, answer_bounds))
MPI_HANDLER(Type_get_extent_c, answer_aints(call, 2, answer_bounds))
MPI_HANDLER(Type_get_true_extent, answer_aints(call, 2, answer_true_bounds))
MPI_HANDLER(Type_get_true_extent_x, answer_aints(call, 2, answer_true_bounds))
MPI_HANDLER(Type_get_true_extent_c, answer_aints(call, 2, answer_true_bounds))

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

/* -- copies ------------------------------------------------------------------------------------ */

MpiType *mpi_type_duplicate(MpiType *type)
{
    MpiType *copy = mpi_type_make_copy(type);
    copy->envelope = mpi_envelope_new(MPI_COMBINER_DUP_, false);
    mpi_envelope_type(copy->envelope, type);
    if (type->committed) {
        mpi_type_commit(copy);
    }
    return copy;
}

MpiStep mpi_type_give_duplicate(MpiCall *call, unsigned arg, MpiType *type)
{
    MpiEnvelope *envelope = g_steal_pointer(&type->envelope);
    return mpi_type_give(call, arg, type, envelope);
}
