/* unions.c - the last steps of all calls that join two groups of processes to an inter-communicator.
 *
 *      leader        has found the other side, or an error    ... tells its side by a broadcast
 *      other members wait in that broadcast
 *      all           make their view of the communicator, or have the error
 *
 * So an error of the leader's arguments is an error of all members of its side: nobody waits for a leader who has gone.
 */
#include "mpi/collective/collective.h"
#include "mpi/collective/schedule.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/process/process.h"

#include <string.h>

enum { TOLD_BYTES = 16 }; /* what members are told: an error, or size and context of the other group */

/* -- ends ------------------------------------------------------------------------------------------ */

GHashTable *mpi_union_ends_new(void)
{
    return g_hash_table_new_full(mpi_turn_led_hash, mpi_turn_led_equal, NULL, mpi_union_end_free);
}

MpiEnd *mpi_union_end_new(MpiCall *call, const MpiComm *local, uint64_t turn)
{
    MpiEnd *end = g_new0(MpiEnd, 1);
    *end =
        (MpiEnd){.at = mpi_turn_led(local, turn), .group = mpi_group_ref(local->group), .missing = local->group->size};
    g_hash_table_insert(mpi_universe(call->world)->ends, end, end);
    return end;
}

void mpi_union_end_free(void *data)
{
    MpiEnd *end = data;
    mpi_group_unref(end->group);
    mpi_group_unref(end->remote);
    g_free(end->why);
    g_free(end->codes);
    g_free(end);
}

void mpi_union_end_fail(MpiEnd *end, int error_class, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    end->error = error_class;
    end->why = g_strdup_vprintf(format, arguments);
    va_end(arguments);
}

static MpiEnd *find_end(const MpiCall *call, const MpiUnion *joining)
{
    const MpiComm *local = joining->local;
    MpiEnd key = {.at = mpi_turn_led(local, joining->turn)};
    return g_hash_table_lookup(mpi_universe(call->world)->ends, &key);
}

/* The member has taken what it needs. */
static void leave_end(MpiCall *call, MpiEnd *end)
{
    if (--end->missing == 0)
        g_hash_table_remove(mpi_universe(call->world)->ends, end);
}

/* -- the state of the call --------------------------------------------------------------------------- */

static void union_free(void *state)
{
    MpiUnion *joining = state;
    for (guint i = 0; i < joining->waits->len; i++)
        mpi_request_release(joining->waits->pdata[i]);
    g_ptr_array_unref(joining->waits);
    mpi_comm_unref(joining->local);
    mpi_error_handler_unref(joining->errhandler);
    g_free(joining);
}

MpiUnion *mpi_union_new(MpiCall *call, MpiComm *local, uint32_t root, unsigned result)
{
    MpiUnion *joining = g_new0(MpiUnion, 1);
    *joining = (MpiUnion){.local = local, .root = root, .result = result, .codes = -1, .waits = g_ptr_array_new()};
    local->refs++;
    joining->turn = mpi_comm_turn(call, local);
    if (local->rank == root)
        joining->end = mpi_union_end_new(call, local, joining->turn);
    call->state = joining;
    call->state_free = union_free;
    return joining;
}

void mpi_union_await(MpiUnion *joining, MpiRequest *request)
{
    g_ptr_array_add(joining->waits, request);
}

/* -- the end -------------------------------------------------------------------------------------------- */

static void store_codes(MpiCall *call, const MpiUnion *joining, const MpiEnd *end)
{
    uint64_t address = joining->codes >= 0 && end->codes ? call->args[joining->codes] : 0;
    for (uint32_t i = 0; address && i < end->processes; i++)
        if (!mpi_store_int(call, address + i * sizeof(int32_t), end->codes[i]))
            return;
}

static MpiStep make(MpiCall *call)
{
    MpiUnion *joining = call->state;
    MpiEnd *end = find_end(call, joining);
    MpiComm *local = joining->local;
    if (!end) /* only if calls of several threads have taken each other's turns */
        return mpi_call_error(call, local->handle ? local : NULL, MPI_ERR_OTHER,
                              "the members have not called this in the same order; two threads have called collectives "
                              "of the communicator at once");
    store_codes(call, joining, end);
    if (end->error) {
        int error = end->error;
        g_autofree char *why = g_strdup(end->why);
        mpi_store_handle(call, call->args[joining->result], MPI_HANDLE(MPI_KIND_COMM, 0));
        leave_end(call, end);
        return mpi_call_error(call, local->handle ? local : NULL, error, "%s", why);
    }
    MpiComm *made =
        mpi_comm_new_inter(call, end->context, mpi_group_ref(end->group), mpi_group_ref(end->remote), end->low);
    MpiErrhandler *errhandler = joining->errhandler ? joining->errhandler : local->errhandler;
    if (errhandler)
        made->errhandler = mpi_error_handler_ref(errhandler);
    mpi_store_handle(call, call->args[joining->result], made->handle);
    leave_end(call, end);
    return MPI_STEP_DONE;
}

MpiStep mpi_union_tell(MpiCall *call)
{
    const MpiUnion *joining = call->state;
    MpiPlan plan = {.root = joining->root, .bytes = TOLD_BYTES, .own_bytes = TOLD_BYTES, .phantom = true};
    mpi_schedule_new(call, joining->local, MPI_COLLECTIVE_BCAST, &plan);
    return mpi_schedule_run(call, make);
}
