/* argument_checks.c - checks arguments that are datatypes, operators, or buffers whose memory must exist. Further
 * checks that --check turns on are in check/. */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/handles.h"
#include "mpi/core/hooks.h"
#include "mpi/type/plain_buffer.h"
#include "mpi/type/type.h"

#include <string.h>

bool mpi_check_type(MpiCall *call, MpiComm *comm, unsigned arg, MpiType **type, MpiStep *step)
{
    *type = mpi_handle_lookup(call->rank, MPI_KIND_TYPE, call->args[arg]);
    if (!*type) {
        *step = mpi_argument_bad_handle_of(call, comm, MPI_KIND_TYPE, arg);
        return false;
    }
    if (!(*type)->committed) {
        *step = mpi_call_error(call, comm, MPI_ERR_TYPE,
                               "%s has not been committed (argument %u); call MPI_Type_commit before using it",
                               mpi_type_describe(*type), arg + 1);
        return false;
    }
    return true;
}

bool mpi_check_type_of(MpiCall *call, MpiComm *comm, unsigned arg, bool none, MpiType **type, MpiStep *step)
{
    if (!none || call->args[arg] != MPI_HANDLE(MPI_KIND_TYPE, 0))
        return mpi_check_type(call, comm, arg, type, step);
    *type = mpi_type_predefined(MPI_PRIM_BYTE);
    mpi_finding_portability(call, "has MPI_DATATYPE_NULL for the type of 0 items",
                            "name any datatype: the standard wants one also where there is nothing to move");
    return true;
}

bool mpi_check_any_type(MpiCall *call, unsigned arg, MpiType **type, MpiStep *step)
{
    *type = mpi_handle_lookup(call->rank, MPI_KIND_TYPE, call->args[arg]);
    if (!*type) {
        *step = mpi_argument_bad_handle_of(call, NULL, MPI_KIND_TYPE, arg);
    }
    return *type;
}

bool mpi_check_op(MpiCall *call, MpiComm *comm, unsigned arg, const MpiType *type, MpiOp **op, MpiStep *step)
{
    *op = mpi_handle_lookup(call->rank, MPI_KIND_OP, call->args[arg]);
    if (*op && (!type || mpi_op_allows(*op, type))) {
        if (type && mpi_op_extends(*op, type))
            mpi_finding_portability(call, "has a logical operator on MPI_AINT, MPI_OFFSET or MPI_COUNT",
                                    "combine integers of another type: the standard has no logical operators on these");
        return true;
    }
    if (*op)
        *step = mpi_call_error(call, comm, MPI_ERR_OP, "%s is not defined on %s",
                               (*op)->name ? (*op)->name : "the operator", mpi_type_describe(type));
    else
        *step = mpi_argument_bad_handle_of(call, comm, MPI_KIND_OP, arg);
    return false;
}

/* -- memory ------------------------------------------------------------------------------------ */

static bool accessible(VmRank *process, uint64_t address, uint64_t bytes, bool writable)
{
    return writable ? vm_rank_can_write(process, address, bytes) : vm_rank_can_read(process, address, bytes);
}

/* A type with gaps may span memory that does not exist, as with MPI_BOTTOM and absolute addresses. Then only the data
 * must exist. Whether it can be written shows when it is written. */
static bool data_accessible(VmRank *process, uint64_t address, const MpiType *type, uint64_t count)
{
    g_autofree void *scratch = g_try_malloc(type->size);
    bool there = scratch;
    for (uint64_t i = 0; i < count && there; i++)
        there = mpi_type_pack(type, 1, process, address + i * (uint64_t)type->extent, scratch);
    return there;
}

/* No process has that much memory. Below this limit no product of count and size overflows. */
#define MOST_MEMORY (UINT64_C(1) << 46)

static bool beyond_memory(const MpiType *type, uint64_t count)
{
    uint64_t extent = type->extent < 0 ? -(uint64_t)type->extent : (uint64_t)type->extent;
    uint64_t largest = MAX(MAX(type->size, extent), (uint64_t)type->true_extent);
    return count && largest > MOST_MEMORY / count;
}

/* As mpi_type_span(), with a short way for the buffers of nearly all calls. */
static uint64_t memory_span(const MpiType *type, uint64_t count, int64_t *first)
{
    if (type->contiguous && count <= INT32_MAX && type->size <= INT32_MAX)
        return count * type->size;
    return beyond_memory(type, count) ? UINT64_MAX : mpi_type_span(type, count, first);
}

/* Whether the call makes a request that uses its buffer only later, such as a persistent one. */
static bool is_for_later(const MpiCall *call)
{
    static const char ends[][8] = {"_init", "_init_c"};
    size_t length = strlen(call->name), end = length - (call->large ? 7 : 5);
    return call->form == MPI_FORM_PERSISTENT || (length > 7 && strcmp(call->name + end, ends[call->large]) == 0);
}

/* Asks the features that watch the memory of the process and its requests (hooks.def). */
static bool may_use(MpiCall *call, unsigned arg, const MpiBuffer *buffer, bool writable, MpiStep *step)
{
    bool later = is_for_later(call);
    if (vm_rank_is_watched(call->process) && !mpi_ask_extent(call->world, call, arg, buffer, writable, later)) {
        *step = MPI_STEP_FAULT;
        return false;
    }
    return mpi_ask_buffer(call->world, call, arg, buffer, writable, later, step);
}

