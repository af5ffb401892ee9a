/* environment.h - error codes and classes, including those that programs add (error_codes.c). */
#ifndef ORRERY_MPI_ENVIRONMENT_H
#define ORRERY_MPI_ENVIRONMENT_H

#include "mpi/attribute/attribute.h"

/* Returns the text of MPI_Error_string for a class or code of MPI or of the program, without the name; NULL if there
 * is none. */
const char *mpi_error_text(const MpiRank *rank, int code);

#endif
