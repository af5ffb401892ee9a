/* observed_calls.h - tells an observer about calls (observed_calls.c). */
#ifndef ORRERY_MPI_OBSERVED_CALLS_H
#define ORRERY_MPI_OBSERVED_CALLS_H

#include "mpi/mpi_world.h"

/* Tells observer->call of all calls from now on, in the place of an observer that was set before. */
void mpi_observe_calls(MpiWorld *world, const MpiObserver *observer);

#endif
