/* environment.h - error codes and classes, also those that programs add (error_codes.c). */
#ifndef ORRERY_MPI_ENVIRONMENT_H
#define ORRERY_MPI_ENVIRONMENT_H

#include "mpi/attribute/attribute.h"

/* What MPI_Error_string says of a class or code that MPI or the program has made, without the name; NULL
 * where there is none. */
const char *mpi_error_text(const MpiRank *rank, int code);

#endif
