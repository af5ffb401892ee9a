/* handles.h - the table of a rank's handles (handles.c). */
#ifndef ORRERY_MPI_HANDLES_H
#define ORRERY_MPI_HANDLES_H

#include "mpi/core/call.h"

typedef struct MpiHandleEntry {
    void *object; /* NULL: the entry is free */
    uint32_t kind;
    uint32_t next;      /* if free: index + 1 of the next free entry, 0: none */
    uint32_t made_pc;   /* location of the call that returned it to the program; VCODE_NONE: not recorded */
    uint16_t made_by;   /* row of functions.def that returned it */
    uint8_t generation; /* part of the handle, so that a stale handle is recognised */
} MpiHandleEntry;

/* What the handle table must know about a kind of object. */
typedef struct MpiKind {
    void (*drop)(void *object);                         /* releases the table's reference; NULL: another owner does */
    void *(*predefined)(MpiRank *rank, uint32_t index); /* returns the object of a low index, or NULL; NULL: no
                                                         * predefined objects */
} MpiKind;

typedef struct MpiHandleTable {
    MpiHandleEntry *entries;
    uint32_t count, capacity, free; /* free: index + 1 of the first free entry, 0: none */
} MpiHandleTable;

/* Returns the object of a handle, or NULL if the handle is null, freed, foreign or of another kind. */
void *mpi_handle_lookup(MpiRank *rank, MpiHandleKind kind, MpiHandle handle);
/* Gives an object a handle in the table of the call's rank, and records the call as its origin. */
MpiHandle mpi_handle_register(MpiCall *call, MpiHandleKind kind, void *object);
/* The same for a call that has no MpiCall. */
MpiHandle mpi_handle_register_at(MpiRank *rank, const MpiMaker *maker, MpiHandleKind kind, void *object);
void mpi_handle_unregister(MpiRank *rank, MpiHandle handle);
/* The object was made by MPI and not by the program, which need not free it. */
void mpi_handle_disown(MpiRank *rank, MpiHandle handle);
/* Whether the slot of the handle exists in the table, used or free. */
bool mpi_handle_was_given(const MpiRank *rank, MpiHandle handle);
void mpi_handle_unregister_kind(MpiRank *rank, MpiHandleKind kind); /* removes all handles of a kind */

/* Releases all objects in the handle table, and frees the table. */
void mpi_handles_clear(MpiRank *rank);

#endif
