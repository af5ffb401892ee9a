/* window_uses.h - shared by the files of --check=windows: what --check=windows keeps of a member's window.
 *
 *   check_windows.c   accesses of others, epochs, locks: who knows that what is over
 *   window_touches.c  loads and stores of the member itself
 *   shared_races.c    loads and stores of all ranks to memory that they share
 */
#ifndef ORRERY_MPI_WINDOW_USES_H
#define ORRERY_MPI_WINDOW_USES_H

#include "mpi/check/memory_areas.h"
#include "mpi/core/world.h"
#include "mpi/rma/rma.h"
#include "mpi/watch/choices.h"

/* An access to a member's window. */
typedef struct Access {
    MpiArea area; /* first member, since sets see only this */
    MpiWindowAccess access;
    uint32_t pc;
    const char *name;
    uint32_t refs;
    uint32_t begun; /* step of the origin in which it was made */
    uint32_t end;   /* step of the origin from which on it is certain to be done; 0: there is none yet */
} Access;

typedef struct Touches Touches;           /* loads and stores of a member to its own window */
typedef struct SharedMemory SharedMemory; /* what ranks have done to memory that they share */
typedef struct SharedUses SharedUses;     /* and what a member has, since its last call */

/* What is kept of a member's window; MpiWindowAccess.kept. */
typedef struct WindowUses {
    MpiAreaSet set;   /* Access, one reference each */
    GHashTable *open; /* world rank of an origin -> GPtrArray of Access that have no end; looked up, never iterated */
    guint room;       /* number of accesses from which on those are forgotten that are over */
    uint64_t epoch;   /* of the last access */
    GArray *holders;  /* Holder of the lock, or who asks for it */
    MpiClock *shared; /* what those know who gave back a shared lock */
    MpiClock *exclusive; /* and an exclusive one */
    MpiClock *posted;    /* what the member knew at MPI_Win_post */
    MpiClock *completed; /* what origins knew at MPI_Win_complete */
    MpiClock *written;   /* what origins knew when they made accesses that change it */
    uint64_t exposures;  /* number of exposures that are over */
    MpiRank *owner;      /* the member; NULL: it has not come out of the call that makes the window */
    MpiWin *win;
    uint8_t lock; /* MpiLockSort that the member has at itself */
    bool polls;   /* the member may look for what others have put while they do, as it locks itself or MPI_Win_sync */
    bool stored;  /* it has stored something since it last synchronised */
    uint32_t stored_pc;
    Touches *touches;
    SharedMemory *memory; /* of a shared window, at its first member */
    SharedUses *sharing;  /* NULL: the window is not shared */
} WindowUses;

WindowUses *mpi_window_uses(MpiSlotValue *kept);
/* Whether the access is over for the member: it knows that, or has waited for its exposure to end. */
bool mpi_window_is_over(const WindowUses *uses, const Access *access);
/* Whether locks keep two accesses apart. */
static inline bool mpi_window_locks_apart(unsigned lock, unsigned other)
{
    return lock && other && (lock == MPI_LOCK_EXCLUSIVE || other == MPI_LOCK_EXCLUSIVE);
}

/* -- window_touches.c -------------------------------------------------------------------------- */

/* Begins and ceases to watch what the member does to its own memory. Attached memory has changed. */
void mpi_touches_begin(WindowUses *uses);
void mpi_touches_cease(WindowUses *uses);
void mpi_touches_fit(WindowUses *uses);
void mpi_touches_free(Touches *touches);
/* The member has come to a call: what it has done since its last one is compared with accesses of others, and kept.
 * Returns false, with *step, after a finding. */
bool mpi_touches_close(MpiCall *call, WindowUses *uses, MpiStep *step);
/* Compares an access with what the member has done before its last call. */
bool mpi_touches_allow(MpiCall *call, const WindowUses *uses, const Access *access, MpiStep *step);

/* -- shared_races.c ---------------------------------------------------------------------------- */

/* Begins and ceases to watch what the member does to the memory that ranks share, if they do. */
void mpi_shared_begin(WindowUses *uses);
void mpi_shared_cease(WindowUses *uses);
void mpi_shared_memory_free(SharedMemory *memory);
/* The member has come to a call: tells it of a race. Returns false, with *step, after a finding. */
bool mpi_shared_close(MpiCall *call, WindowUses *uses, MpiStep *step);

#endif
