/* parts.h - the features that watch a run, and other data made with a world. parts.c has their order. */
#ifndef ORRERY_MPI_PARTS_H
#define ORRERY_MPI_PARTS_H

#include "mpi/core/hooks.h"

#define MPI_PART(name) extern const MpiPart mpi_part_##name;
#include "mpi/parts.def"

/* All parts, NULL-terminated. */
extern const MpiPart *const mpi_parts[];

#endif
