/* findings.h - what checks have found, until it is told (findings.c). mpi/checks.def says which checks there are. */
#ifndef ORRERY_MPI_FINDINGS_H
#define ORRERY_MPI_FINDINGS_H

#include "mpi/core/call.h"

/* What is certainly wrong ends the program at once, in the call that shows it. Everything else is noted while the run
 * goes on and told at its end: in the order of ranks, and once for all ranks of which the same can be said. So a
 * finding has two parts: what is the same for many ranks (call, place in the program, other side's place), and a detail
 * that may differ (the number of a rank, a tag), of which one is shown. */
typedef struct MpiFindings MpiFindings;
MpiFindings *mpi_findings_new(void);
void mpi_findings_free(MpiFindings *findings);

/* Notes something about a rank, in the order of its calls, from any thread. `what` and `detail` (or NULL) are copied;
 * `fix` says what to do about it and is a string constant. What is said of a rank again is counted. */
void mpi_finding_add(MpiRank *rank, MpiCheck check, uint64_t time_ps, const char *what, const char *detail,
                     const char *fix);

/* What is certainly wrong: ends the program as an uncaught error of MPI does, whatever error handlers there are. The
 * text begins behind "MPI_Send: " and names the other side's place and how to fix it. For errors that MPI itself
 * defines, and that a program may want to handle, there is mpi_call_error(). */
MpiStep mpi_finding_stop(MpiCall *call, MpiCheck check, const char *format, ...) G_GNUC_PRINTF(3, 4)
    __attribute__((cold));

/* Notes, under --check=portability, what the standard does not allow and other libraries let pass. `what` follows the
 * name of the call and its place, both are string constants. */
void mpi_finding_portability(MpiCall *call, const char *what, const char *fix);

#endif
