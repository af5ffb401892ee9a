/* observed_events.h - see observed_events.c. */
#ifndef ORRERY_MPI_OBSERVED_EVENTS_H
#define ORRERY_MPI_OBSERVED_EVENTS_H

#include "mpi/mpi_world.h"

/* Tells observer->event, which must not be NULL, about messages, errors and findings from now on. It replaces the one
 * before. */
void mpi_observe_events(MpiWorld *world, const MpiObserver *observer);

#endif
