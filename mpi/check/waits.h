/* waits.h - what a rank that cannot go on waits for (waits.c), and why that may never come (causes.c).
 *
 * A want is one thing that somebody lacks: a message, a receiver, the others of a collective. Deadlocks have the wants
 * of ranks that are blocked; the end of a run has those of messages that nobody received, and of receives that nobody
 * sent to. A cause is found by looking at a want and at the state of all ranks, the same way for both.
 */
#ifndef ORRERY_MPI_WAITS_H
#define ORRERY_MPI_WAITS_H

#include "mpi/check/check.h"

enum { MPI_NOBODY = -1 };

/* -- whom a rank waits for --------------------------------------------------------------------- */

bool mpi_waits_blocked(const MpiRank *rank);
/* It has ended, or called MPI_Finalize. */
bool mpi_waits_gone(const MpiRank *rank);
/* The first request that the blocked call waits for; NULL: none. */
const MpiRequest *mpi_waits_first_request(const MpiRank *rank);
/* The collective that the rank waits for: the one that it has called, or one in the background. NULL: none. */
const MpiSchedule *mpi_waits_schedule(const MpiRank *rank);
/* The first message of the collective that has not come or gone. */
const MpiRequest *mpi_waits_first_step(const MpiSchedule *schedule);

/* Who is missing in the collective that was asked for last: of a million members all ask the same. */
typedef struct MpiRoll {
    bool called, low;
    MpiOccasion at;
    GArray *missing; /* world ranks, ascending */
    char *text;      /* deadlock.c */
} MpiRoll;
const GArray *mpi_waits_missing(const MpiRank *rank, const MpiSchedule *schedule, MpiRoll *roll);
void mpi_waits_roll_clear(MpiRoll *roll);
/* The one rank that it cannot go on without; MPI_NOBODY: there is none, or it may be several. */
int64_t mpi_waits_for(const MpiRank *rank, MpiRoll *roll);

/* -- wants ------------------------------------------------------------------------------------- */

typedef enum MpiWantSort {
    MPI_WANT_MESSAGE = 1,
    MPI_WANT_RECEIVER = 2,
    MPI_WANT_COLLECTIVE = 4,
    MPI_WANT_LEADER = 8, /* of the other group, in MPI_Intercomm_create */
    MPI_WANT_PARTS = 16, /* of a partitioned message */
} MpiWantSort;

typedef struct MpiWant {
    MpiWantSort sort;
    const MpiRank *rank; /* who lacks it: of a message, the receiver; of a receiver, the sender */
    uint32_t context;
    int64_t peer;        /* world rank, MPI_NOBODY: any */
    int from;            /* messages: the source as the communicator counts, which may be any; receivers: this rank's */
    int tag;             /* messages: may be any */
    const MpiComm *comm; /* NULL: it has been freed */
    const MpiRequest *request;   /* NULL: a probe, or a message that has left its sender */
    const MpiSchedule *schedule; /* COLLECTIVE */
    const char *name;            /* the call that waits, or that began it ... */
    uint32_t pc;                 /* ... and where */
} MpiWant;

/* Want number i of a blocked rank; false: it has no more. */
bool mpi_waits_want_of_rank(const MpiRank *rank, uint32_t i, MpiWant *want);
MpiWant mpi_waits_want_of_request(const MpiRequest *request);
/* That of a message that nobody has received. */
MpiWant mpi_waits_want_of_message(const MpiRank *sender, const MpiMessage *message);

/* -- causes ------------------------------------------------------------------------------------ */

typedef struct MpiCauses MpiCauses;
/* `ended`: the run has come to its end, and nobody waits any more. */
MpiCauses *mpi_causes_new(MpiWorld *world, bool ended);
void mpi_causes_free(MpiCauses *causes);
typedef struct MpiCause {
    const char *advice; /* what to do about it */
    bool sure;          /* else it may as well be that something else keeps the other side from going on */
} MpiCause;
/* Why it may never come, as a sentence without its end. NULL: the state says nothing. */
const MpiCause *mpi_cause_find(MpiCauses *causes, const MpiWant *want, GString *sentence);
/* What to do about ranks that wait in a circle for this set of MpiWantSort. */
const char *mpi_cause_of_circle(unsigned sorts);

#endif
