/* stores.h - stores small results in the program's memory (stores.c). */
#ifndef ORRERY_MPI_STORES_H
#define ORRERY_MPI_STORES_H

#include "mpi/core/call.h"

/* Stores a handle or an int at an address of the program. Returns false if the address is invalid. */
bool mpi_store_handle(MpiCall *call, uint64_t address, MpiHandle handle);
bool mpi_store_int(MpiCall *call, uint64_t address, int value);

#endif
