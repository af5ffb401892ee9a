/* info.h - info objects for who takes hints (info.c). */
#ifndef ORRERY_MPI_INFO_H
#define ORRERY_MPI_INFO_H

#include "mpi/core/internal.h"

/* Constants that mpi.h repeats. The terminating zero counts. */
enum { MPI_MAX_INFO_KEY_ = 256, MPI_MAX_INFO_VAL_ = 1024, MPI_INFO_ENV_INDEX = 1 };

MpiInfo *mpi_info_new(void);
MpiInfo *mpi_info_copy(const MpiInfo *info);
void mpi_info_free(MpiInfo *info); /* NULL is allowed */
/* The value of a key, NULL where there is none. */
const char *mpi_info_get(const MpiInfo *info, const char *key);
void mpi_info_set(MpiInfo *info, const char *key, const char *value);
/* The info object of an argument that may be MPI_INFO_NULL, as a copy, or NULL. */
bool mpi_check_hints(MpiCall *call, MpiComm *comm, unsigned arg, MpiInfo **hints, MpiStep *step);

/* Only whether it is one, or MPI_INFO_NULL: for functions to which hints say nothing. */
bool mpi_check_info(MpiCall *call, MpiComm *comm, unsigned arg, MpiStep *step);

#endif
