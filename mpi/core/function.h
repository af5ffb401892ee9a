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

#endif
