/* functions.h - the code behind the functions of MPI, for worlds that are made (functions.c). */
#ifndef ORRERY_MPI_FUNCTIONS_H
#define ORRERY_MPI_FUNCTIONS_H

#include "mpi/core/call.h"

/* By row of functions.def. */
extern const MpiHandler mpi_function_handlers[];
/* Functions that programs may only mention, under both names. */
const VmExtern *mpi_functions_absent_externs(size_t *count);

#endif
