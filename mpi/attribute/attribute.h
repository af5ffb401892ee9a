/* attribute.h - what programs cache on communicators and datatypes, for those who copy, free and report these. */
#ifndef ORRERY_MPI_ATTRIBUTE_H
#define ORRERY_MPI_ATTRIBUTE_H

#include "mpi/core/call.h"
#include "mpi/type/type.h"

/* Runs copy callbacks old -> new (delete callbacks of comm), which are upcalls: call->step is set to come back; `then`
 * is the handler that follows. */
MpiStep mpi_attributes_copy(MpiCall *call, MpiComm *from, MpiComm *to, MpiHandler then);
MpiStep mpi_attributes_delete(MpiCall *call, MpiComm *comm, MpiHandler then);
/* The same for datatypes. */
bool mpi_type_has_attributes(const MpiRank *rank, const MpiType *type);
/* The name that the program gave it, or its own; NULL: none. Predefined types are shared, so a rank's names for them
 * are kept beside its attributes. */
const char *mpi_attribute_type_name(const MpiRank *rank, const MpiType *type);
void mpi_attribute_type_rename(MpiRank *rank, MpiType *type, const char *name);
MpiStep mpi_type_attributes_copy(MpiCall *call, MpiType *from, MpiType *to, MpiHandler then);
MpiStep mpi_type_attributes_delete(MpiCall *call, MpiType *type, MpiHandler then);
/* Every key that the program has made and not freed, oldest first. */
void mpi_attributes_each_keyval(MpiRank *rank,
                                void (*visit)(MpiRank *rank, const char *made_by, uint32_t made_pc, void *user),
                                void *user);
/* Afterwards call->attribute.error is MPI_SUCCESS or what a callback answered. Deleting at the end without callbacks:
 */
void mpi_attributes_drop(MpiComm *comm);

/* Codes have been added: tells a program that holds the address of the attribute MPI_LASTUSEDCODE. */
void mpi_attributes_codes_changed(MpiRank *rank);

#endif
