/* function.h - the functions of MPI, by their rows in functions.def (function.c). */
#ifndef ORRERY_MPI_FUNCTION_H
#define ORRERY_MPI_FUNCTION_H

#include "mpi/mpi_world.h"

enum { /* rows of functions.def */
#define MPI_FUNCTION(name, sort, arguments, standard) MPI_FUNCTION_##name,
#include "mpi/functions.def"
       MPI_FUNCTIONS
};

typedef struct MpiFunction {
    MpiFunctionInfo info;
    const char *profiling_name; /* "PMPI_Send" */
    unsigned arguments;         /* number of arguments */
} MpiFunction;
/* Returns a row of functions.def. */
const MpiFunction *mpi_function(uint32_t function);
/* Whether a function may be called at any time. These are the functions of MPI-3.1 section 8.7 and those that MPI-4.0
 * section 11.4.1 adds. MPI_Wtime and MPI_Wtick are among them because many programs call them early and all libraries
 * allow it. */
bool mpi_function_is_always_allowed(uint32_t function);

#endif
