/* binomial_tree.h - the tree of collectives with a root, over virtual ranks v = (rank - root) mod n.
 *
 * The parent of v is v with its lowest set bit cleared. The children of v are v + 2^k for all 2^k below v's lowest set
 * bit (below n for the root), as far as they exist.
 */
#ifndef ORRERY_MPI_BINOMIAL_TREE_H
#define ORRERY_MPI_BINOMIAL_TREE_H

#include "mpi/collective/schedule.h"

static inline uint32_t mpi_virtual_rank(const MpiPlan *plan)
{
    return (plan->rank + plan->size - plan->root) % plan->size;
}

static inline uint32_t mpi_real_rank(const MpiPlan *plan, uint64_t v)
{
    return (uint32_t)((v + plan->root) % plan->size);
}

/* Returns the number of ranks in v's subtree if n were a power of two: v's lowest set bit. */
static inline uint64_t mpi_subtree(const MpiPlan *plan, uint32_t v)
{
    return v ? v & -v : UINT64_C(1) << mpi_rounds_log2(plan->size);
}

#endif
