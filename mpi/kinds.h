/* kinds.h - the functions behind the kinds of handles, for worlds that are made (kinds.c). */
#ifndef ORRERY_MPI_KINDS_H
#define ORRERY_MPI_KINDS_H

#include "mpi/core/handles.h"

/* By MpiHandleKind. */
extern const MpiKind mpi_kinds[];

#endif
