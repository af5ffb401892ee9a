/* matched_probes.c with the functions for large counts (MPI-4.0 section 2.5.8). */
#include <mpi.h>

#define MPI_Mrecv  MPI_Mrecv_c
#define MPI_Imrecv MPI_Imrecv_c

#include "matched_probes.c"
