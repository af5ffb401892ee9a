/* ports.h - ports as far as MPI_Comm_accept and MPI_Comm_connect must know them (ports.c). */
#ifndef ORRERY_MPI_PORTS_H
#define ORRERY_MPI_PORTS_H

#include "mpi/core/call.h"

bool mpi_port_is_open(MpiWorld *world, const char *name);

#endif
