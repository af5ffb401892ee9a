/* topology.h - grids and graphs, independently of MPI calls (cart.c, dims.c, graph_topologies.c). The ranks of a grid
 * are in row-major order: the last coordinate varies fastest (MPI-3.1 section 7.1).
 */
#ifndef ORRERY_MPI_TOPOLOGY_H
#define ORRERY_MPI_TOPOLOGY_H

#include "mpi/comm/comm.h"
#include "mpi/core/call.h"

MpiTopology *mpi_cart_new(int n, const MpiInt32 *dims, const MpiInt32 *periods);
/* Returns the number of ranks in the grid. */
uint64_t mpi_cart_size(const MpiTopology *cart);
void mpi_cart_coordinates(const MpiTopology *cart, uint32_t rank, MpiInt32 *coordinates);
/* Returns the rank at the coordinates. In periodic dimensions they wrap. Returns -1 - i if coordinate i is outside. */
int64_t mpi_cart_rank(const MpiTopology *cart, const int64_t *coordinates);
/* Returns the rank `distance` away from `rank` in a dimension, or MPI_PROC_NULL_. */
int mpi_cart_neighbour(const MpiTopology *cart, uint32_t rank, int dimension, int64_t distance);
/* Computes k factors of n, as equal as possible, not ascending (MPI_Dims_create). */
void mpi_dims_balanced_factors(uint32_t n, unsigned k, int *factors);

/* -- neighbours, whatever the topology (MPI-3.1 section 7.6) ----------------------------------- */

/* Counts the processes that this one receives from in a neighbourhood collective, and those that it sends to. Returns
 * false if the communicator has no topology. */
bool mpi_topology_degrees(const MpiComm *comm, int *sources, int *destinations);
/* Stores these processes in arrays of that length; MPI_PROC_NULL_ beyond the border of a grid. */
void mpi_topology_neighbours(const MpiComm *comm, int *sources, int *destinations);

/* -- making communicators (cart.c) ------------------------------------------------------- */

/* Numbers of arguments of a call that makes a communicator. */
typedef struct MpiTopologyArgs {
    unsigned result; /* where the handle goes */
    unsigned hints;  /* the info object; 0: there is none */
} MpiTopologyArgs;

/* Synchronizes the members of `parent`, then stores the new communicator, or MPI_COMM_NULL if the group is NULL.
 * Members of one new communicator give the same colour. Takes group and topology. */
MpiStep mpi_topology_create(MpiCall *call, MpiComm *parent, int64_t colour, MpiGroup *group, MpiTopology *topology,
                            MpiTopologyArgs args);
/* The second half of mpi_topology_create(), for callers that have synchronized the members. `turn` is mpi_comm_turn()
 * of the parent before that.
 */
MpiStep mpi_topology_make(MpiCall *call, MpiComm *parent, uint64_t turn, int64_t colour, MpiGroup *group,
                          MpiTopology *topology, MpiTopologyArgs args);
/* Returns a group of the first n members. */
MpiGroup *mpi_topology_first_members(MpiGroup *group, uint32_t n);

/* -- `reorder` (reorder.c): a process for each vertex, such that neighbours lie near each other -- */

/* Returns a group with a process for each vertex, the same for all members; the caller gets a reference. Fills in the
 * candidates of the arrangement. */
MpiGroup *mpi_reorder(MpiWorld *world, const MpiComm *comm, MpiArrangement *arrangement);
MpiGroup *mpi_reorder_grid(MpiWorld *world, const MpiComm *comm, const MpiTopology *cart);
/* The graph is given as in MPI_Graph_create. */
MpiGroup *mpi_reorder_graph(MpiWorld *world, const MpiComm *comm, uint32_t n, const MpiInt32 *index,
                            const MpiInt32 *edges);
/* Returns the group if this process is a member. Otherwise releases it and returns NULL. */
MpiGroup *mpi_topology_group_if_member(MpiGroup *group, const MpiRank *rank);

#endif
