/* check_mpi.h - the checks of MPI calls. */
#ifndef ORRERY_COMPILER_CHECK_MPI_H
#define ORRERY_COMPILER_CHECK_MPI_H

#include "compiler/tree/tree.h"

/* Runs all checks of mpi_checks.def over the unit. */
void cc_check_mpi(CcUnit *unit);

#endif
