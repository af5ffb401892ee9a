/* check_mpi.h - the checks of MPI calls. */
#ifndef ORRERY_COMPILER_CHECK_MPI_H
#define ORRERY_COMPILER_CHECK_MPI_H

#include "compiler/tree/tree.h"

/* Looks at the whole unit; once for all the warnings of mpi_checks.def. */
void cc_check_mpi(CcUnit *unit);

#endif
