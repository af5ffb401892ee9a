/* wait_cuts.h - how a stretch of waiting is divided by the message that has ended it. Internal to watch/; wait_causes.c
 * knows what has ended it. */
#ifndef ORRERY_MPI_WAIT_CUTS_H
#define ORRERY_MPI_WAIT_CUTS_H

#include "mpi/core/call.h"

#define NEVER UINT64_MAX

/* When the phases of a message were made, were in the network, and were handled. NEVER: not yet. */
typedef struct MpiWaitTimes {
    uint64_t request_sent_ps, request_delivered_ps;
    uint64_t answer_began_ps, permission_sent_ps, permission_delivered_ps;
    uint64_t data_began_ps, data_sent_ps;
    struct MpiWaitTimes *next, **link; /* among those of all messages; what points to it */
} MpiWaitTimes;

/* What has ended a piece of blocked time. */
typedef struct MpiWaitReason {
    enum { REASON_NONE, REASON_MESSAGE, REASON_TRANSFER, REASON_ACCESS } sort;
    uint64_t time_ps; /* when it happened to the rank */
    uint64_t came_ps; /* when it came: then the rank may have had no core yet */
    uint64_t id, bytes;
    uint32_t from, to; /* world ranks */
    MpiTransferKind kind;
    bool rendezvous;
    bool daemon; /* a daemon has stored it on its way */
    bool leaves; /* the last byte has left the sender; false: something has arrived */
    uint64_t sent_ps;
    MpiWaitTimes times; /* only of a rendezvous; the last member, see copy_reason() */
} MpiWaitReason;

typedef struct MpiWaitSum { /* parts with the same cause */
    MpiWaitCause cause;
    uint64_t ps;
    MpiWait last, longest; /* parts that follow each other, with the same peer and message, are one */
} MpiWaitSum;

typedef struct MpiWaitSums {
    unsigned n;
    MpiWaitSum of_cause[6]; /* calls have few causes: others are parts */
} MpiWaitSums;

/* A stretch of time that is being divided, from its beginning on. */
typedef struct MpiWaitCut {
    GArray **parts;
    MpiWaitSums *sums; /* instead of parts; NULL: none */
    uint64_t at_ps, end_ps;
    uint32_t peer;
    uint64_t message;
} MpiWaitCut;

/* The causes of waiting for the other side, where they differ between messages of the program and those of
 * collectives. */
typedef struct MpiWaitSides {
    MpiWaitCause sender, receiver;
} MpiWaitSides;

/* All up to until_ps, as far as it is not divided yet, has this cause. */
void mpi_wait_cut(MpiWaitCut *cut, uint64_t until_ps, MpiWaitCause cause);
/* Divides what is left by a message that has arrived, or left, at its end: seen from the rank that waited. */
void mpi_wait_cut_message(const MpiWorld *world, MpiWaitCut *at, const MpiWaitReason *reason, uint32_t rank,
                          MpiWaitSides sides);
/* Divides what is left by bytes that were in the network from sent_ps on. */
void mpi_wait_cut_transfer(const MpiWorld *world, MpiWaitCut *at, const MpiWaitReason *reason, uint64_t sent_ps,
                           uint64_t bytes);

#endif
