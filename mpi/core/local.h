/* local.h - what the local half of mpi/ (datatypes, operators, groups, attributes, topologies, errors) offers to the
 * rest besides what internal.h declares.
 *
 * Predefined objects are constant data, shared by all ranks of all worlds: nobody ever writes to them, so reference
 * counting skips them.
 */
#ifndef ORRERY_MPI_LOCAL_H
#define ORRERY_MPI_LOCAL_H

#include "mpi/core/internal.h"

#define MPI_UNWEIGHTED_    UINT64_C(2) /* (int *)2 */
#define MPI_WEIGHTS_EMPTY_ UINT64_C(3)

/* Constants that mpi.h repeats, beyond those of internal.h (tests/unit/mpi/test_header.c). */
enum {
    MPI_ORDER_C_ = 56,
    MPI_ORDER_FORTRAN_ = 57,
    MPI_DISTRIBUTE_NONE_ = 1,
    MPI_DISTRIBUTE_BLOCK_,
    MPI_DISTRIBUTE_CYCLIC_,
    MPI_DISTRIBUTE_DFLT_DARG_ = -32765,
    MPI_TYPECLASS_REAL_ = 1,
    MPI_TYPECLASS_INTEGER_,
    MPI_TYPECLASS_COMPLEX_,
    MPI_DIST_GRAPH_ = 3,
    MPI_GRAPH_ = 1,
    MPI_CART_ = 2,
    MPI_KEYVAL_INVALID_ = -1,
    MPI_TAG_UB_ = 1,
    MPI_HOST_,
    MPI_IO_,
    MPI_WTIME_IS_GLOBAL_,
    MPI_UNIVERSE_SIZE_,
    MPI_LASTUSEDCODE_,
    MPI_APPNUM_,
    MPI_MAX_OBJECT_NAME_ = 128,
    MPI_MAX_ERROR_STRING_ = 512,
};

/* -- checks (call_checks.c) ------------------------------------------------------------------------- */

/* Notes, under --check=portability, what the standard does not allow and other libraries let pass. `what` follows the
 * name of the call and its place, both are string constants. */
void mpi_note_portability(MpiCall *call, const char *what, const char *fix);

/* -- datatypes --------------------------------------------------------------------------------- */

/* How many primitives the first `bytes` packed bytes of items of this type hold (MPI_Get_elements); MPI_UNDEFINED_
 * where they end inside a primitive. */
int64_t mpi_type_elements(const MpiType *type, uint64_t bytes);
/* The other way round: the packed bytes of so many primitives. */
uint64_t mpi_type_element_bytes(const MpiType *type, uint64_t elements);
/* Packing and unpacking memory inside the simulator: `base` is the host address that type offsets count from. */
void mpi_type_pack_host(const MpiType *type, uint64_t count, const void *base, void *out);
void mpi_type_unpack_host(const MpiType *type, uint64_t count, void *base, const void *in, uint64_t bytes);
/* The hash of the sequence of primitives in the first `bytes` packed bytes of as many items as it takes, so that a
 * message can be compared with a receive buffer longer than it. Polynomial: *primitives is the length of the sequence.
 */
uint64_t mpi_type_signature(const MpiType *type, uint64_t bytes, uint64_t *primitives);
/* "MPI_INT", the user's name, or "a derived datatype". */
const char *mpi_type_describe(const MpiType *type);

/* -- operators and groups ---------------------------------------------------------------------- */

/* The operator with this index in handles.def, or NULL. */
const MpiOp *mpi_op_predefined(uint32_t index);
/* MPI_GROUP_EMPTY. */
MpiGroup *mpi_group_empty(void);

/* -- errors ------------------------------------------------------------------------------------ */

typedef enum MpiErrhandlerSort { MPI_HANDLER_FATAL, MPI_HANDLER_RETURN, MPI_HANDLER_USER } MpiErrhandlerSort;
struct MpiErrhandler {
    int refs;         /* of communicators and of the handle */
    unsigned handles; /* times that the handle has been given out and not freed */
    bool predefined;
    MpiErrhandlerSort sort;
    uint64_t function; /* user handler: code address of void f(MPI_Comm *, int *, ...) */
    MpiHandle handle;
};
MpiErrhandler *mpi_errhandler_ref(MpiErrhandler *handler);
void mpi_errhandler_unref(MpiErrhandler *handler); /* NULL is allowed */
/* error_codes.c: what MPI_Error_string says of a class or code that MPI or the program has made, without the name; NULL
 * where there is none. */
const char *mpi_error_text(const MpiRank *rank, int code);
/* "MPI_ERR_ARG". */
const char *mpi_error_name(int error_class);
/* The greatest code that there is: the attribute MPI_LASTUSEDCODE. */
int mpi_error_last_used(const MpiRank *rank);
/* attribute_calls.c: tells a program that holds the address of that attribute. */
void mpi_attributes_codes_changed(MpiRank *rank);

#endif
