/* making.h - shared by the makers of communicators (creation.c, splits.c, intercommunicators.c). */
#ifndef ORRERY_MPI_MAKING_H
#define ORRERY_MPI_MAKING_H

#include "mpi/attribute/attribute.h"
#include "mpi/collective/collective.h"
#include "mpi/core/call.h"

/* State of a call that makes a communicator from another one. */
typedef struct MpiCreation {
    MpiComm *parent; /* referenced */
    MpiComm *made;   /* the new communicator, or NULL */
    uint64_t turn;   /* number of the collective that makes it (turns.c) */
    MpiGroup *group; /* create: referenced */
    MpiInfo *hints;  /* hints for the new communicator, or NULL */
    int32_t colour;  /* split: the rank's colour */
    bool divides;    /* split: make one only if there is more than one colour */
    unsigned result; /* number of the argument that the handle is stored at */
} MpiCreation;

/* Makes the state of a call; the call owns it. */
MpiCreation *mpi_creation_begin(MpiCall *call, MpiComm *parent, unsigned result);
/* Makes and registers a communicator. Takes the references to the groups. `remote` is NULL, or the other group of an
 * inter-communicator. Members that get different communicators in one creation have different colours. */
MpiComm *mpi_creation_make(MpiCall *call, MpiCreation *creation, int64_t colour, MpiGroup *group, MpiGroup *remote);
/* Begins to copy the communicator in argument 0. If `hints_given`, argument 1 is an info object with hints; otherwise
 * the copy has none (MPI-4.1 section 7.4.2). The handle is stored at the next argument. If
 * `request`, the argument after that is for a request. Returns NULL on an error, which is in *step. */
MpiCreation *mpi_creation_begin_dup(MpiCall *call, bool hints_given, bool request, MpiStep *step);
/* Makes the communicator like its parent and copies the attributes. `then` must look at call->attribute.error. */
MpiStep mpi_creation_duplicate(MpiCall *call, MpiCreation *creation, MpiHandler then);
/* Ends the call with an error because an attribute's copy callback has refused. */
MpiStep mpi_creation_refused(MpiCall *call, const MpiCreation *creation);
/* Gets a group in argument `arg`, which must consist of members of the communicator. */
bool mpi_check_creation_members(MpiCall *call, MpiComm *comm, unsigned arg, MpiGroup **group, MpiStep *step);
/* Gets the communicator in the variable at argument 0, and checks that it may be freed. */
bool mpi_comm_free_parse(MpiCall *call, MpiComm **comm, MpiStep *step);
/* Deletes the attributes of a communicator, then frees it. */
MpiStep mpi_comm_free_begin(MpiCall *call, MpiComm *comm);

/* Splitting (splits.c). Each member enters its colour and key. When all have done so, each takes its group. If both
 * groups of an inter-communicator split, `remote` gets the group of the same colour on the other side.
 * mpi_split_take() returns NULL if there is no group. */
enum { MPI_SPLIT_BYTES = 16 }; /* size of colour and key, as two 64-bit words, which a member sends to the others */
void mpi_split_enter(MpiCall *call, const MpiCreation *creation, int32_t key);
MpiGroup *mpi_split_take(MpiCall *call, const MpiCreation *creation, MpiGroup **remote);
/* For MPI_Intercomm_merge. The members of a side must all give the same colour. Returns the group of both sides, with
 * the lower colour first; NULL: colours differ within a side. */
MpiGroup *mpi_split_merge(MpiCall *call, const MpiCreation *creation);
/* Takes one or two groups and makes the communicator that the call returns. */
MpiStep mpi_split_finish(MpiCall *call);

#endif
