/* rank.h - the MPI state of one rank.
 *
 * An idle rank costs one MpiRank. A field for only one room or feature should be a slot instead. */
#ifndef ORRERY_MPI_RANK_H
#define ORRERY_MPI_RANK_H

#include "mpi/core/handles.h"
#include "mpi/core/matcher.h"

/* Data that an owner attaches to a rank or a world, and the function that frees it. */
typedef struct MpiSlotValue {
    void *data;
    GDestroyNotify destroy;
} MpiSlotValue;

/* The owners of slots in a rank. */
typedef enum MpiRankSlot {
    MPI_RANK_SLOT_ATTRIBUTES,
    MPI_RANK_SLOT_ERRORS,
    MPI_RANK_SLOT_REMOTES,
    MPI_RANK_SLOT_PROCESS,
    MPI_RANK_SLOT_TOOL,
    MPI_RANK_SLOT_ALGORITHMS,
    MPI_RANK_SLOT_FILES,
    MPI_RANK_SLOT_LISTED,
    MPI_RANK_SLOT_PROGRESS,
    MPI_RANK_SLOT_COUNT
} MpiRankSlot;

/* The last send to or receive from MPI_PROC_NULL. It may explain why a message does not come. */
typedef struct MpiNullPeer {
    bool used; /* there was one */
    int tag;
    uint32_t context, pc; /* communicator and location of the call */
} MpiNullPeer;

typedef struct MpiThreads MpiThreads; /* threads.c */

typedef enum MpiRankState { MPI_RANK_STARTED, MPI_RANK_ACTIVE, MPI_RANK_FINALIZED } MpiRankState;

struct MpiRank { /* the fields that every message touches come first */
    MpiWorld *world;
    VmRank *process;        /* NULL until it is attached */
    uint32_t index;         /* rank in MPI_COMM_WORLD */
    uint32_t idle_polls;    /* number of its last calls that were polls without a result, while nothing new arrived */
    MpiCall *call;          /* innermost call in progress, or NULL */
    MpiThreads *threads;    /* calls of its other threads (threads.c); NULL: it has had one thread only */
    uint32_t thread;        /* the thread whose call `call` is */
    uint32_t task;          /* and by which number the layer above knows it: MpiEnv.wake */
    MpiPlainReceive *plain; /* a receive that waits on its short way, without a call (plain_receive.c); or NULL */
    MpiRankState state;
    bool exited;                          /* the process has ended */
    bool failed;                          /* the process has failed: nothing of it goes on */
    bool failure_known;                   /* and the others know it */
    bool unrecorded;                      /* observers are not told of the rank (MPI_Pcontrol) */
    bool probing;                         /* the blocked call waits for a message that matches probe_key */
    MpiComm *world_comm;                  /* MPI_COMM_WORLD; NULL until it is needed */
    MpiRequest *requests, *requests_last; /* all requests of the rank, oldest first */
    MpiMessage *inbox, *inbox_last;       /* messages that have arrived and matched; the next call handles them */
    MpiMessage *loans;                    /* messages whose payload is still in the rank's memory (p2p/loans.c) */
    uint32_t n_loans;
    uint32_t areas; /* number of areas of its memory that requests use, where a check wants to know (check/pending.c) */
    MpiMatcher matcher;
    MpiRankStats stats;
    MpiKey probe_key;
    uint64_t eager_limit;        /* bytes: longer standard sends of this rank wait for the receiver */
    int thread_level;            /* what MPI_Init_thread provided */
    int session_level;           /* the highest that a session has had */
    uint32_t main_thread;        /* the thread that called MPI_Init, MPI_Init_thread or, before, MPI_Session_init */
    uint32_t initial_errhandler; /* index of the handler that MPI_COMM_WORLD has first; 0: that of the world */
    MpiHandleTable handles;
    MpiComm *self_comm;    /* MPI_COMM_SELF; NULL until it is needed */
    MpiAttached *attached; /* the buffer of MPI_Buffer_attach; NULL: none */
    MpiNullPeer null_send, null_receive;
    MpiSlotValue slots[MPI_RANK_SLOT_COUNT];
};

/* Data that a room keeps per rank and that the core does not know. `destroy` runs when the rank is freed. */
void *mpi_rank_slot(const MpiRank *rank, MpiRankSlot slot);
void mpi_rank_set_slot(MpiRank *rank, MpiRankSlot slot, void *data, GDestroyNotify destroy);

/* As mpi_handle_lookup() for a communicator, with a short cut for MPI_COMM_WORLD, which it nearly always is. */
static inline MpiComm *mpi_rank_lookup_comm(MpiRank *rank, MpiHandle handle)
{
    if (G_LIKELY(handle == MPI_HANDLE(MPI_KIND_COMM, MPI_COMM_WORLD_INDEX) && rank->world_comm))
        return rank->world_comm;
    return mpi_handle_lookup(rank, MPI_KIND_COMM, handle);
}

#endif
