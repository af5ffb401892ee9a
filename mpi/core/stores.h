/* stores.h - small results in the program's memory (stores.c). */
#ifndef ORRERY_MPI_STORES_H
#define ORRERY_MPI_STORES_H

#include "mpi/core/call.h"

/* Stores a handle or int in the program's memory. */
bool mpi_store_handle(MpiCall *call, uint64_t address, MpiHandle handle);
bool mpi_store_int(MpiCall *call, uint64_t address, int value);

#endif
