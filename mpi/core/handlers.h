/* handlers.h - declares mpi_do_NAME(), the handler of each row of functions.def. */
#ifndef ORRERY_MPI_HANDLERS_H
#define ORRERY_MPI_HANDLERS_H

#include "mpi/core/call.h"

#define MPI_FUNCTION(name, sort, arguments, standard) MpiStep mpi_do_##name(MpiCall *call);
#include "mpi/functions.def"

/* MPI_HANDLER(NAME, work) defines mpi_do_NAME() for functions that share one implementation. `work` calls it with what
 * is particular to NAME. */
#define MPI_HANDLER(name, work)                                                                                        \
    MpiStep mpi_do_##name(MpiCall *call)                                                                               \
    {                                                                                                                  \
        return work;                                                                                                   \
    }

#endif
