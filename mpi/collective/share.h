/* share.h - the arguments that the members of a communicator must agree on when they call a collective. */
#ifndef ORRERY_MPI_SHARE_H
#define ORRERY_MPI_SHARE_H

#include "mpi/collective/schedule.h"
#include "mpi/core/call.h"

#define MPI_NO_BYTES UINT64_MAX

/* What one member's arguments say. Sizes are packed bytes: count times size of the type. */
struct MpiShare {
    int root;              /* -1: no root. Inter-communicators: rank in MPI_COMM_WORLD, -1: not known to this member */
    const MpiOp *op;       /* NULL: no operator */
    uint64_t gives, takes; /* size of an outgoing and of an incoming block, if it is the same for all members;
                            * MPI_NO_BYTES if not */
    const MpiType *gives_type, *takes_type; /* types of those blocks */
    const uint64_t *blocks;                 /* v forms: size of the block of each peer; else NULL */
    uint32_t n_blocks;                      /* length of `blocks` */
    uint64_t own;                           /* v forms: size of this member's block, or MPI_NO_BYTES */
    bool blocks_go_out;   /* a scatter: `blocks` go out and `own` comes in; false: the other way round */
    const MpiPlan *pairs; /* the plan, if each pair of members has its own size; else NULL */
    bool in_place_of_all; /* MPI_IN_PLACE must be given by all members or by none */
    bool in_place;        /* this member gave MPI_IN_PLACE */
};
static inline MpiShare mpi_share_none(int root)
{
    return (MpiShare){.root = root, .gives = MPI_NO_BYTES, .takes = MPI_NO_BYTES, .own = MPI_NO_BYTES};
}

/* Asks whether the members agree so far, for a collective that moves no data of the program. */
bool mpi_share_check(MpiCall *call, MpiComm *comm, int root, MpiStep *step);

#endif
