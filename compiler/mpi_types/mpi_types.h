/* mpi_types.h - MPI's predefined datatypes and operators, for the compiler's checks and messages. */
#ifndef ORRERY_COMPILER_MPI_TYPES_H
#define ORRERY_COMPILER_MPI_TYPES_H

#include "compiler/tree/tree.h"

typedef enum CcMpiItemSort { /* what a buffer must hold: explained in mpi_types.def */
                             CC_HOLDS_TEXT,
                             CC_HOLDS_BYTES,
                             CC_HOLDS_INTEGER,
                             CC_HOLDS_TRUTH,
                             CC_HOLDS_WORD,
                             CC_HOLDS_REAL,
                             CC_HOLDS_COMPLEX,
                             CC_HOLDS_PAIR,
                             CC_HOLDS_MARKER,
} CcMpiItemSort;
typedef struct CcMpiItem { /* a predefined datatype */
    const char *name;      /* without MPI_ */
    CcMpiItemSort sort;
    CcKind kind;    /* the C type that `sort` refers to */
    unsigned bytes; /* size of an item in a buffer; 0: a marker */
} CcMpiItem;
/* Returns the datatype whose handle is MPI_DATATYPE_NULL + index, or NULL if there is none. The result is static. */
const CcMpiItem *cc_mpi_item(int index);
/* Returns the name, without MPI_, of the operator with that handle (from 1), or NULL if there is none. Sets *types to
 * the types that it is defined on, for a message. */
const char *cc_mpi_operator(int index, const char **types);
/* Returns the datatype for values of the C type, or NULL if there is none. */
const CcMpiItem *cc_mpi_item_for(const CcType *type);

#endif
