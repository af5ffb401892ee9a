/* type_map.h - makes datatypes from datatypes, independently of MPI calls (type_map.c, type_predefined.c, pack.c).
 *
 * A constructor returns a new, uncommitted type with one reference. It returns NULL if the type would be larger than
 * the simulator can hold: more than MPI_TYPE_MAX_BLOCKS separate blocks, 2^62 bytes, or bytes 2^61 away. A type map
 * refers to no other type, so the old types may be freed afterwards.
 */
#ifndef ORRERY_MPI_TYPE_MAP_H
#define ORRERY_MPI_TYPE_MAP_H

#include "mpi/type/type.h"

#define MPI_TYPE_MAX_BLOCKS   (UINT64_C(1) << 22)
#define MPI_TYPE_MAX_DISTANCE (INT64_C(1) << 61)

/* One item of a list constructor: `count` items of `type` in a row, `displacement` bytes from the origin. */
typedef struct MpiTypePart {
    int64_t displacement;
    uint64_t count;
    const MpiType *type;
} MpiTypePart;

/* Makes `count` groups of `length` items each; the groups are `stride` bytes apart (contiguous, vector, hvector). */
MpiType *mpi_type_make_vector(uint64_t count, uint64_t length, int64_t stride, const MpiType *old);
/* Makes indexed, hindexed, indexed_block and struct types. `pad` rounds the extent to the alignment as a C compiler
 * does (struct). */
MpiType *mpi_type_make_list(const MpiTypePart *parts, size_t n, bool pad);
MpiType *mpi_type_make_resized(const MpiType *old, int64_t lb, int64_t extent);
/* The dimensions are in C order: the last one is contiguous. */
MpiType *mpi_type_make_subarray(unsigned n, const int64_t *sizes, const int64_t *subsizes, const int64_t *starts,
                                const MpiType *old);
/* A dimension of a distributed array (darray.c). */
typedef struct MpiDarrayDimension {
    int64_t size;         /* elements of the whole array */
    int distribution;     /* MPI_DISTRIBUTE_... */
    int argument;         /* block length, or MPI_DISTRIBUTE_DFLT_DARG */
    int processes, place; /* size of the process grid and coordinate of this process */
} MpiDarrayDimension;
/* The dimensions are in C order: the last one is contiguous in memory. */
MpiType *mpi_type_make_darray(int n, const MpiDarrayDimension *dimensions, const MpiType *old);
MpiType *mpi_type_make_copy(const MpiType *old);
/* Frees a type without references, except for its envelope, which is returned. */
MpiEnvelope *mpi_type_dispose(MpiType *type);
/* Makes the plan for copying. Only then can the type be packed. */
void mpi_type_commit(MpiType *type);

/* The hash of a sequence of primitives is s[0] B^(n-1) + s[1] B^(n-2) + ... + s[n-1]. The modulus is a prime, so that
 * no pattern of repetitions gives different sequences the same hash. */
#define MPI_SIGNATURE_MODULUS          ((UINT64_C(1) << 61) - 1)
#define MPI_SIGNATURE_BASE             UINT64_C(0x1e3779b97f4a7c15)
#define MPI_SIGNATURE_PRIMITIVE(index) ((uint64_t)((index) + 1) * UINT64_C(0x16e8feb86659f) % MPI_SIGNATURE_MODULUS)
/* Returns the hash of the sequence with one more primitive. */
#define MPI_SIGNATURE_NEXT(hash, index)                                                                                \
    ((uint64_t)(((unsigned __int128)(hash)*MPI_SIGNATURE_BASE + MPI_SIGNATURE_PRIMITIVE(index)) %                      \
                MPI_SIGNATURE_MODULUS))

/* -- pack.c ------------------------------------------------------------------------------------ */

MpiLayout *mpi_pack_layout_new(const MpiType *type);
void mpi_pack_layout_free(MpiLayout *layout);

#endif
