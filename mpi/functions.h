/* functions.h - the handlers of all MPI functions, for mpi_world_new() (functions.c). */
#ifndef ORRERY_MPI_FUNCTIONS_H
#define ORRERY_MPI_FUNCTIONS_H

#include "mpi/core/call.h"

/* The handlers, by row of functions.def. */
extern const MpiHandler mpi_function_handlers[];
/* Returns the functions that programs may mention but not call, under their MPI_ and PMPI_ names. */
const VmExtern *mpi_functions_absent_externs(size_t *count);

#endif
