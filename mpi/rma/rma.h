/* rma.h - one-sided communication (MPI-4.1 chapter 12): what other rooms need of it. */
#ifndef ORRERY_MPI_RMA_H
#define ORRERY_MPI_RMA_H

#include "mpi/core/call.h"
#include "mpi/core/rank.h"
#include "mpi/type/type.h"

/* The handle table is freed: so is this member's view of the window. */
void mpi_window_drop(MpiWin *win);

/* The failure of a process is known: ends what the rank waits for in windows that it shares with that. */
void mpi_rma_process_failed(MpiRank *rank, uint32_t failed, uint64_t time_ps);

/* A transfer of this room has left its sender, has arrived, or its handling by a communication thread is over; and the
 * transfers behind the note in a rank's inbox are to be handled (MpiUpper). */
void mpi_remotes_sent(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
void mpi_remotes_delivered(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
void mpi_remotes_alarm(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
void mpi_remotes_note(MpiCall *call, MpiMessage *note);

/* The short way of MPI_Put and MPI_Get (plain_access.c). Return false if the call must go the general way. */
bool mpi_plain_access(MpiRank *rank, const VmRequest *request, uint64_t now_ps, bool put);
bool mpi_plain_access_at_once(MpiRank *rank, uint64_t *args, bool put);

/* -- for checks --------------------------------------------------------------------------------- */

/* Constants that mpi.h repeats. */
typedef enum MpiLockSort { MPI_LOCK_NONE, MPI_LOCK_SHARED, MPI_LOCK_EXCLUSIVE } MpiLockSort;

typedef enum MpiAccessKind { MPI_ACCESS_GET, MPI_ACCESS_PUT, MPI_ACCESS_ACCUMULATE } MpiAccessKind;

/* An access that is about to be made. */
struct MpiWindowAccess {
    MpiSlotValue *kept;      /* what a check keeps with the target's window; freed with it */
    uint32_t origin, target; /* world rank of the origin; rank of the target in the window */
    MpiAccessKind kind;
    const MpiOp *op; /* of accumulates; NULL: compare and swap */
    MpiType *type;   /* the items at the target */
    uint64_t count, address;
    uint64_t base;  /* address of the target's window */
    uint64_t id;    /* MpiRemoteHead.id of the transfer */
    uint8_t lock;   /* MpiLockSort that the origin has at the target, as far as that keeps others away */
    bool writes;    /* it may change the target's memory */
    uint64_t epoch; /* all accesses to the target with this number are in one epoch, in which nothing orders those of
                     * different origins; 0: others may be ordered by messages */
    uint64_t flushes, local_flushes; /* accesses of one origin with different numbers are ordered, by flushes; by local
                                      * ones if they bring data */
    bool brings;                     /* it brings data back */
    bool awaited;                    /* a request tells the origin when it has brought them */
};

/* What a member of a window does about its epochs. */
typedef enum MpiWindowEvent {
    MPI_WINDOW_ORDERING, /* it is about to make an access, or to ask for the lock of the target. Who answers that it may
                          * not, may block the call: it begins anew when it is woken */
    MPI_WINDOW_ACCESSING,      /* it is about to make an access */
    MPI_WINDOW_MADE,           /* it has a new window */
    MPI_WINDOW_FREED,          /* its window is about to be freed */
    MPI_WINDOW_ATTACHED,       /* it has attached memory, or detached some */
    MPI_WINDOW_LOCKING,        /* it asks for the lock of the target */
    MPI_WINDOW_LOCKED,         /* it has that */
    MPI_WINDOW_ENDING,         /* when the call goes on, all its accesses to the target are done */
    MPI_WINDOW_ENDING_LOCALLY, /* those are that bring data */
    MPI_WINDOW_UNLOCKING,      /* it gives the lock back behind them */
    MPI_WINDOW_ENDED,          /* they are done */
    MPI_WINDOW_FENCING,        /* it comes to a fence, behind MPI_WINDOW_ENDING for each target */
    MPI_WINDOW_POSTING,        /* it begins an exposure */
    MPI_WINDOW_STARTED,        /* the target has begun one for it */
    MPI_WINDOW_COMPLETING,     /* its epoch is over for the target */
    MPI_WINDOW_WAITED,         /* its exposure is over */
    MPI_WINDOW_SYNCED          /* MPI_Win_sync */
} MpiWindowEvent;

struct MpiWindowStep {
    MpiWindowEvent event;
    const MpiWindowAccess *access;
    MpiWin *win;
    MpiSlotValue *own, *kept; /* what a check keeps with the member's window, and with the target's; NULL: no target */
    uint32_t target;          /* its rank in the window */
    uint8_t lock;             /* MpiLockSort of the target's lock */
    bool nocheck;             /* MPI_MODE_NOCHECK, of locks */
    bool nostore;             /* MPI_MODE_NOSTORE, of fences and posts */
};

/* Stores where the member's memory lies that others access in the window, from the address on: its next region. Returns
 * false if there is none. */
bool mpi_window_extent(const MpiWin *win, uint64_t address, uint64_t *low, uint64_t *high);

/* Stores where the memory of a shared window lies, and returns what a check keeps with its first member; NULL: it is
 * not shared. */
MpiSlotValue *mpi_window_shared_extent(const MpiWin *win, uint64_t *low, uint64_t *high);
/* Returns the member of a shared window that the address belongs to, and stores where its part begins. */
uint32_t mpi_window_part(const MpiWin *win, uint64_t address, uint64_t *base);

/* Appends what the window is and which epochs are open (window_state.c): a MpiWin. */
void mpi_window_append_state(GString *out, const void *window);

/* -- for explanations (window_waits.c) ---------------------------------------------------------- */

/* Whether the blocked call waits for something of a window. */
bool mpi_window_is_awaited(const MpiCall *call);
/* Whether that is a lock. */
bool mpi_window_lock_is_awaited(const MpiCall *call);
/* Returns the communicator that the window keeps for itself. */
const MpiComm *mpi_window_awaited_comm(const MpiCall *call);
/* Appends what it waits for: " waits for the lock of rank 0 of the window ..., which rank 1 has held since x.c:12". */
void mpi_window_describe_wait(GString *out, const MpiCall *call);
/* Returns the world rank that it cannot go on without; -1: there may be several. */
int64_t mpi_window_awaited_rank(const MpiCall *call);

/* Returns whether data that have arrived are the last of an access to a window: at its target or, if it gets some, at
 * its origin. Fills in what the access is, but for info->to_ps. */
bool mpi_rma_access_brings(const MpiRemoteHead *head, MpiAccessInfo *info);
/* Fills in what an access to the rank's own window is, but for info->to_ps. */
void mpi_rma_access_own(const MpiRemoteHead *head, MpiAccessInfo *info);

#endif
