/* making.h - what the makers of communicators share (creation.c, splits.c, intercommunicators.c). */
#ifndef ORRERY_MPI_MAKING_H
#define ORRERY_MPI_MAKING_H

#include "mpi/attribute/attribute.h"
#include "mpi/collective/collective.h"
#include "mpi/core/call.h"

/* State of a call that makes a communicator out of another one. */
typedef struct MpiCreation {
    MpiComm *parent; /* referenced */
    MpiComm *made;
    uint64_t turn;   /* of the collective that makes it (turns.c) */
    MpiGroup *group; /* create: referenced */
    MpiInfo *hints;  /* dup: of the new communicator */
    int32_t colour;  /* split */
    bool divides;    /* split: only if there is more than one colour */
    unsigned result; /* number of the argument where the handle goes */
} MpiCreation;

/* The call's state from now on. */
MpiCreation *mpi_creation_begin(MpiCall *call, MpiComm *parent, unsigned result);
/* Makes and registers it; takes the references to the groups. `remote` is NULL, or the other group of an
 * inter-communicator. Members of one creation that get different communicators have different colours. */
MpiComm *mpi_creation_make(MpiCall *call, MpiCreation *creation, int64_t colour, MpiGroup *group, MpiGroup *remote);
/* Begins a copy of the communicator that argument 0 names. `hints_given`: argument 1 is an info object with hints, else
 * those of the communicator go along (MPI-3.1 section 6.4.2). The next argument is where the handle goes, and behind
 * it, if there is one, the `request`. NULL: an error in *step. */
MpiCreation *mpi_creation_begin_dup(MpiCall *call, bool hints_given, bool request, MpiStep *step);
/* Makes it like its parent, with copies of the attributes; `then` looks at call->attribute.error: */
MpiStep mpi_creation_duplicate(MpiCall *call, MpiCreation *creation, MpiHandler then);
/* ... an attribute's copy function has refused. */
MpiStep mpi_creation_refused(MpiCall *call, const MpiCreation *creation);
/* A group of members of the communicator. */
bool mpi_check_creation_members(MpiCall *call, MpiComm *comm, unsigned arg, MpiGroup **group, MpiStep *step);
/* The communicator in the variable at argument 0, which may be freed; and its freeing. */
bool mpi_comm_free_parse(MpiCall *call, MpiComm **comm, MpiStep *step);
MpiStep mpi_comm_free_begin(MpiCall *call, MpiComm *comm);

/* Splitting (splits.c). Each member says its colour and key, and when all have, takes its group; where both groups of
 * an inter-communicator split, `remote` gets the group of the same colour on the other side. NULL: there is none. */
enum { MPI_SPLIT_BYTES = 16 }; /* that a member tells the others: colour and key, as two 64-bit words */
void mpi_split_enter(MpiCall *call, const MpiCreation *creation, int32_t key);
MpiGroup *mpi_split_take(MpiCall *call, const MpiCreation *creation, MpiGroup **remote);
/* MPI_Intercomm_merge: the members of a side have all said the same colour, and the sides are put together, the lower
 * colour first. NULL: they have not. */
MpiGroup *mpi_split_merge(MpiCall *call, const MpiCreation *creation);
/* Takes a group, or two, and makes what the call is to return. */
MpiStep mpi_split_finish(MpiCall *call);

#endif
