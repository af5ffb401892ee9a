/* mpi_types.h - MPI's predefined datatypes and operators, as far as the compiler speaks of them. */
#ifndef ORRERY_COMPILER_MPI_TYPES_H
#define ORRERY_COMPILER_MPI_TYPES_H

#include "compiler/tree/tree.h"

typedef enum CcMpiItemSort { /* mpi_types.def */
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
    CcKind kind;
    unsigned bytes;
} CcMpiItem;
const CcMpiItem *cc_mpi_item(int index); /* of MPI_DATATYPE_NULL + index; NULL: none */
const char *cc_mpi_operator(int index, const char **types);
/* The datatype that holds C's `kind`; NULL. */
const CcMpiItem *cc_mpi_item_for(const CcType *type);

#endif