static MpiStep bad_buffer(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t address, const MpiType *type,
                          uint64_t count, bool writable)
{
    g_autoptr(GString) items = g_string_new(NULL);
    mpi_append_type_items(items, type, count, call->process);
    if (address == MPI_IN_PLACE_)
        return mpi_call_error(
            call, comm, MPI_ERR_BUFFER,
            "argument %u, the buffer, is MPI_IN_PLACE, which is not allowed for it in this call; give "
            "the address of %s",
            arg + 1, items->str);
    if (address == MPI_BOTTOM_ && type->predefined)
        return mpi_call_error(
            call, comm, MPI_ERR_BUFFER,
            "argument %u, the buffer, is a null pointer, but there are %s; has memory been allocated?", arg + 1,
            items->str);
    return mpi_call_error(call, comm, MPI_ERR_BUFFER,
                          "argument %u, the buffer: %s at address 0x%" G_GINT64_MODIFIER
                          "x are not all in the program's %smemory; is the array smaller than the count?",
                          arg + 1, items->str, address, writable ? "writable " : "");
}

bool mpi_check_memory(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t address, MpiType *type, uint64_t count,
                      bool writable, MpiStep *step)
{
    int64_t first = 0;
    uint64_t span = memory_span(type, count, &first);
    if (type->contiguous && span != UINT64_MAX && mpi_buffer_is_sound(call->rank, arg, address, span, writable))
        return true;
    bool gaps = !type->contiguous, ask = !gaps || !vm_rank_is_watched(call->process);
    bool there = !span || (span != UINT64_MAX &&
                           ((ask && accessible(call->process, address + (uint64_t)first, span, writable)) ||
                            (gaps && data_accessible(call->process, address, type, count))));
    if (G_LIKELY(there)) {
        MpiBuffer buffer = {.process = call->process, .address = address, .type = type, .count = count};
        bool watched = G_UNLIKELY(vm_rank_is_watched(call->process)) || mpi_listens_buffer(call->world);
        return !watched || may_use(call, arg, &buffer, writable, step);
    }
    *step = bad_buffer(call, comm, arg, address, type, count, writable);
    return false;
}

/* Whether the buffer begins in the program's memory and reaches beyond the end of it. */
static bool reaches_beyond(VmRank *process, uint64_t address, const MpiType *type, uint64_t count)
{
    int64_t first = 0;
    uint64_t span = memory_span(type, count, &first);
    if (!span || span == UINT64_MAX || vm_rank_is_watched(process) ||
        accessible(process, address + (uint64_t)first, span, true))
        return false;
    span = memory_span(type, 1, &first);
    return accessible(process, address + (uint64_t)first, span, true) &&
           (type->contiguous || !data_accessible(process, address, type, count));
}

bool mpi_check_receive(MpiCall *call, MpiComm *comm, unsigned arg, MpiBuffer *buffer, MpiStep *step)
{
    int64_t count;
    if (G_LIKELY(mpi_buffer_is_plain(call, arg, true, buffer)))
        return true;
    *buffer = (MpiBuffer){.process = call->process, .address = call->args[arg]};
    if (!mpi_check_any_count(call, comm, arg + 1, &count, step) ||
        !mpi_check_type_of(call, comm, arg + 2, !count, &buffer->type, step))
        return false;
    buffer->count = (uint64_t)count;
    bool fits = !vm_rank_is_watched(call->process) || mpi_ask_room(call->world, call, arg, buffer);
    if (fits && !reaches_beyond(call->process, buffer->address, buffer->type, buffer->count))
        return mpi_check_memory(call, comm, arg, buffer->address, buffer->type, buffer->count, true, step);
    mpi_finding_portability(call, "has room for more than there is memory behind its buffer",
                            "give as the count how many items the array has room for");
    return true;
}

bool mpi_check_buffer(MpiCall *call, MpiComm *comm, unsigned arg, bool writable, MpiBuffer *buffer, MpiStep *step)
{
    int64_t count;
    if (G_LIKELY(mpi_buffer_is_plain(call, arg, writable, buffer)))
        return true;
    *buffer = (MpiBuffer){.process = call->process, .address = call->args[arg]};
    if (!mpi_check_any_count(call, comm, arg + 1, &count, step) ||
        !mpi_check_type_of(call, comm, arg + 2, !count, &buffer->type, step))
        return false;
    buffer->count = (uint64_t)count;
    return mpi_check_memory(call, comm, arg, buffer->address, buffer->type, buffer->count, writable, step);
}

/* -- datatypes in variables -------------------------------------------------------------------- */

/* Checks argument 1, which points to a handle. */
bool mpi_check_type_variable(MpiCall *call, MpiWord **handle, MpiType **type, MpiStep *step)
{
    if (!mpi_check_output(call, NULL, 0, sizeof **handle, (void **)handle, step)) {
        return false;
    }
    *type = mpi_handle_lookup(call->rank, MPI_KIND_TYPE, **handle);
    if (!*type) {
        *step = mpi_argument_bad_handle(call, NULL, MPI_KIND_TYPE, **handle, "argument 1 points to it");
    }
    return *type;
}
