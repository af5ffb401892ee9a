/* waits.h - what a blocked rank waits for (waits.c), and why that may never come (causes.c).
 *
 * A want is one thing that a rank lacks: a message, a receiver, the others of a collective. In a deadlock, the wants
 * are those of blocked ranks. At the end of a run, they are those of messages that no rank received, and of receives
 * without a message. A cause is found in the same way for both: by looking at a want and at the state of all ranks.
 */
#ifndef ORRERY_MPI_WAITS_H
#define ORRERY_MPI_WAITS_H

#include "mpi/check/check.h"

enum { MPI_NOBODY = -1 };

/* -- whom a rank waits for: the thread that its focus is on ------------------------------------- */

/* Whether the rank has ended or called MPI_Finalize. */
bool mpi_waits_gone(const MpiRank *rank);
/* Returns the first request that the blocked call waits for; NULL: none. */
const MpiRequest *mpi_waits_first_request(const MpiRank *rank);
/* Returns the collective that the rank waits for, which it has called or which runs in the background; NULL: none. */
const MpiSchedule *mpi_waits_schedule(const MpiRank *rank);
/* Whether the request is one of two leaders, who need no communicator of the program (mpi/process). */
bool mpi_waits_for_partner(const MpiRequest *request);
/* Returns the collective that runs in the background for the request; NULL: none. */
const MpiSchedule *mpi_waits_schedule_of(const MpiRequest *request);
/* Returns the first message of the collective that is not complete; NULL: none. */
const MpiRequest *mpi_waits_first_step(const MpiSchedule *schedule);

/* The members missing in a collective: a cache of the last answer, since all its members ask the same. */
typedef struct MpiRoll {
    bool called, low; /* the answer is known; side of the inter-communicator that it is for */
    MpiOccasion at;   /* the collective that the answer is for */
    GArray *missing;  /* world ranks, ascending */
    char *text;       /* the same as text, used by deadlock.c */
} MpiRoll;
const GArray *mpi_waits_missing(const MpiRank *rank, const MpiSchedule *schedule, MpiRoll *roll);
void mpi_waits_roll_clear(MpiRoll *roll);
/* Returns the one rank that `rank` cannot go on without; MPI_NOBODY: there is none, or there may be several. */
int64_t mpi_waits_for(const MpiRank *rank, MpiRoll *roll);

/* -- wants ------------------------------------------------------------------------------------- */

typedef enum MpiWantSort {
    MPI_WANT_MESSAGE = 1,
    MPI_WANT_RECEIVER = 2,
    MPI_WANT_COLLECTIVE = 4,
    MPI_WANT_LEADER = 8,   /* the leader of the other group, in MPI_Intercomm_create */
    MPI_WANT_PARTS = 16,   /* the parts of a partitioned message */
    MPI_WANT_WINDOW = 32,  /* a lock of a window, a post, the end of an access */
    MPI_WANT_PARTNER = 64, /* another process, in MPI_Comm_accept, MPI_Comm_spawn and their kind */
} MpiWantSort;

/* One thing that a rank lacks. */
typedef struct MpiWant {
    MpiWantSort sort;
    const MpiRank *rank; /* the rank that lacks it; of a message, the receiver; of a receiver, the sender */
    uint32_t context;    /* context of the communicator */
    int64_t peer;        /* world rank, or MPI_NOBODY: any */
    int from;            /* message: its source in the communicator, or any; receiver: this rank in the communicator */
    int tag;             /* message: its tag, or any */
    const MpiComm *comm; /* NULL: it has been freed */
    const MpiRequest *request;   /* NULL: a probe, or a message whose sender has completed */
    const MpiSchedule *schedule; /* for MPI_WANT_COLLECTIVE */
    const char *name;            /* name of the call that waits, or that began the operation */
    uint32_t pc;                 /* location of that call */
} MpiWant;

/* Gets want number i of a blocked rank. Returns false if it has no more. */
bool mpi_waits_want_of_rank(const MpiRank *rank, uint32_t i, MpiWant *want);
MpiWant mpi_waits_want_of_request(const MpiRequest *request);
/* Returns the want of a message that no rank has received. */
MpiWant mpi_waits_want_of_message(const MpiRank *sender, const MpiMessage *message);

/* -- causes ------------------------------------------------------------------------------------ */

typedef struct MpiCauses MpiCauses;
/* Makes the state for finding causes. `ended`: the run has come to its end, and no rank waits any more. */
MpiCauses *mpi_causes_new(MpiWorld *world, bool ended);
void mpi_causes_free(MpiCauses *causes);
typedef struct MpiCause {
    const char *advice; /* how to correct it */
    bool sure;          /* false: the other side may be prevented by something else */
} MpiCause;
/* Finds out why a want may never come, and appends a sentence without its full stop. Returns NULL if the state does
 * not tell. */
const MpiCause *mpi_cause_find(MpiCauses *causes, const MpiWant *want, GString *sentence);
/* Returns advice for ranks that wait in a cycle for this set of MpiWantSort. */
const char *mpi_cause_of_circle(unsigned sorts);

#endif
