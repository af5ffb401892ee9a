/* slots.h - what features keep of a world without the core knowing what, by number (slots.c). */
#ifndef ORRERY_MPI_SLOTS_H
#define ORRERY_MPI_SLOTS_H

#include "mpi/core/world.h"

/* What a feature keeps of a world, by number. */
typedef enum MpiSlot {
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
    MPI_SLOT_CHOICES,
    MPI_SLOT_REHEARSAL,
    MPI_SLOT_BACKLOGS,
    MPI_SLOT_OBSERVED,
    MPI_SLOT_COUNT
} MpiSlot;

/* What a feature keeps of the world; NULL: nothing yet. */
static inline void *mpi_world_slot(const MpiWorld *world, MpiSlot slot)
{
    return world->slots[slot].data;
}
/* `destroy` runs when the world goes, after its ranks and their requests, and then nothing listens any more. */
void mpi_world_set_slot(MpiWorld *world, MpiSlot slot, void *data, GDestroyNotify destroy);

/* A table in a slot, made when it is first asked for; the rest is as for g_hash_table_new_full(). Such tables are
 * looked up and never iterated: their order would depend on addresses. */
GHashTable *mpi_slots_table(MpiWorld *world, MpiSlot slot, GHashFunc hash, GEqualFunc equal, GDestroyNotify free_key,
                            GDestroyNotify free_value);

/* All of them, empty; what they hold goes. */
void mpi_slots_new(MpiWorld *world);
void mpi_slots_free(MpiWorld *world);

#endif
