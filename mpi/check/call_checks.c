/* call_checks.c - what a call must satisfy before it does anything: the rank's state, peers, tags, buffers. What
 * members of a communicator must agree on: ledger.c. */
#include "mpi/core/engine.h"
#include "mpi/type/envelope.h"

#include <string.h>

/* -- state (MPI-3.1 section 8.7) --------------------------------------------------------------- */

/* Callable at any time: the functions of MPI-3.1 section 8.7, those that MPI-4.0 section 11.4.1 adds, and MPI_Wtime and
 * MPI_Wtick because many programs do so and all libraries let them. */
static bool always_allowed(const char *name)
{
    static const char *const names[] = {
        "Abort",        "Add_error_class",    "Add_error_code",      "Add_error_string",    "Error_class",
        "Error_string", "Finalized",          "Get_library_version", "Get_version",         "Initialized",
        "Pcontrol",     "Remove_error_class", "Remove_error_code",   "Remove_error_string", "Wtick",
        "Wtime",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return g_str_has_prefix(name, "Info_") || g_str_has_suffix(name, "_c2f") || g_str_has_suffix(name, "_f2c");
}

bool mpi_check_state(MpiCall *call, MpiStep *step)
{
    MpiRankState state = call->rank->state;
    bool starts = call->function == MPI_FUNCTION_Init || call->function == MPI_FUNCTION_Init_thread;
    if ((starts ? state == MPI_RANK_STARTED : state == MPI_RANK_ACTIVE) || always_allowed(call->name + strlen("MPI_")))
        return true;
    const char *reason = starts                        ? "MPI has been initialized already; a program does that once"
                         : state == MPI_RANK_FINALIZED ? "called after MPI_Finalize"
                                                       : "called before MPI_Init; MPI_Init comes first";
    *step = mpi_call_error(call, NULL, MPI_ERR_OTHER, "%s", reason);
    return false;
}

/* -- peers and tags ---------------------------------------------------------------------------- */

/* The commonest mistake: a neighbour of the first or the last rank. */
static const char *advice_on_peer(const MpiComm *comm, int peer)
{
    if (comm->inter || (peer != -1 && (int64_t)peer != comm->group->size))
        return "";
    if (peer == -1 && comm->rank == 0)
        return "; is that rank - 1 on rank 0? Where there is no neighbour, name MPI_PROC_NULL";
    if (peer == -1)
        return "; a neighbour that is not there is MPI_PROC_NULL";
    return comm->rank + 1 == comm->group->size
               ? "; is that rank + 1 on the last rank? Where there is no neighbour, name MPI_PROC_NULL"
               : "; ranks count from 0";
}

bool mpi_check_peer(MpiCall *call, MpiComm *comm, unsigned arg, bool receive, int *peer, MpiStep *step)
{
    *peer = mpi_int(call, arg);
    vm_check_argument(call->process, arg);
    if (receive && *peer == MPI_ANY_SOURCE_)
        return mpi_check_promise(call, comm, arg, "mpi_assert_no_any_source", "MPI_ANY_SOURCE", step);
    if (*peer == MPI_PROC_NULL_ || (*peer >= 0 && (uint32_t)*peer < mpi_comm_peers(comm)->size))
        return true;
    *step = mpi_call_error(
        call, comm, MPI_ERR_RANK, "argument %u, the %s rank, is %d, but the communicator has ranks 0 to %u%s", arg + 1,
        receive ? "source" : "destination", *peer, mpi_comm_peers(comm)->size - 1, advice_on_peer(comm, *peer));
    return false;
}

bool mpi_check_tag(MpiCall *call, MpiComm *comm, unsigned arg, bool receive, int *tag, MpiStep *step)
{
    *tag = mpi_int(call, arg);
    vm_check_argument(call->process, arg);
    if (*tag >= 0)
        return true;
    if (receive && *tag == MPI_ANY_TAG_)
        return mpi_check_promise(call, comm, arg, "mpi_assert_no_any_tag", "MPI_ANY_TAG", step);
    *step = mpi_call_error(call, comm, MPI_ERR_TAG, "argument %u, the tag, is %d; tags are 0 to %d%s", arg + 1, *tag,
                           MPI_TAG_UB_VALUE_, receive ? " or MPI_ANY_TAG" : "");
    return false;
}

bool mpi_check_root(MpiCall *call, MpiComm *comm, unsigned arg, int *root, MpiStep *step)
{
    *root = mpi_int(call, arg);
    vm_check_argument(call->process, arg);
    if (*root >= 0 && (uint32_t)*root < mpi_comm_peers(comm)->size)
        return true;
    if (comm->inter && (*root == MPI_ROOT_ || *root == MPI_PROC_NULL_))
        return true;
    *step =
        mpi_call_error(call, comm, MPI_ERR_ROOT, "argument %u, the root, is %d, but the %s has ranks 0 to %u%s",
                       arg + 1, *root, comm->inter ? "remote group" : "communicator", mpi_comm_peers(comm)->size - 1,
                       comm->inter ? "; in the root's group it is MPI_ROOT or MPI_PROC_NULL" : "");
    return false;
}

bool mpi_check_op(MpiCall *call, MpiComm *comm, unsigned arg, const MpiType *type, MpiOp **op, MpiStep *step)
{
    *op = mpi_lookup(call->rank, MPI_KIND_OP, call->args[arg]);
    if (*op && (!type || mpi_op_allows(*op, type))) {
        if (type && mpi_op_extends(*op, type))
            mpi_note_portability(call, "has a logical operator on MPI_AINT, MPI_OFFSET or MPI_COUNT",
                                 "combine integers of another type: the standard has no logical operators on these");
        return true;
    }
    if (*op)
        *step = mpi_call_error(call, comm, MPI_ERR_OP, "%s is not defined on %s",
                               (*op)->name ? (*op)->name : "the operator", mpi_type_describe(type));
    else
        *step = mpi_call_bad_argument(call, comm, MPI_KIND_OP, arg);
    return false;
}

/* -- memory ------------------------------------------------------------------------------------ */

static bool accessible(VmRank *process, uint64_t address, uint64_t bytes, bool writable)
{
    return writable ? vm_rank_can_write(process, address, bytes) : vm_rank_read(process, address, bytes) != NULL;
}

/* A type with gaps may reach over memory that is not there, as with MPI_BOTTOM and absolute addresses. Then only the
 * data counts; whether it can be written shows when it is. */
static bool data_accessible(VmRank *process, uint64_t address, const MpiType *type, uint64_t count)
{
    g_autofree void *scratch = g_try_malloc(type->size);
    bool there = scratch;
    for (uint64_t i = 0; i < count && there; i++)
        there = mpi_type_pack(type, 1, process, address + i * (uint64_t)type->extent, scratch);
    return there;
}

/* No process has that much memory, and below it no product of count and size overflows. */
#define MOST_MEMORY (UINT64_C(1) << 46)

static bool beyond_memory(const MpiType *type, uint64_t count)
{
    uint64_t extent = type->extent < 0 ? -(uint64_t)type->extent : (uint64_t)type->extent;
    uint64_t largest = MAX(MAX(type->size, extent), (uint64_t)type->true_extent);
    return count && largest > MOST_MEMORY / count;
}

/* mpi_type_span() with a short way for what nearly all calls name. */
static uint64_t memory_span(const MpiType *type, uint64_t count, int64_t *first)
{
    if (type->contiguous && count <= INT32_MAX && type->size <= INT32_MAX)
        return count * type->size;
    return beyond_memory(type, count) ? UINT64_MAX : mpi_type_span(type, count, first);
}

/* Persistent requests and the like. */
static bool is_for_later(const MpiCall *call)
{
    return call->form == MPI_FORM_PERSISTENT || g_str_has_suffix(call->name, "_init") ||
           g_str_has_suffix(call->name, "_init_c");
}

/* All of it in one object, and all that is sent set (check_memory.c). */
static bool check_contents(MpiCall *call, unsigned arg, uint64_t address, const MpiType *type, uint64_t count,
                           bool writable, MpiStep *step)
{
    if (!mpi_check_extent(call, arg, address, type, count, writable)) {
        *step = MPI_STEP_FAULT;
        return false;
    }
    if (!writable && !is_for_later(call))
        mpi_check_defined(call, arg, address, type, count);
    return true;
}

/* What --check looks at: the buffer must be in use by no request, and have no byte twice if data are to come there
 * (MPI-3.1 section 4.1.11). Persistent requests will use it later. */
static bool check_use(MpiCall *call, unsigned arg, uint64_t address, MpiType *type, uint64_t count, bool writable,
                      MpiStep *step)
{
    MpiBuffer buffer = {.process = call->process, .address = address, .type = type, .count = count};
    g_autofree char *what = g_strdup_printf("argument %u, the buffer", arg + 1);
    return (!writable || mpi_check_twice(call, what, &buffer, step)) &&
           (is_for_later(call) || mpi_pending_check(call, what, &buffer, writable, step));
}

static MpiStep bad_buffer(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t address, const MpiType *type,
                          uint64_t count, bool writable)
{
    g_autoptr(GString) items = g_string_new(NULL);
    mpi_append_items(items, type, count, call->process);
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
    bool gaps = !type->contiguous, ask = !gaps || !vm_rank_is_watched(call->process);
    bool there = !span || (span != UINT64_MAX &&
                           ((ask && accessible(call->process, address + (uint64_t)first, span, writable)) ||
                            (gaps && data_accessible(call->process, address, type, count))));
    if (G_LIKELY(there)) {
        if (G_UNLIKELY(vm_rank_is_watched(call->process)) &&
            !check_contents(call, arg, address, type, count, writable, step))
            return false;
        return !G_UNLIKELY(call->world->pending) || check_use(call, arg, address, type, count, writable, step);
    }
    *step = bad_buffer(call, comm, arg, address, type, count, writable);
    return false;
}

void mpi_note_portability(MpiCall *call, const char *what, const char *fix)
{
    if (!mpi_check_is_on(call->world, MPI_CHECK_PORTABILITY))
        return;
    g_autoptr(GString) text = g_string_new(call->name);
    g_string_append(text, " at ");
    mpi_append_place(text, call->process, call->pc);
    g_string_append_printf(text, " %s", what);
    mpi_finding_add(call->rank, MPI_CHECK_PORTABILITY, call->entered_ps, text->str, NULL, fix);
}

/* Whether the memory of a buffer begins in the program's and goes beyond its end. */
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
    bool fits =
        !vm_rank_is_watched(call->process) || mpi_check_fits(call, arg, buffer->address, buffer->type, buffer->count);
    if (fits && !reaches_beyond(call->process, buffer->address, buffer->type, buffer->count))
        return mpi_check_memory(call, comm, arg, buffer->address, buffer->type, buffer->count, true, step);
    mpi_note_portability(call, "has room for more than there is memory behind its buffer",
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
