/* handles.h - the table of a rank's handles (handles.c). */
#ifndef ORRERY_MPI_HANDLES_H
#define ORRERY_MPI_HANDLES_H

#include "mpi/core/call.h"

typedef struct MpiHandleEntry {
    void *object; /* NULL: free, `next` is the next free one */
    uint32_t kind;
    uint32_t next;
    uint32_t made_pc;   /* where the program got it, VCODE_NONE: not noted */
    uint16_t made_by;   /* row of functions.def */
    uint8_t generation; /* of the handle: a stale one is recognised */
} MpiHandleEntry;

/* What the table of handles has to know of what it holds. */
typedef struct MpiKind {
    void (*drop)(void *object);                         /* gives its reference back; NULL: somebody else does */
    void *(*predefined)(MpiRank *rank, uint32_t index); /* the object of a low index, or NULL; NULL: there is none */
} MpiKind;

typedef struct MpiHandleTable {
    MpiHandleEntry *entries;
    uint32_t count, capacity, free; /* free: index + 1 */
} MpiHandleTable;

/* Handle tables of a rank (handles.c): NULL where the handle is null, freed, foreign or of another kind. */
void *mpi_handle_lookup(MpiRank *rank, MpiHandleKind kind, MpiHandle handle);
MpiHandle mpi_handle_register(MpiCall *call, MpiHandleKind kind, void *object);
void mpi_handle_unregister(MpiRank *rank, MpiHandle handle);
/* Whether it is one of a slot that there is, in use or not. */
bool mpi_handle_was_given(const MpiRank *rank, MpiHandle handle);
void mpi_handle_unregister_kind(MpiRank *rank, MpiHandleKind kind); /* all of it */

/* Drops what the handle table holds. */
void mpi_handles_clear(MpiRank *rank);

#endif
