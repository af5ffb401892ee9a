/* kinds.h - the functions behind the kinds of handles, for mpi_world_new() (kinds.c). */
#ifndef ORRERY_MPI_KINDS_H
#define ORRERY_MPI_KINDS_H

#include "mpi/core/handles.h"

/* The functions, by MpiHandleKind. */
extern const MpiKind mpi_kinds[];

#endif
