/* envelope.h - how a datatype was made, and what its constructors share (envelope.c, datatypes.c, darray.c,
 * fortran_types.c).
 *
 * An envelope holds the arguments of the constructor call. A constructor writes them down in the order of its
 * parameters; where they go decides the form of the call: in the _c forms, what is an int or an MPI_Aint in the others
 * is an MPI_Count (MPI-4.0 section 5.1.13). Immutable once made, shared by reference. It keeps the old types alive.
 */
#ifndef ORRERY_MPI_ENVELOPE_H
#define ORRERY_MPI_ENVELOPE_H

#include "mpi/core/call.h"
#include "mpi/type/type.h"

typedef enum MpiCombiner {
#define MPI_COMBINER(name, number) MPI_COMBINER_##name##_ = (number),
#include "mpi/type/combiners.def"
} MpiCombiner;

typedef enum MpiEnvelopePart { MPI_PART_INTEGERS, MPI_PART_ADDRESSES, MPI_PART_COUNTS, MPI_PARTS } MpiEnvelopePart;

struct MpiEnvelope {
    int refs; /* atomic */
    MpiCombiner combiner;
    bool wide;                  /* made by a _c function */
    GArray *numbers[MPI_PARTS]; /* of int64_t; NULL: none */
    GPtrArray *types;           /* of MpiType; NULL: none */
};

MpiEnvelope *mpi_envelope_new(MpiCombiner combiner, bool wide);
MpiEnvelope *mpi_envelope_ref(MpiEnvelope *envelope);
void mpi_envelope_unref(MpiEnvelope *envelope);         /* NULL is allowed */
void mpi_envelope_int(MpiEnvelope *e, int64_t value);   /* an int in both forms */
void mpi_envelope_count(MpiEnvelope *e, int64_t value); /* an int, or MPI_Count */
void mpi_envelope_aint(MpiEnvelope *e, int64_t value);  /* an MPI_Aint, or MPI_Count */
void mpi_envelope_type(MpiEnvelope *e, MpiType *type);
/* What a type was made by; predefined ones: MPI_COMBINER_NAMED_. */
MpiCombiner mpi_type_combiner(const MpiType *type);

/* -- what constructors share (datatypes.c) ----------------------------------------------------- */

/* The result of a constructor, or NULL if it became too large, as the program's new handle at argument `arg`. Takes
 * type and envelope. */
MpiStep mpi_type_give(MpiCall *call, unsigned arg, MpiType *type, MpiEnvelope *envelope);
/* `n` numbers of the program's memory at argument `arg`: ints, or where `wide` 64-bit ones. Free with g_free. */
bool mpi_check_type_numbers(MpiCall *call, unsigned arg, uint64_t n, bool wide, int64_t **numbers, MpiStep *step);
bool mpi_check_type_order(MpiCall *call, unsigned arg, MpiStep *step);

#endif
