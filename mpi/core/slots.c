/* slots.c - data that rooms and features keep in a rank or in the world, by slot number. */
#include "mpi/core/slots.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"

void *mpi_rank_slot(const MpiRank *rank, MpiRankSlot slot)
{
    return rank->slots[slot].data;
}

static void set_slot(MpiSlotValue *slot, void *data, GDestroyNotify destroy)
{
    if (slot->destroy)
        slot->destroy(slot->data);
    *slot = (MpiSlotValue){.data = data, .destroy = destroy};
}

void mpi_rank_set_slot(MpiRank *rank, MpiRankSlot slot, void *data, GDestroyNotify destroy)
{
    set_slot(&rank->slots[slot], data, destroy);
}

void mpi_world_set_slot(MpiWorld *world, MpiSlot slot, void *data, GDestroyNotify destroy)
{
    set_slot(&world->slots[slot], data, destroy);
}

GHashTable *mpi_slots_table(MpiWorld *world, MpiSlot slot, GHashFunc hash, GEqualFunc equal, GDestroyNotify free_key,
                            GDestroyNotify free_value)
{
    GHashTable *table = mpi_world_slot(world, slot);
    if (!table) {
        table = g_hash_table_new_full(hash, equal, free_key, free_value);
        mpi_world_set_slot(world, slot, table, (GDestroyNotify)g_hash_table_unref);
    }
    return table;
}

void mpi_slots_new(MpiWorld *world)
{
    world->slots = g_new0(MpiSlotValue, MPI_SLOT_COUNT);
}

void mpi_slots_free(MpiWorld *world)
{
    for (int slot = 0; slot < MPI_SLOT_COUNT; slot++)
        mpi_world_set_slot(world, (MpiSlot)slot, NULL, NULL);
    g_free(world->slots);
}
