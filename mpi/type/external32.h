/* external32.h - the data representation "external32" (external32.c). */
#ifndef ORRERY_MPI_EXTERNAL32_H
#define ORRERY_MPI_EXTERNAL32_H

#include "mpi/type/type.h"

/* Returns the size of one item in bytes. */
uint64_t mpi_external32_size(const MpiType *type);
/* Convert `count` items from the native packed form or back. Return NULL, or a description of a value that cannot be
 * represented. */
const char *mpi_external32_encode(const MpiType *type, uint64_t count, const char *native, char *external);
const char *mpi_external32_decode(const MpiType *type, uint64_t count, const char *external, char *native);

#endif
