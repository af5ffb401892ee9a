/* failure.h - processes that fail, and programs that survive it: what the files of this room share.
 *
 *   failure.c     what is known of failures; operations that end because of them
 *   failure_calls.c  MPIX_Comm_revoke, _failure_ack and their like
 *   desertion.c   processes that end without MPI_Finalize
 *   agreement.c   MPIX_Comm_agree and MPIX_Comm_shrink: calls that all living members make together
 *
 * A failure is *known* to all other processes at one time, some time after it has happened (key failure-detection).
 * Then operations that need the failed process end with MPI_ERR_PROC_FAILED. Collectives that are under way on a
 * communicator with the failed process end so on all members that have not completed them, so nobody waits for a member
 * that has given up. A revocation is known to all other members some time after the call (key failure-notice).
 */
#ifndef ORRERY_MPI_FAILURE_H
#define ORRERY_MPI_FAILURE_H

#include "mpi/comm/comm.h"
#include "mpi/core/world.h"

/* Failures in the order in which they became known, as world ranks. */
typedef struct MpiFailures {
    GArray *known;         /* uint32_t */
    GPtrArray *agreements; /* private to agreement.c, like the next one */
    GHashTable *by_call;   /* never iterated */
} MpiFailures;
/* Makes the data of a world, and its hooks, when they are first needed. */
MpiFailures *mpi_failures_of(MpiWorld *world);

/* The process has failed; its failure is known (mpi_world_failed(), mpi_world_failure_known()). */
void mpi_failure_happens(MpiWorld *world, uint32_t world_rank);
void mpi_failure_becomes_known(MpiWorld *world, uint32_t world_rank, uint64_t time_ps);

/* Returns the group of the first `n` known failures that are members of the communicator. */
MpiGroup *mpi_failures_group(MpiWorld *world, const MpiComm *comm, uint32_t n);
/* Whether the process, a world rank, is in one of the groups of the communicator. */
bool mpi_failure_is_member(const MpiComm *comm, uint32_t world_rank);
/* Whether the failure of a process is known. */
bool mpi_failure_is_known(MpiWorld *world, uint32_t world_rank);
/* Whether a member has failed, of which the process has not taken note (MPIX_Comm_failure_ack). */
bool mpi_failure_is_new(MpiWorld *world, const MpiComm *comm);

/* What an alarm of this room stands for; its address is in the cookie. `ring` frees it. */
typedef struct MpiFailureAlarm {
    void (*ring)(MpiWorld *world, struct MpiFailureAlarm *alarm, uint64_t time_ps);
} MpiFailureAlarm;
void mpi_failure_alarm_at(const MpiRank *rank, uint64_t time_ps, MpiFailureAlarm *alarm);

/* Ends what a rank does on a communicator with this context, with an error. */
void mpi_failure_end_all(MpiRank *rank, uint32_t context, int error, uint64_t time_ps);
/* An alarm rings. */
void mpi_failure_alarm(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
/* Make the table of agreements, and free it. */
void mpi_agreements_init(MpiFailures *failures);
void mpi_agreements_free(MpiFailures *failures);
/* A failure is known: agreements go on without the process. */
void mpi_agreements_look(MpiWorld *world, uint32_t failed, uint64_t time_ps);
/* The program has seen that the request is complete. If it is an agreement, its result goes to the program's memory. */
void mpi_agreement_finished(MpiWorld *world, MpiRequest *request);
/* Nothing can happen any more. If somebody who may have an error waits for a process that has ended without
 * MPI_Finalize, all hear of it now. Returns false if nobody does. */
bool mpi_desertion_tell(MpiWorld *world, uint64_t time_ps);

#endif
