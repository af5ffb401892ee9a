/* findings.h - what checks have found, kept until it is reported (findings.c). mpi/checks.def lists the checks. */
#ifndef ORRERY_MPI_FINDINGS_H
#define ORRERY_MPI_FINDINGS_H

#include "mpi/core/call.h"

/* A certain error ends the program at once, in the call that shows it. Everything else is noted while the run goes on
 * and reported at its end: in the order of ranks, and once for all ranks with the same finding. So a finding has two
 * parts. The first is the same for many ranks (call, source location, the other side's source location). The second is
 * a detail that may differ (a rank number, a tag); only one rank's detail is shown. */
typedef struct MpiFindings MpiFindings;
MpiFindings *mpi_findings_new(void);
void mpi_findings_free(MpiFindings *findings);

/* Notes something about a rank. The notes of one rank come in the order of its calls; any thread may call. `what` and
 * `detail` (or NULL) are copied. `fix` says how to correct it and is a string constant. Repeated notes are counted. */
void mpi_finding_add(MpiRank *rank, MpiCheck check, uint64_t time_ps, const char *what, const char *detail,
                     const char *fix);

/* The same, of something that happened at at_ps but is noted as of time_ps, by which findings are sorted and left out.
 */
void mpi_finding_add_at(MpiRank *rank, MpiCheck check, uint64_t time_ps, uint64_t at_ps, const char *what,
                        const char *detail, const char *fix);

/* Ends the program because of a certain error, as an uncaught MPI error does, whatever error handlers there are. The
 * text begins after "MPI_Send: ", names the other side's source location and says how to correct it. For errors that
 * MPI itself defines and that a program may want to handle, use mpi_call_error(). */
MpiStep mpi_finding_stop(MpiCall *call, MpiCheck check, const char *format, ...) G_GNUC_PRINTF(3, 4)
    __attribute__((cold));

/* Notes, under --check=portability, something that the standard does not allow but other libraries accept. In the
 * report, `what` follows the name of the call and its source location. Both strings are constants. */
void mpi_finding_portability(MpiCall *call, const char *what, const char *fix);

#endif
