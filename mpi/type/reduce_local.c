/* reduce_local.c - MPI_Reduce_local, one step of a reduction in the caller's own memory (MPI-3.1 section 5.9.7). It is
 * LOCAL unless the operator is a function of the user. */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/type/type.h"

#include <string.h>

enum { IN, INOUT, COUNT, TYPE, OP };

/* Computes inout = in op inout in packed form, since the elements may have gaps. */
static bool combine(MpiCall *call, const MpiOp *op, const MpiType *type, uint64_t count)
{
    uint64_t bytes = count * type->size;
    g_autofree uint8_t *in = g_malloc(2 * bytes + 1);
    uint8_t *inout = in + bytes;
    if (!mpi_type_pack(type, count, call->process, call->args[IN], in) ||
        !mpi_type_pack(type, count, call->process, call->args[INOUT], inout))
        return false;
    mpi_op_apply(op, type, count, in, inout);
    return mpi_type_unpack(type, count, call->process, call->args[INOUT], inout, bytes);
}

static void free_words(void *state)
{
    (void)state;
}

static MpiStep upcall_done(MpiCall *call)
{
    vm_library_free(call->process, call->room[0]);
    return MPI_STEP_DONE;
}

/* Calls the operator's function, which gets the number of items and the datatype by address. */
static MpiStep upcall(MpiCall *call, const MpiOp *op, const MpiType *type, uint64_t count)
{
    uint64_t words = vm_library_malloc(call->process, 2 * sizeof(uint64_t));
    if (!words)
        return mpi_call_error(call, NULL, MPI_ERR_NO_MEM, "no memory for the arguments of the operator's function");
    mpi_op_store_items(call, words, op, count);
    mpi_store_handle(call, words + 8, type->handle);
    call->room[0] = words;
    call->state = call->room;
    call->state_free = free_words;
    uint64_t arguments[4] = {call->args[IN], call->args[INOUT], words, words + 8};
    return mpi_call_upcall(call, op->function, arguments, 4, upcall_done);
}

/* Whether both buffers are buffers, and do not overlap (types with gaps are not looked at). */
static bool check_buffers(MpiCall *call, const MpiType *type, uint64_t count, MpiStep *step)
{
    uint64_t in = call->args[IN], inout = call->args[INOUT], bytes = count * type->size;
    for (unsigned arg = IN; arg <= INOUT; arg++) {
        if (call->args[arg] == MPI_IN_PLACE_) {
            *step = mpi_call_error(call, NULL, MPI_ERR_BUFFER, "argument %u is MPI_IN_PLACE; name a buffer", arg + 1);
            return false;
        }
    }
    if (!type->contiguous || in + bytes <= inout || inout + bytes <= in)
        return true;
    *step = mpi_call_error(call, NULL, MPI_ERR_BUFFER,
                           "the two buffers (at 0x%" G_GINT64_MODIFIER "x and 0x%" G_GINT64_MODIFIER
                           "x) overlap; use two buffers",
                           in, inout);
    return false;
}

MpiStep mpi_do_Reduce_local(MpiCall *call)
{
    int64_t count;
    MpiType *type;
    MpiOp *op;
    MpiStep step;
    if (!mpi_check_any_count(call, NULL, COUNT, &count, &step) ||
        !mpi_check_type_of(call, NULL, TYPE, !count, &type, &step) ||
        !mpi_check_op(call, NULL, OP, count ? type : NULL, &op, &step) ||
        (count && !check_buffers(call, type, (uint64_t)count, &step)) ||
        !mpi_check_memory(call, NULL, IN, call->args[IN], type, (uint64_t)count, false, &step) ||
        !mpi_check_memory(call, NULL, INOUT, call->args[INOUT], type, (uint64_t)count, true, &step))
        return step;
    if (!count)
        return MPI_STEP_DONE;
    if (op->function)
        return call->local ? MPI_STEP_GLOBAL : upcall(call, op, type, (uint64_t)count);
    mpi_call_charge(call, mpi_call_bytes_ps((uint64_t)count * type->size, call->world->params.copy_byte_fs));
    if (combine(call, op, type, (uint64_t)count))
        return MPI_STEP_DONE;
    return mpi_call_error(call, NULL, MPI_ERR_BUFFER, "the buffers are not in the program's memory");
}
