/* attribute.h - attributes that programs cache on communicators, datatypes and windows: copying, deleting and
 * reporting them. */
#ifndef ORRERY_MPI_ATTRIBUTE_H
#define ORRERY_MPI_ATTRIBUTE_H

#include "mpi/core/call.h"
#include "mpi/type/type.h"

/* What the struct of another kind of object with attributes (a window) begins with. */
typedef struct MpiAttributed {
    MpiRaiser raiser;      /* handle and error handler */
    GPtrArray *attributes; /* NULL while there are none */
} MpiAttributed;
/* Deletes the attributes of an object of this kind, as mpi_attributes_delete() does. */
MpiStep mpi_attribute_delete_all(MpiCall *call, MpiHandleKind kind, MpiAttributed *object, MpiHandler then);
/* Drops them without calling callbacks. */
void mpi_attribute_drop_all(MpiAttributed *object);
/* MPI_X_get_attr(object, keyval, &value, &flag), for a keyval that the program has made. */
MpiStep mpi_attribute_get(MpiCall *call, MpiHandleKind kind);

/* Run the copy callbacks of `from` for `to`, or the delete callbacks of `comm`. Callbacks are upcalls, so these
 * functions set call->step to come back; `then` is the handler that follows. Afterwards call->attribute.error is
 * MPI_SUCCESS or what a callback returned. */
MpiStep mpi_attributes_copy(MpiCall *call, MpiComm *from, MpiComm *to, MpiHandler then);
MpiStep mpi_attributes_delete(MpiCall *call, MpiComm *comm, MpiHandler then);
/* Whether the type has attributes on this rank. */
bool mpi_type_has_attributes(const MpiRank *rank, const MpiType *type);
/* Returns the name that the program gave the type, or its own name; NULL: none. Predefined types are shared, so a
 * rank's names for them are stored with its attributes. */
const char *mpi_attribute_type_name(const MpiRank *rank, const MpiType *type);
void mpi_attribute_type_rename(MpiRank *rank, MpiType *type, char *name); /* takes the name */
/* Copy or delete the attributes of datatypes, as the functions above do for communicators. */
MpiStep mpi_type_attributes_copy(MpiCall *call, MpiType *from, MpiType *to, MpiHandler then);
MpiStep mpi_type_attributes_delete(MpiCall *call, MpiType *type, MpiHandler then);
/* Visits every keyval that the program has made and not freed, oldest first. */
void mpi_attributes_each_keyval(MpiRank *rank,
                                void (*visit)(MpiRank *rank, const char *made_by, uint32_t made_pc, void *user),
                                void *user);
/* Deletes the attributes of a communicator without calling callbacks, at the end of the world. */
void mpi_attributes_drop(MpiComm *comm);

/* Error codes have been added. Updates the value of MPI_LASTUSEDCODE if the program holds its address. */
void mpi_attributes_codes_changed(MpiRank *rank);

#endif
