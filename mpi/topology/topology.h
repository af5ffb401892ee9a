/* topology.h - grids and graphs, without MPI calls around them (cart.c, dims.c, graph_topologies.c). Ranks of a
 * grid count in row-major order: the last coordinate varies fastest (MPI-3.1 section 7.1).
 */
#ifndef ORRERY_MPI_TOPOLOGY_H
#define ORRERY_MPI_TOPOLOGY_H

#include "mpi/comm/comm.h"
#include "mpi/core/call.h"

MpiTopology *mpi_cart_new(int n, const MpiInt32 *dims, const MpiInt32 *periods);
/* Ranks in the grid. */
uint64_t mpi_cart_size(const MpiTopology *cart);
void mpi_cart_coordinates(const MpiTopology *cart, uint32_t rank, MpiInt32 *coordinates);
/* Coordinates in periodic dimensions wrap; -1 - i where coordinate i lies outside. */
int64_t mpi_cart_rank(const MpiTopology *cart, const int64_t *coordinates);
/* The rank `distance` away from `rank` in a dimension, or MPI_PROC_NULL_. */
int mpi_cart_neighbour(const MpiTopology *cart, uint32_t rank, int dimension, int64_t distance);
/* k factors of n, as equal as possible, not ascending (MPI_Dims_create). */
void mpi_dims_balanced_factors(uint32_t n, unsigned k, int *factors);

/* -- neighbours, whatever the topology (MPI-3.1 section 7.6) ----------------------------------- */

/* From how many processes this one receives in a neighbourhood collective, and to how many it sends; false: the
 * communicator has no topology. */
bool mpi_topology_degrees(const MpiComm *comm, int *sources, int *destinations);
/* Which ones, in arrays that long; MPI_PROC_NULL_ beyond the rims of a grid. */
void mpi_topology_neighbours(const MpiComm *comm, int *sources, int *destinations);

/* -- making communicators (cart.c) ------------------------------------------------------- */

/* Synchronizes the members of `parent`, then stores the new communicator at argument `result`; MPI_COMM_NULL where the
 * group is NULL. Members of one new communicator give the same colour. Takes group and topology. */
MpiStep mpi_topology_create(MpiCall *call, MpiComm *parent, int64_t colour, MpiGroup *group, MpiTopology *topology,
                            unsigned result);
/* The second half of that, for who has synchronized them: `turn` is mpi_comm_turn() of the parent from before.
 */
MpiStep mpi_topology_make(MpiCall *call, MpiComm *parent, uint64_t turn, int64_t colour, MpiGroup *group,
                          MpiTopology *topology, unsigned result);
/* The first n members. */
MpiGroup *mpi_topology_first_members(MpiGroup *group, uint32_t n);

/* -- `reorder` (reorder.c): a process for each vertex, such that neighbours lie near each other -- */

/* Fills in the members; the answer is referenced, and the same for all of them. */
MpiGroup *mpi_reorder(MpiWorld *world, const MpiComm *comm, MpiArrangement *arrangement);
MpiGroup *mpi_reorder_grid(MpiWorld *world, const MpiComm *comm, const MpiTopology *cart);
/* As in MPI_Graph_create. */
MpiGroup *mpi_reorder_graph(MpiWorld *world, const MpiComm *comm, uint32_t n, const MpiInt32 *index,
                            const MpiInt32 *edges);
/* Itself if this process is in it; else NULL, and it is given back. */
MpiGroup *mpi_topology_group_if_member(MpiGroup *group, const MpiRank *rank);

#endif
