/* type_predefined.c - the predefined datatypes, as constant data made from primitives.def.
 *
 * A pair has a map of two entries, so that it matches and travels like the equivalent struct. Its index in the table
 * says what it means to MPI_MAXLOC. The casts remove a const, which is safe: predefined types are never written to
 * (mpi_type_ref and all setters look at `predefined` first).
 */
#include "mpi/core/call.h"
#include "mpi/type/type.h"
#include "mpi/type/type_map.h"

enum { /* size of every primitive in bytes */
#define MPI_PRIMITIVE(name, bytes, text) BYTES_##name = (bytes),
#include "mpi/type/primitives.def"
};

/* Complex types are aligned like their parts. x86-64 aligns everything else here to its size. */
#define ALIGNMENT_OF(primitive, bytes)                                                                                 \
    ((primitive) == MPI_PRIM_C_COMPLEX || (primitive) == MPI_PRIM_CXX_FLOAT_COMPLEX ||                                 \
             (primitive) == MPI_PRIM_COMPLEX || (primitive) == MPI_PRIM_COMPLEX8                                       \
         ? 4                                                                                                           \
         : ((bytes) > 8 ? 8 : (bytes)))

#define BLOCK(prim, at)                                                                                                \
    {                                                                                                                  \
        .offset = (at), .count = 1, .primitive = MPI_PRIM_##prim, .bytes = BYTES_##prim                                \
    }

static const MpiType plain[MPI_PRIMITIVE_COUNT] = {
#define MPI_PRIMITIVE(prim, size_, text)                                                                               \
    [MPI_PRIM_##                                                                                                       \
        prim] = {.refs = 1,                                                                                            \
                 .predefined = true,                                                                                   \
                 .committed = true,                                                                                    \
                 .size = (size_),                                                                                      \
                 .extent = (size_),                                                                                    \
                 .true_extent = (size_),                                                                               \
                 .lb_set = MPI_PRIM_##prim == MPI_PRIM_LB,                                                             \
                 .ub_set = MPI_PRIM_##prim == MPI_PRIM_UB,                                                             \
                 .alignment = ALIGNMENT_OF(MPI_PRIM_##prim, size_),                                                    \
                 .blocks = (MpiBlock *)(const MpiBlock[]){BLOCK(prim, 0)},                                             \
                 .n_blocks = (size_) > 0,                                                                              \
                 .n_primitives = (size_) > 0,                                                                          \
                 .contiguous = true,                                                                                   \
                 .signature = (size_) ? MPI_SIGNATURE_PRIMITIVE(MPI_PRIM_##prim) : 0,                                  \
                 .layout = (struct MpiLayout *)&(const MpiLayout){.segments = (const MpiSegment[]){{0, (size_)}},      \
                                                                  .n_segments = (size_) > 0},                          \
                 .name = (char *)"MPI_" #prim,                                                                         \
                 .handle = MPI_HANDLE(MPI_KIND_TYPE, MPI_PRIM_##prim + 1)},
#include "mpi/type/primitives.def"
};

#define PAIR_EXTENT(pair)       ((int64_t)BYTES_##pair)
#define PAIR_SIZE(value, index) ((uint64_t)BYTES_##value + BYTES_##index)
#define PAIR_DENSE(value, at)   (BYTES_##value == (at))

static const MpiType pairs[MPI_PRIMITIVE_COUNT] = {
#define MPI_PAIR(pair, value, index, at)                                                                               \
    [MPI_PRIM_##                                                                                                       \
        pair] = {.refs = 1,                                                                                            \
                 .predefined = true,                                                                                   \
                 .committed = true,                                                                                    \
                 .size = PAIR_SIZE(value, index),                                                                      \
                 .extent = PAIR_EXTENT(pair),                                                                          \
                 .true_extent = (at) + BYTES_##index,                                                                  \
                 .alignment = BYTES_##value > BYTES_##index ? BYTES_##value : BYTES_##index,                           \
                 .blocks = (MpiBlock *)(const MpiBlock[]){BLOCK(value, 0), BLOCK(index, at)},                          \
                 .n_blocks = 2,                                                                                        \
                 .n_primitives = 2,                                                                                    \
                 .contiguous = PAIR_DENSE(value, at) && PAIR_SIZE(value, index) == (uint64_t)PAIR_EXTENT(pair),        \
                 .signature = MPI_SIGNATURE_NEXT(MPI_SIGNATURE_PRIMITIVE(MPI_PRIM_##value), MPI_PRIM_##index),         \
                 .layout =                                                                                             \
                     (struct MpiLayout *)&(const MpiLayout){                                                           \
                         .segments = (const MpiSegment[]){{0, BYTES_##value}, {at, BYTES_##index}}, .n_segments = 2},  \
                 .name = (char *)"MPI_" #pair,                                                                         \
                 .handle = MPI_HANDLE(MPI_KIND_TYPE, MPI_PRIM_##pair + 1)},
#include "mpi/type/primitives.def"
};

const uint8_t mpi_type_plain_bytes[] = {
#define MPI_PRIMITIVE(prim, size_, text) [MPI_PRIM_##prim] = (size_),
#include "mpi/type/primitives.def"
};

MpiType *mpi_type_predefined(MpiPrimitive primitive)
{
    g_assert(primitive < MPI_PRIMITIVE_COUNT);
    return (MpiType *)(pairs[primitive].predefined ? &pairs[primitive] : &plain[primitive]);
}

MpiPrimitive mpi_type_primitive(const MpiType *type)
{
    if (type->predefined) {
        return (MpiPrimitive)((type->handle & UINT32_MAX) - 1);
    }
    for (uint32_t i = 1; i < type->n_blocks; i++) {
        if (type->blocks[i].primitive != type->blocks[0].primitive) {
            return MPI_PRIMITIVE_COUNT;
        }
    }
    return type->n_blocks ? (MpiPrimitive)type->blocks[0].primitive : MPI_PRIMITIVE_COUNT;
}

const char *mpi_type_describe(const MpiType *type)
{
    return type->name ? type->name : "a derived datatype";
}
