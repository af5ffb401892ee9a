/* observed_collectives.h - see observed_collectives.c. */
#ifndef ORRERY_MPI_OBSERVED_COLLECTIVES_H
#define ORRERY_MPI_OBSERVED_COLLECTIVES_H

#include "mpi/mpi_world.h"

/* Tells observer->collective, which must not be NULL, about collectives from now on. It replaces the one before. */
void mpi_observe_collectives(MpiWorld *world, const MpiObserver *observer);

#endif
