/* handles.c - the handles of a rank: kind << 32 | index for programs, a table entry for us.
 *
 * A rank has one table for all kinds. An index is generation << 24 | slot. A slot's generation counts how often it has
 * been used. So a handle of a freed object is recognised even where the slot is in use again, until 64 later uses of
 * the slot. The slot freed last is taken first, which depends on nothing but the program.
 */
#include "mpi/core/handles.h"
#include "mpi/core/call.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"

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

static void *predefined(MpiRank *rank, MpiHandleKind kind, uint32_t index)
{
    const MpiKind *row = &rank->world->kinds[kind];
    return row->predefined ? row->predefined(rank, index) : NULL;
}

void *mpi_handle_lookup(MpiRank *rank, MpiHandleKind kind, MpiHandle handle)
{
    uint32_t index = (uint32_t)handle;
    if (kind == MPI_KIND_COMM && handle == MPI_HANDLE(MPI_KIND_COMM, MPI_COMM_WORLD_INDEX) && rank->world_comm)
        return rank->world_comm; /* the usual case */
    if (handle >> 32 != (uint64_t)kind)
        return NULL;
    if (index < MPI_FIRST_USER_INDEX)
        return predefined(rank, kind, index);
    MpiHandleEntry *entry = handle_entry(&rank->handles, handle);
    return entry ? entry->object : NULL;
}

MpiHandle mpi_handle_register_at(MpiRank *rank, const MpiMaker *maker, MpiHandleKind kind, void *object)
{
    MpiHandleTable *table = &rank->handles;
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
    entry->made_pc = maker->pc;
    entry->made_by = (uint16_t)maker->function;
    return MPI_HANDLE(kind, (uint32_t)entry->generation << SLOT_BITS | (slot + MPI_FIRST_USER_INDEX));
}

MpiHandle mpi_handle_register(MpiCall *call, MpiHandleKind kind, void *object)
{
    MpiMaker maker = {.name = call->name, .pc = call->pc, .function = call->function};
    return mpi_handle_register_at(call->rank, &maker, kind, object);
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

void mpi_handle_unregister(MpiRank *rank, MpiHandle handle)
{
    g_assert(handle_entry(&rank->handles, handle));
    free_slot(&rank->handles, handle_slot(handle));
}

void mpi_handle_disown(MpiRank *rank, MpiHandle handle)
{
    MpiHandleEntry *entry = handle_entry(&rank->handles, handle);
    g_assert(entry);
    entry->made_pc = VCODE_NONE;
}

void mpi_handle_unregister_kind(MpiRank *rank, MpiHandleKind kind)
{
    for (uint32_t slot = 0; slot < rank->handles.count; slot++)
        if (rank->handles.entries[slot].object && rank->handles.entries[slot].kind == kind)
            free_slot(&rank->handles, slot);
}

bool mpi_handle_was_given(const MpiRank *rank, MpiHandle handle)
{
    return handle_slot(handle) < rank->handles.count;
}

/* -- the end of a table ------------------------------------------------------------------------ */

static void drop(const MpiRank *rank, uint32_t kind, void *object)
{
    const MpiKind *row = &rank->world->kinds[kind];
    if (row->drop)
        row->drop(object);
}

void mpi_handles_clear(MpiRank *rank)
{
    for (uint32_t i = 0; i < rank->handles.count; i++)
        if (rank->handles.entries[i].object)
            drop(rank, rank->handles.entries[i].kind, rank->handles.entries[i].object);
    g_free(rank->handles.entries);
    rank->handles = (MpiHandleTable){0};
    MpiComm *shared[] = {rank->world_comm, rank->self_comm};
    for (int i = 0; i < 2; i++)
        if (shared[i])
            drop(rank, MPI_KIND_COMM, shared[i]);
    rank->world_comm = rank->self_comm = NULL;
}
