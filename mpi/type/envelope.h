/* envelope.h - records how a datatype was made, and declares what its constructors share (envelope.c, datatypes.c,
 * darray.c, fortran_types.c).
 *
 * An envelope holds the arguments of the constructor call, in the order of the parameters. The form of the call decides
 * in which part a number goes: what is an int or an MPI_Aint in other forms is an MPI_Count in the _c forms (MPI-4.0
 * section 5.1.13). An envelope is immutable once made and shared by reference. It keeps the old types alive.
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
    GArray *numbers[MPI_PARTS]; /* int64_t numbers of each part; NULL: none */
    GPtrArray *types;           /* MpiType, referenced; NULL: none */
};

MpiEnvelope *mpi_envelope_new(MpiCombiner combiner, bool wide);
MpiEnvelope *mpi_envelope_ref(MpiEnvelope *envelope);
void mpi_envelope_unref(MpiEnvelope *envelope);         /* NULL is allowed */
void mpi_envelope_int(MpiEnvelope *e, int64_t value);   /* adds an int, in both forms */
void mpi_envelope_count(MpiEnvelope *e, int64_t value); /* adds an int, or an MPI_Count in the _c form */
void mpi_envelope_aint(MpiEnvelope *e, int64_t value);  /* adds an MPI_Aint, or an MPI_Count in the _c form */
void mpi_envelope_type(MpiEnvelope *e, MpiType *type);
/* Returns the constructor of a type; for predefined types MPI_COMBINER_NAMED_. */
MpiCombiner mpi_type_combiner(const MpiType *type);

/* -- what constructors share (datatypes.c) ----------------------------------------------------- */

/* Gives the result of a constructor to the program, as a new handle at argument `arg`. `type` may be NULL: it was too
 * large. Takes `type` and `envelope`. */
MpiStep mpi_type_give(MpiCall *call, unsigned arg, MpiType *type, MpiEnvelope *envelope);
/* Reads `n` numbers at the address in argument `arg`: 64-bit ones if `wide`, else ints. The caller frees *numbers with
 * g_free(). */
bool mpi_check_type_numbers(MpiCall *call, unsigned arg, uint64_t n, bool wide, int64_t **numbers, MpiStep *step);
bool mpi_check_type_order(MpiCall *call, unsigned arg, MpiStep *step);

#endif
