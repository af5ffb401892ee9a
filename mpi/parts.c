/* parts.c - the table of parts (parts.def): the only file that names all features that watch a run. */
#include "mpi/parts.h"
#include "mpi/core/hooks.h"

const MpiPart *const mpi_parts[] = {
#define MPI_PART(name) &mpi_part_##name,
#include "mpi/parts.def"
    NULL,
};
