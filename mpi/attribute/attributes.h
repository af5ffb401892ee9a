/* attributes.h - what attributes.c and attribute_calls.c share: keyvals and the values that holders have for them. */
#ifndef ORRERY_MPI_ATTRIBUTES_H
#define ORRERY_MPI_ATTRIBUTES_H

#include "mpi/attribute/attribute.h"
#include "mpi/core/call.h"

/* What callbacks are that need not be called; no code lies at such addresses. */
enum { MPI_CALLBACK_NONE = 0, MPI_CALLBACK_DUP = 1 };

typedef struct MpiKeyval {
    int refs; /* of its number and of attributes */
    int number;
    bool freed;         /* by the program: serves as long as others but the table refer to it */
    MpiHandleKind kind; /* of holders */
    uint64_t copy, delete, extra;
    const char *made_by;
    uint32_t made_pc;
} MpiKeyval;
/* Gives a reference back; NULL is allowed. */
void mpi_attribute_keyval_unref(MpiKeyval *keyval);

typedef struct MpiAttribute {
    MpiKeyval *keyval;
    uint64_t value;
} MpiAttribute;

/* A communicator or a datatype. */
typedef struct MpiHolder {
    MpiHandleKind kind;
    void *object;
} MpiHolder;
MpiHolder mpi_attribute_holder_of_comm(MpiComm *comm);
MpiHolder mpi_attribute_holder_of_type(MpiType *type);

/* What a rank keeps; walks and what is of predefined types are the affair of attributes.c. */
typedef struct MpiAttributeWalk MpiAttributeWalk;
typedef struct MpiOfType MpiOfType;
typedef struct MpiAttributes {
    GPtrArray *keyvals;     /* by number; NULL where freed */
    uint64_t predefined;    /* address of the values of predefined attributes; 0: not asked for yet */
    MpiOfType *of_types;    /* predefined datatypes, by primitive; NULL: nothing for any */
    MpiAttributeWalk *walk; /* the innermost */
} MpiAttributes;
/* Made at first need. */
MpiAttributes *mpi_attributes_of(MpiRank *rank);

/* The attribute that a holder has for the keyval; NULL: none. Looks at one after another, as do the next two. */
MpiAttribute *mpi_attribute_find(MpiRank *rank, MpiHolder holder, const MpiKeyval *keyval);
/* Sets or takes away, without callbacks. */
void mpi_attribute_set(MpiRank *rank, MpiHolder holder, MpiKeyval *keyval, uint64_t value);
void mpi_attribute_take_away(MpiRank *rank, MpiHolder holder, const MpiKeyval *keyval);
/* Calls the delete callback, which there must be, and goes on at `then` with what it answers in call->upcall_result. */
MpiStep mpi_attribute_call_delete(MpiCall *call, MpiHolder holder, const MpiAttribute *attribute, MpiHandler then);

#endif
