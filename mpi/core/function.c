/* function.c - what functions.def says about each function. The code of the functions is listed in mpi/functions.c. */
#include "mpi/core/function.h"
#include "mpi/core/call.h"

#include <assert.h>

#define MPI_SORT_LOCAL  true
#define MPI_SORT_GLOBAL false

static const MpiFunction rows[] = {
#define MPI_FUNCTION(name, sort, arguments, standard)                                                                  \
    {{"MPI_" #name, standard, MPI_SORT_##sort}, "PMPI_" #name, arguments},
#define MPI_EXTENSION(name, sort, arguments, origin)                                                                   \
    {{"MPIX_" #name, origin, MPI_SORT_##sort}, "PMPIX_" #name, arguments},
#include "mpi/functions.def"
};

const MpiFunction *mpi_function(uint32_t function)
{
    assert(function < G_N_ELEMENTS(rows));
    return &rows[function];
}
