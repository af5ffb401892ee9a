/* handles.c - the handles of a rank: kind << 32 | index for programs, a table entry for us.
 *
 * One table per rank for all kinds. An index is generation << 24 | slot; a slot's generation counts how often it has
 * been used, so that a handle of something freed is recognised (until 64 later uses of the slot) even where the slot is
 * in use again. Slots are taken in the order in which they were freed last, which depends on nothing but the program.
 */
#include "mpi/comm/info.h"
#include "mpi/core/engine.h"

#include <string.h>

enum { SLOT_BITS = 24, GENERATIONS = 64 };

static uint32_t handle_slot(MpiHandle handle)
{
    return ((uint32_t)handle & ((1u << SLOT_BITS) - 1)) - MPI_FIRST_USER_INDEX;
}

static MpiHandleEntry *handle_entry(const MpiHandleTable *table, MpiHandle handle)
{
    uint32_t slot = handle_slot(handle);
    if (slot >= table->count)
        return NULL;
    MpiHandleEntry *entry = &table->entries[slot];
    bool same = entry->object && entry->kind == handle >> 32 && entry->generation == (uint32_t)handle >> SLOT_BITS;
    return same ? entry : NULL;
}

static void *lookup_comm(MpiRank *rank, uint32_t index)
{
    if (index == MPI_COMM_WORLD_INDEX)
        return mpi_rank_world_comm(rank);
    return index == MPI_COMM_SELF_INDEX ? mpi_rank_self_comm(rank) : NULL;
}

void *mpi_lookup(MpiRank *rank, MpiHandleKind kind, MpiHandle handle)
{
    uint32_t index = (uint32_t)handle;
    if (kind == MPI_KIND_COMM && handle == MPI_HANDLE(MPI_KIND_COMM, MPI_COMM_WORLD_INDEX) && rank->world_comm)
        return rank->world_comm; /* nearly always */
    if (handle >> 32 != (uint64_t)kind)
        return NULL;
    if (index < MPI_FIRST_USER_INDEX)
        return kind == MPI_KIND_COMM ? lookup_comm(rank, index) : mpi_predefined(kind, index);
    MpiHandleEntry *entry = handle_entry(&rank->handles, handle);
    return entry ? entry->object : NULL;
}

MpiHandle mpi_register(MpiCall *call, MpiHandleKind kind, void *object)
{
    MpiHandleTable *table = &call->rank->handles;
    if (!table->free && table->count == table->capacity) {
        table->capacity = table->capacity ? 2 * table->capacity : 8;
        table->entries = g_renew(MpiHandleEntry, table->entries, table->capacity);
    }
    uint32_t slot = table->free ? table->free - 1 : table->count++;
    MpiHandleEntry *entry = &table->entries[slot];
    if (table->free)
        table->free = entry->next;
    else
        entry->generation = 0;
    g_assert(slot + MPI_FIRST_USER_INDEX < 1u << SLOT_BITS);
    entry->object = object;
    entry->kind = kind;
    entry->made_pc = call->pc;
    entry->made_by = (uint16_t)call->function;
    return MPI_HANDLE(kind, (uint32_t)entry->generation << SLOT_BITS | (slot + MPI_FIRST_USER_INDEX));
}

static void free_slot(MpiHandleTable *table, uint32_t slot)
{
    MpiHandleEntry *entry = &table->entries[slot];
    g_assert(entry->object);
    entry->object = NULL;
    entry->generation = (entry->generation + 1) % GENERATIONS;
    entry->next = table->free;
    table->free = slot + 1;
}

void mpi_unregister(MpiRank *rank, MpiHandle handle)
{
    g_assert(handle_entry(&rank->handles, handle));
    free_slot(&rank->handles, handle_slot(handle));
}

void mpi_unregister_kind(MpiRank *rank, MpiHandleKind kind)
{
    for (uint32_t slot = 0; slot < rank->handles.count; slot++)
        if (rank->handles.entries[slot].object && rank->handles.entries[slot].kind == kind)
            free_slot(&rank->handles, slot);
}

/* -- handles that are not what they should be -------------------------------------------------- */

typedef struct KindWords {
    const char *noun, *null;
    int error_class;
} KindWords;

