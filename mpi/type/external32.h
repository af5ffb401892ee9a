/* external32.h - the data representation "external32" (external32.c). */
#ifndef ORRERY_MPI_EXTERNAL32_H
#define ORRERY_MPI_EXTERNAL32_H

#include "mpi/type/type.h"

/* Bytes of one item. */
uint64_t mpi_external32_size(const MpiType *type);
/* Converts `count` items from the native packed form, or back. NULL, or what a value is that has no representation. */
const char *mpi_external32_encode(const MpiType *type, uint64_t count, const char *native, char *external);
const char *mpi_external32_decode(const MpiType *type, uint64_t count, const char *external, char *native);

#endif
