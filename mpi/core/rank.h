/* rank.h - what MPI keeps of one rank.
 *
 * A rank that does nothing costs one MpiRank. Who adds a field for one room or feature makes it a slot instead. */
#ifndef ORRERY_MPI_RANK_H
#define ORRERY_MPI_RANK_H

#include "mpi/core/handles.h"
#include "mpi/core/matcher.h"

typedef struct MpiSlotValue {
    void *data;
    GDestroyNotify destroy;
} MpiSlotValue;

/* Who keeps something per rank. */
typedef enum MpiRankSlot { MPI_RANK_SLOT_ATTRIBUTES, MPI_RANK_SLOT_ERRORS, MPI_RANK_SLOT_COUNT } MpiRankSlot;

/* The last send to MPI_PROC_NULL, or receive from it: it may explain what does not come. */
typedef struct MpiNullPeer {
    bool used;
    int tag;
    uint32_t context, pc;
} MpiNullPeer;

typedef enum MpiRankState { MPI_RANK_STARTED, MPI_RANK_ACTIVE, MPI_RANK_FINALIZED } MpiRankState;

struct MpiRank { /* first what every message touches */
    MpiWorld *world;
    VmRank *process; /* NULL before it is attached */
    uint32_t index;
    uint32_t idle_polls; /* how many of its last calls were polls that found nothing, with nothing new in between */
    MpiCall *call;       /* innermost */
    MpiRankState state;
    bool exited;
    bool probing; /* the blocked call waits for a message that probe_key accepts */
    MpiComm *world_comm;
    MpiRequest *requests, *requests_last;
    MpiMessage *inbox, *inbox_last; /* arrived and matched, to be handled at the next call */
    MpiMatcher matcher;
    MpiRankStats stats;
    MpiKey probe_key;
    int thread_level;
    MpiHandleTable handles;
    MpiComm *self_comm;
    uint64_t attached_address, attached_size, attached_used; /* MPI_Buffer_attach */
    MpiNullPeer null_send, null_receive;
    MpiSlotValue slots[MPI_RANK_SLOT_COUNT];
};

/* Things that a room keeps per rank without the core knowing what. `destroy` runs when the rank is gone. */
void *mpi_rank_slot(const MpiRank *rank, MpiRankSlot slot);
void mpi_rank_set_slot(MpiRank *rank, MpiRankSlot slot, void *data, GDestroyNotify destroy);

/* mpi_handle_lookup() of a communicator, which nearly always is MPI_COMM_WORLD. */
static inline MpiComm *mpi_rank_lookup_comm(MpiRank *rank, MpiHandle handle)
{
    if (G_LIKELY(handle == MPI_HANDLE(MPI_KIND_COMM, MPI_COMM_WORLD_INDEX) && rank->world_comm))
        return rank->world_comm;
    return mpi_handle_lookup(rank, MPI_KIND_COMM, handle);
}

#endif