static const KindWords words[] = {
    [MPI_KIND_COMM] = {"communicator", "MPI_COMM_NULL", MPI_ERR_COMM},
    [MPI_KIND_GROUP] = {"group", "MPI_GROUP_NULL", MPI_ERR_GROUP},
    [MPI_KIND_TYPE] = {"datatype", "MPI_DATATYPE_NULL", MPI_ERR_TYPE},
    [MPI_KIND_OP] = {"reduction operator", "MPI_OP_NULL", MPI_ERR_OP},
    [MPI_KIND_REQUEST] = {"request", "MPI_REQUEST_NULL", MPI_ERR_REQUEST},
    [MPI_KIND_ERRHANDLER] = {"error handler", "MPI_ERRHANDLER_NULL", MPI_ERR_ARG},
    [MPI_KIND_INFO] = {"info object", "MPI_INFO_NULL", MPI_ERR_INFO},
    [MPI_KIND_WIN] = {"window", "MPI_WIN_NULL", MPI_ERR_ARG},
    [MPI_KIND_FILE] = {"file", "MPI_FILE_NULL", MPI_ERR_ARG},
    [MPI_KIND_MESSAGE] = {"message", "MPI_MESSAGE_NULL", MPI_ERR_REQUEST},
};

static MpiStep bad_handle(MpiCall *call, MpiComm *comm, const KindWords *kind, const char *where, const char *what,
                          const char *advice)
{
    return mpi_call_error(call, comm, kind->error_class, "the %s is %s (%s)%s", kind->noun, what, where, advice);
}

MpiStep mpi_call_bad_handle(MpiCall *call, MpiComm *comm, MpiHandleKind kind, MpiHandle handle, const char *where)
{
    uint64_t is = handle >> 32;
    g_autofree char *what = NULL;
    if (handle == MPI_HANDLE(kind, 0))
        return bad_handle(call, comm, &words[kind], where, words[kind].null,
                          kind == MPI_KIND_COMM ? "; a rank that is left out of a new communicator must not use it"
                                                : "; make one first, or look whether the call that made it has failed");
    if (is == (uint64_t)kind && handle_slot(handle) < call->rank->handles.count)
        return bad_handle(call, comm, &words[kind], where, "not in use any more: it has been freed",
                          "; free it after its last use");
    if (is != (uint64_t)kind && is > 0 && is < G_N_ELEMENTS(words) &&
        (handle == MPI_HANDLE(is, 0) || mpi_lookup(call->rank, (MpiHandleKind)is, handle))) {
        bool null = handle == MPI_HANDLE(is, 0), vowel = strchr("aeiou", words[is].noun[0]);
        what = null ? g_strdup(words[is].null) : g_strdup_printf("%s %s", vowel ? "an" : "a", words[is].noun);
        return bad_handle(call, comm, &words[kind], where, what, "; are the arguments in the right order?");
    }
    what = g_strdup_printf("0x%" G_GINT64_MODIFIER "x, which is no handle", handle);
    return bad_handle(call, comm, &words[kind], where, what, "; has the variable been set?");
}

MpiStep mpi_call_bad_argument(MpiCall *call, MpiComm *comm, MpiHandleKind kind, unsigned arg)
{
    char where[32];
    g_snprintf(where, sizeof where, "argument %u", arg + 1);
    return mpi_call_bad_handle(call, comm, kind, call->args[arg], where);
}

/* -- the end of a table ------------------------------------------------------------------------ */

static void drop(const MpiHandleEntry *entry)
{
    switch ((MpiHandleKind)entry->kind) {
    case MPI_KIND_COMM:
        mpi_attributes_drop(entry->object);
        mpi_comm_unref(entry->object);
        break;
    case MPI_KIND_GROUP: mpi_group_unref(entry->object); break;
    case MPI_KIND_TYPE: mpi_type_unref(entry->object); break;
    case MPI_KIND_OP: mpi_op_unref(entry->object); break;
    case MPI_KIND_ERRHANDLER: mpi_errhandler_unref(entry->object); break;
    case MPI_KIND_INFO: mpi_info_free(entry->object); break;
    case MPI_KIND_MESSAGE: mpi_matched_free(entry->object); break;
    default: /* requests are freed from their rank's list */ break;
    }
}

void mpi_handles_clear(MpiRank *rank)
{
    for (uint32_t i = 0; i < rank->handles.count; i++)
        if (rank->handles.entries[i].object)
            drop(&rank->handles.entries[i]);
    g_free(rank->handles.entries);
    rank->handles = (MpiHandleTable){0};
    MpiComm *predefined[] = {rank->world_comm, rank->self_comm};
    for (int i = 0; i < 2; i++) {
        if (!predefined[i])
            continue;
        mpi_attributes_drop(predefined[i]);
        mpi_comm_unref(predefined[i]);
    }
    rank->world_comm = rank->self_comm = NULL;
}
