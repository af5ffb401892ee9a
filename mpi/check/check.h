/* check.h - what the checks' files share of words (describe.c) and types. */
#ifndef ORRERY_MPI_CHECK_H
#define ORRERY_MPI_CHECK_H

#include "mpi/collective/collective.h"
#include "mpi/core/call.h"

/* Whether numbers of one predefined type, taken for those of the other, are other numbers (check_signatures.c). */
bool mpi_signature_garbles(const MpiType *sent, const MpiType *received);

/* "has ended", "have called MPI_Finalize": what one or many ranks have done that are gone. */
void mpi_describe_gone(GString *out, const MpiRank *rank, bool many);
void mpi_describe_request(GString *out, const MpiRequest *request);
void mpi_describe_call(GString *out, const MpiCall *call);

#endif
