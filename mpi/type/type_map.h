/* type_map.h - making datatypes from datatypes, without MPI calls around it (type_map.c, type_predefined.c, pack.c).
 *
 * Constructors return a new, uncommitted type with one reference, or NULL where the type would be larger than the
 * simulator can hold: more than MPI_TYPE_MAX_BLOCKS separate blocks, 2^62 bytes, or bytes 2^61 away. The old types may
 * be freed afterwards: a type map refers to nothing.
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

/* `count` groups of `length` items, the groups `stride` bytes apart (contiguous, vector, hvector). */
MpiType *mpi_type_make_vector(uint64_t count, uint64_t length, int64_t stride, const MpiType *old);
/* indexed, hindexed, indexed_block, struct; `pad` rounds the extent to the alignment as a C compiler does (struct). */
MpiType *mpi_type_make_list(const MpiTypePart *parts, size_t n, bool pad);
MpiType *mpi_type_make_resized(const MpiType *old, int64_t lb, int64_t extent);
/* Sizes, subsizes and starts in C order: the last dimension is contiguous. */
MpiType *mpi_type_make_subarray(unsigned n, const int64_t *sizes, const int64_t *subsizes, const int64_t *starts,
                                const MpiType *old);
/* A dimension of a distributed array (darray.c). */
typedef struct MpiDarrayDimension {
    int64_t size;         /* of the array */
    int distribution;     /* MPI_DISTRIBUTE_... */
    int argument;         /* length of blocks, or MPI_DISTRIBUTE_DFLT_DARG */
    int processes, place; /* of the grid of processes; this one's coordinate */
} MpiDarrayDimension;
/* Dimensions in C order: the last one is contiguous in memory. */
MpiType *mpi_type_make_darray(int n, const MpiDarrayDimension *dimensions, const MpiType *old);
MpiType *mpi_type_make_copy(const MpiType *old);
/* Frees a type that nobody refers to any more, except for its envelope. */
MpiEnvelope *mpi_type_dispose(MpiType *type);
/* Makes the plan for copying; the type can be packed afterwards. */
void mpi_type_commit(MpiType *type);

/* Hash of a sequence of primitives: s[0] B^(n-1) + s[1] B^(n-2) + ... + s[n-1], modulo a prime so that no pattern of
 * repetitions makes different sequences alike. */
#define MPI_SIGNATURE_MODULUS          ((UINT64_C(1) << 61) - 1)
#define MPI_SIGNATURE_BASE             UINT64_C(0x1e3779b97f4a7c15)
#define MPI_SIGNATURE_PRIMITIVE(index) ((uint64_t)((index) + 1) * UINT64_C(0x16e8feb86659f) % MPI_SIGNATURE_MODULUS)
/* Of the sequence with one more primitive. */
#define MPI_SIGNATURE_NEXT(hash, index)                                                                                \
    ((uint64_t)(((unsigned __int128)(hash)*MPI_SIGNATURE_BASE + MPI_SIGNATURE_PRIMITIVE(index)) %                      \
                MPI_SIGNATURE_MODULUS))

/* -- pack.c ------------------------------------------------------------------------------------ */

MpiLayout *mpi_pack_layout_new(const MpiType *type);
void mpi_pack_layout_free(MpiLayout *layout);

#endif
