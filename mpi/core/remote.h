/* remote.h - what the message path and observers know of a transfer of one-sided communication.
 *
 * An access to a window (put, get ...), its answer, and what synchronises windows (locks, flushes, posts ...) travel
 * like messages, but are matched by nobody. The room rma/ makes and handles them. Their cookies have the bit
 * MPI_COOKIE_REMOTE, and point to a struct that begins with this head. */
#ifndef ORRERY_MPI_REMOTE_H
#define ORRERY_MPI_REMOTE_H

#include "mpi/mpi_world.h"

/* Bits of a cookie that are no part of the address. */
#define MPI_COOKIE_REMOTE UINT64_C(4)
#define MPI_COOKIE_BITS   UINT64_C(15)
/* Two bits: it is a packet of a protocol (protocol/). */
#define MPI_COOKIE_PACKET (MPI_COOKIE_REMOTE | 2)

typedef struct MpiRemoteHead {
    uint32_t from, to; /* world ranks, of the way that it makes now */
    uint64_t id;       /* as in MpiMessageInfo */
    uint64_t bytes;    /* payload on that way */
    uint64_t sent_ps;  /* time at which the network got it */
    uint32_t context;  /* of the window's communicator */
    bool access;       /* it accesses a window or answers an access; false: it synchronises */
    bool data;         /* it carries data of the program, the last of them */
    /* Of packets of protocols: */
    MpiTransferKind kind; /* 0: it is none */
    int32_t tag;          /* of the message that it belongs to */
    uint64_t whole;       /* payload of that message */
    bool daemons;         /* it goes from daemon to daemon */
} MpiRemoteHead;

static inline MpiRemoteHead *mpi_remote_head(uint64_t cookie)
{
    return (MpiRemoteHead *)(uintptr_t)(cookie & ~MPI_COOKIE_BITS);
}

#endif
