/* wait_causes.h - why calls wait (wait_causes.c): what MpiCallInfo.waits tells. */
#ifndef ORRERY_MPI_WAIT_CAUSES_H
#define ORRERY_MPI_WAIT_CAUSES_H

#include "mpi/core/call.h"

/* Finds out from now on why calls wait. Call it again as often as you like. */
void mpi_wait_causes_begin(MpiWorld *world);
/* Returns the parts of the blocked time of a call that is over, in order. They are valid until the next call of one of
 * these functions. NULL, and 0 parts: it has not waited, or nobody has asked. */
const MpiWait *mpi_wait_causes_of(MpiWorld *world, const MpiCall *call, unsigned *n);
/* Returns the algorithm of the collective that such a call was; to be asked before. NULL: it was none. */
const char *mpi_wait_causes_algorithm(const MpiWorld *world, const MpiCall *call);
/* The same as mpi_wait_causes_of() for a call on its short way. */
const MpiWait *mpi_wait_causes_of_plain(MpiWorld *world, const MpiPlainCall *call, unsigned *n);

#endif
