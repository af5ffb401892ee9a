/* handlers.h - mpi_do_NAME(): what does the work of each row of functions.def. */
#ifndef ORRERY_MPI_HANDLERS_H
#define ORRERY_MPI_HANDLERS_H

#include "mpi/core/call.h"

#define MPI_FUNCTION(name, sort, arguments, standard) MpiStep mpi_do_##name(MpiCall *call);
#include "mpi/functions.def"

/* MPI_HANDLER(NAME, work): mpi_do_NAME(), where one function does the work of several, told which of them it is. */
#define MPI_HANDLER(name, work)                                                                                        \
    MpiStep mpi_do_##name(MpiCall *call)                                                                               \
    {                                                                                                                  \
        return work;                                                                                                   \
    }

#endif
