/* places.h - where a rank is in the program (places.c). */
#ifndef ORRERY_MPI_PLACES_H
#define ORRERY_MPI_PLACES_H

#include "mpi/core/call.h"
#include "mpi/core/world.h"

/* Appends the source location of pc, such as "ring.c:31", or "?" if it is not known. */
void mpi_append_place(GString *out, VmRank *process, uint32_t pc);

/* Returns the innermost pc on the rank's stack that is not in the runtime library. call->pc has this value. */
uint32_t mpi_place_in_program(VmRank *process);

/* Returns where in the program the rank makes its GLOBAL call: mpi_place_in_program() with a cache. */
uint32_t mpi_place_find(MpiWorld *world, VmRank *process);
static inline uint32_t mpi_place_of_call(MpiWorld *world, VmRank *process)
{
    uint32_t pc = vm_rank_pc(process, 0);
    const MpiPlace *place = &world->places[pc % MPI_PLACES];
    return G_LIKELY(place->image == vm_rank_image(process) && place->pc == pc) ? pc : mpi_place_find(world, process);
}

/* Appends a call and its source location: "MPI_Send at a.c:12". If name is NULL, uses the function called at pc. */
void mpi_append_call_place(GString *out, VmRank *process, const char *name, uint32_t pc);

#endif
