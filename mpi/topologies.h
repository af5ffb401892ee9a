/* topologies.h - the arithmetic of Cartesian grids, without MPI calls around it (topologies.c, dims.c). Ranks count in
 * row- major order: the last coordinate varies fastest (MPI-3.1 section 7.1).
 */
#ifndef ORRERY_MPI_TOPOLOGIES_H
#define ORRERY_MPI_TOPOLOGIES_H

#include "mpi/local.h"

MpiTopology *mpi_cart_new(int n, const MpiInt32 *dims, const MpiInt32 *periods);
/* Ranks in the grid. */
uint64_t mpi_cart_size(const MpiTopology *cart);
void mpi_cart_coordinates(const MpiTopology *cart, uint32_t rank, MpiInt32 *coordinates);
/* Coordinates in periodic dimensions wrap; -1 - i where coordinate i lies outside. */
int64_t mpi_cart_rank(const MpiTopology *cart, const int64_t *coordinates);
/* The rank `distance` away from `rank` in a dimension, or MPI_PROC_NULL_. */
int mpi_cart_neighbour(const MpiTopology *cart, uint32_t rank, int dimension, int64_t distance);
/* k factors of n, as equal as possible, not ascending (MPI_Dims_create). */
void mpi_balanced_factors(uint32_t n, unsigned k, int *factors);

#endif
