/* places.h - where in the program a rank is (places.c). */
#ifndef ORRERY_MPI_PLACES_H
#define ORRERY_MPI_PLACES_H

#include "mpi/core/call.h"

/* Appends "ring.c:31" for a place in the program, "?" where it is not known. */
void mpi_append_place(GString *out, VmRank *process, uint32_t pc);

/* The innermost place that is not in the runtime library: what call->pc is. */
uint32_t mpi_place_in_program(VmRank *process);

/* Where in the program the rank makes its GLOBAL call (mpi_place_in_program(), remembered). */
uint32_t mpi_place_of_call(MpiWorld *world, VmRank *process);

/* "MPI_Send at a.c:12"; name NULL: the function that is called there. */
void mpi_append_call_place(GString *out, VmRank *process, const char *name, uint32_t pc);

#endif
