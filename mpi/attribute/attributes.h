/* attributes.h - shared by attributes.c and attribute_calls.c: keyvals, and the values that holders have for them. */
#ifndef ORRERY_MPI_ATTRIBUTES_H
#define ORRERY_MPI_ATTRIBUTES_H

#include "mpi/attribute/attribute.h"
#include "mpi/core/call.h"

/* Values for predefined callbacks, which need not be called. No code has these addresses. */
enum { MPI_CALLBACK_NONE = 0, MPI_CALLBACK_DUP = 1 };

typedef struct MpiKeyval {
    int refs; /* one for its number, and one for each attribute */
    int number;
    bool freed;                   /* the program has freed it; it stays usable while attributes refer to it */
    MpiHandleKind kind;           /* kind of its holders */
    uint64_t copy, delete, extra; /* code addresses of the callbacks, or MPI_CALLBACK_*; their extra state */
    const char *made_by;          /* name of the call that made it */
    uint32_t made_pc;             /* location of that call */
} MpiKeyval;
/* Releases a reference. NULL is allowed. */
void mpi_attribute_keyval_unref(MpiKeyval *keyval);

typedef struct MpiAttribute {
    MpiKeyval *keyval;
    uint64_t value; /* what the program has set */
} MpiAttribute;

/* A communicator, a datatype or an MpiAttributed. */
typedef struct MpiHolder {
    MpiHandleKind kind;
    void *object;
} MpiHolder;
MpiHolder mpi_attribute_holder_of_comm(MpiComm *comm);
MpiHolder mpi_attribute_holder_of_type(MpiType *type);
MpiHolder mpi_attribute_holder_of(MpiHandleKind kind, MpiAttributed *object);

/* The attributes of a rank. Only attributes.c uses walks and the table for predefined types. */
typedef struct MpiAttributeWalk MpiAttributeWalk;
typedef struct MpiOfType MpiOfType;
typedef struct MpiAttributes {
    GPtrArray *keyvals;     /* by number; NULL where a keyval has been freed */
    uint64_t predefined;    /* address of the values of predefined attributes in rank memory; 0: not asked for yet */
    MpiOfType *of_types;    /* by primitive, for predefined datatypes; NULL: no type has any */
    MpiAttributeWalk *walk; /* the innermost walk, or NULL */
} MpiAttributes;
/* Returns the attributes of a rank; makes the struct when it is first needed. */
MpiAttributes *mpi_attributes_of(MpiRank *rank);

/* Returns the attribute that a holder has for the keyval; NULL: none. This function and the next two search
 * linearly. */
MpiAttribute *mpi_attribute_find(MpiRank *rank, MpiHolder holder, const MpiKeyval *keyval);
/* Set and remove an attribute without calling callbacks. */
void mpi_attribute_set(MpiRank *rank, MpiHolder holder, MpiKeyval *keyval, uint64_t value);
void mpi_attribute_take_away(MpiRank *rank, MpiHolder holder, const MpiKeyval *keyval);
/* Calls the delete callback, which must exist, and goes on at `then` with its result in call->upcall_result. */
MpiStep mpi_attribute_call_delete(MpiCall *call, MpiHolder holder, const MpiAttribute *attribute, MpiHandler then);

#endif
