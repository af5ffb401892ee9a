/* spawn.h - what MPI_Comm_spawn is asked for (spawn_arguments.c). */
#ifndef ORRERY_MPI_SPAWN_H
#define ORRERY_MPI_SPAWN_H

#include "mpi/process/process.h"

/* Arguments of MPI_Comm_spawn, or of MPI_Comm_spawn_multiple. */
typedef struct MpiRequested {
    uint32_t n;            /* number of programs */
    MpiSpawn *spawns;      /* how many ranks each will have, which `soft` may lessen */
    uint32_t *asked;       /* by program: maxprocs */
    uint32_t *errhandlers; /* by program: index of the initial error handler; 0: not said */
    uint64_t bytes;        /* size of all texts */
    GPtrArray *texts;      /* owns them */
} MpiRequested;
/* Reads the arguments of the root. What is wrong with them becomes the error of `end`. */
void mpi_spawn_arguments_read(MpiCall *call, bool multiple, MpiEnd *end, MpiRequested *requested);
void mpi_spawn_arguments_clear(MpiRequested *requested);

#endif
