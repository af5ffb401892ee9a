/* check.h - shared by the checks: descriptions in words (describe.c) and comparison of types. */
#ifndef ORRERY_MPI_CHECK_H
#define ORRERY_MPI_CHECK_H

#include "mpi/collective/collective.h"
#include "mpi/core/call.h"

/* Whether numbers of one predefined type change their value when they are read as the other type
 * (check_signatures.c). */
bool mpi_signature_garbles(const MpiType *sent, const MpiType *received);

/* Appends what a rank that is gone has done: "has ended" or "has called MPI_Finalize"; `many`: for several ranks. */
void mpi_describe_gone(GString *out, const MpiRank *rank, bool many);
void mpi_describe_request(GString *out, const MpiRequest *request);
/* Appends which call made a request, and whether it is complete or what it waits for (objects.c). */
void mpi_object_append_request(GString *out, const MpiRequest *request);
/* Appends how a datatype was made and its size; `whole`: drawn as a layout, in more lines (handle_words.c). */
void mpi_handle_append_type(GString *out, const MpiType *type, bool whole);
void mpi_describe_call(GString *out, const MpiCall *call);

#endif
