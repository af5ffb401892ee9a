/* rma.h - one-sided communication (MPI-4.1 chapter 12): what other rooms need of it. */
#ifndef ORRERY_MPI_RMA_H
#define ORRERY_MPI_RMA_H

#include "mpi/core/call.h"

/* The handle table is freed: so is this member's view of the window. */
void mpi_window_drop(MpiWin *win);

/* A transfer of this room has left its sender, has arrived, or its handling by a communication thread is over; and the
 * transfers behind the note in a rank's inbox are to be handled (MpiUpper). */
void mpi_remotes_sent(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
void mpi_remotes_delivered(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
void mpi_remotes_alarm(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
void mpi_remotes_note(MpiCall *call, MpiMessage *note);

/* -- for explanations (window_waits.c) ---------------------------------------------------------- */

/* Whether the blocked call waits for something of a window. */
bool mpi_window_is_awaited(const MpiCall *call);
/* Appends what it waits for: " waits for the lock of rank 0 of the window ..., which rank 1 has held since x.c:12". */
void mpi_window_describe_wait(GString *out, const MpiCall *call);
/* Returns the world rank that it cannot go on without; -1: there may be several. */
int64_t mpi_window_awaited_rank(const MpiCall *call);

#endif
