/* share.h - what the members of a communicator must agree on when they call a collective. */
#ifndef ORRERY_MPI_SHARE_H
#define ORRERY_MPI_SHARE_H

#include "mpi/collective/schedule.h"
#include "mpi/core/call.h"

#define MPI_NO_BYTES UINT64_MAX

/* What one member says by its arguments. Amounts are packed bytes: count times size of the type. */
struct MpiShare {
    int root;              /* -1: there is none; inter-communicators: in MPI_COMM_WORLD, -1: not known here */
    const MpiOp *op;       /* or NULL */
    uint64_t gives, takes; /* the same for all members: of a block that goes out, that comes in; MPI_NO_BYTES */
    const MpiType *gives_type, *takes_type; /* of those */
    const uint64_t *blocks;                 /* of the v forms: the block of each peer; NULL */
    uint32_t n_blocks;                      /* of those */
    uint64_t own;                           /* of the v forms: this member's block, or MPI_NO_BYTES */
    bool blocks_go_out;   /* `blocks` are given, `own` is taken: a scatter; else the other way round */
    const MpiPlan *pairs; /* each pair has its own amount: those of this plan; NULL */
    bool in_place_of_all; /* MPI_IN_PLACE is for all members or none ... */
    bool in_place;        /* ... and was given here */
};
static inline MpiShare mpi_share_none(int root)
{
    return (MpiShare){.root = root, .gives = MPI_NO_BYTES, .takes = MPI_NO_BYTES, .own = MPI_NO_BYTES};
}

/* Of a collective that moves no data of the program: whether the members agree so far. */
bool mpi_share_check(MpiCall *call, MpiComm *comm, int root, MpiStep *step);

#endif
