/* slots.h - data that features keep in a world and that the core does not know, by slot number (slots.c). */
#ifndef ORRERY_MPI_SLOTS_H
#define ORRERY_MPI_SLOTS_H

#include "mpi/core/world.h"

/* The owners of slots in a world. */
typedef enum MpiSlot {
    MPI_SLOT_WINDOWS, /* freed first, as it has communicators */
    MPI_SLOT_CONTEXTS,
    MPI_SLOT_BIRTHS,
    MPI_SLOT_SPLITS,
    MPI_SLOT_GRAPHS,
    MPI_SLOT_REORDERED,
    MPI_SLOT_PARTITIONS,
    MPI_SLOT_GATHERINGS,
    MPI_SLOT_MEETINGS,
    MPI_SLOT_DOUBTFUL,
    MPI_SLOT_LEDGER,
    MPI_SLOT_THREADS,
    MPI_SLOT_SENT,
    MPI_SLOT_CLAIMS,
    MPI_SLOT_PENDING,
    MPI_SLOT_RACES,
    MPI_SLOT_WINDOW_USES,
    MPI_SLOT_CHOICES,
    MPI_SLOT_REHEARSAL,
    MPI_SLOT_BACKLOGS,
    MPI_SLOT_OBSERVED,
    MPI_SLOT_OBSERVED_CALLS,
    MPI_SLOT_OBSERVED_COLLECTIVES,
    MPI_SLOT_OBSERVED_EVENTS,
    MPI_SLOT_WAIT_CAUSES,
    MPI_SLOT_EXCHANGES,
    MPI_SLOT_UNIVERSE,
    MPI_SLOT_TOOL,
    MPI_SLOT_FAILURES,
    MPI_SLOT_FILES,
    MPI_SLOT_PROGRESS,
    MPI_SLOT_PROTOCOLS,
    MPI_SLOT_COUNT
} MpiSlot;

/* Returns the data in a slot; NULL if nothing is set. */
static inline void *mpi_world_slot(const MpiWorld *world, MpiSlot slot)
{
    return world->slots[slot].data;
}
/* `destroy` runs when the world is freed, after its ranks and their requests. At that time no hook is called any
 * more. */
void mpi_world_set_slot(MpiWorld *world, MpiSlot slot, void *data, GDestroyNotify destroy);

/* Returns the hash table in a slot, and makes it at the first call; the other parameters are those of
 * g_hash_table_new_full(). Such tables are never iterated, because their order would depend on addresses. */
GHashTable *mpi_slots_table(MpiWorld *world, MpiSlot slot, GHashFunc hash, GEqualFunc equal, GDestroyNotify free_key,
                            GDestroyNotify free_value);

/* Makes all slots, empty; frees all slots and the data in them. */
void mpi_slots_new(MpiWorld *world);
void mpi_slots_free(MpiWorld *world);

#endif
