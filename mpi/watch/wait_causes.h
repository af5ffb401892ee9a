/* wait_causes.h - why calls wait (wait_causes.c): what MpiCallInfo.waits tells. */
#ifndef ORRERY_MPI_WAIT_CAUSES_H
#define ORRERY_MPI_WAIT_CAUSES_H

#include "mpi/core/call.h"

/* Finds out from now on why calls wait. Call it again as often as you like. `sums`: parts with the same cause may be
 * one (MpiObserver.sums). */
void mpi_wait_causes_begin(MpiWorld *world, bool sums);
/* Returns the parts of the blocked time of a call that is over, in order. They are valid until the next call of one of
 * these functions. NULL, and 0 parts: it has not waited, or nobody has asked. */
const MpiWait *mpi_wait_causes_of(MpiWorld *world, const MpiCall *call, unsigned *n);
/* Sets which collective such a call has begun, and its algorithm; to be asked before. */
void mpi_wait_causes_collective(const MpiWorld *world, const MpiCall *call, MpiCallInfo *info);
/* The same as mpi_wait_causes_of() for a call on its short way. */
const MpiWait *mpi_wait_causes_of_plain(MpiWorld *world, const MpiPlainCall *call, unsigned *n);

#endif
