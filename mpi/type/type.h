/* type.h - datatypes, operators, and the buffers that calls name with them.
 *
 * Predefined objects are constant data, shared by all ranks of all worlds: nobody ever writes to them, so reference
 * counting skips them.
 */
#ifndef ORRERY_MPI_TYPE_H
#define ORRERY_MPI_TYPE_H

#include "mpi/comm/comm.h"
#include "mpi/core/call.h"

/* -- datatypes (type_map.c, pack.c) ------------------------------------------------------------ */

typedef enum MpiPrimitive { /* what reductions and signature checks see */
#define MPI_PRIMITIVE(name, bytes, text) MPI_PRIM_##name,
#include "mpi/type/primitives.def"
                            MPI_PRIMITIVE_COUNT /* not MPI_PRIM_COUNT: that is the primitive of the type MPI_COUNT */
} MpiPrimitive;

/* A run of equal primitives in memory. */
typedef struct MpiBlock {
    int64_t offset;
    uint64_t count;
    uint32_t primitive;
    uint32_t bytes; /* of one primitive */
} MpiBlock;

/* The same again `count` times, `stride` bytes apart. */
typedef struct MpiLoop {
    uint64_t count;
    int64_t stride;
} MpiLoop;

/* A run of bytes of whatever primitives. */
typedef struct MpiSegment {
    int64_t offset;
    uint64_t bytes;
} MpiSegment;

/* How to copy one item: the segments in order, all of it repeated by the loops, outermost first. */
typedef struct MpiLayout {
    const MpiSegment *segments;
    const MpiLoop *loops;
    uint32_t n_segments, n_loops;
    uint64_t segment_bytes; /* of each segment, where all are as long; 0: they differ, or nobody has looked */
} MpiLayout;

struct MpiType {
    int refs; /* atomic; predefined types are never freed */
    bool predefined, committed;
    uint64_t size;      /* bytes of data */
    int64_t lb, extent; /* extent = ub - lb */
    int64_t true_lb, true_extent;
    bool lb_set, ub_set; /* lb, ub come from MPI_LB, MPI_UB or MPI_Type_create_resized, not from the data */
    uint32_t alignment;  /* of the most demanding primitive */
    MpiBlock *blocks;    /* the type map in order, adjacent equal runs merged ... */
    uint32_t n_blocks;
    MpiLoop *loops; /* ... all of it repeated: for each i of loops[0], each j of loops[1] ..., the blocks shifted by */
    uint32_t n_loops;      /* i * loops[0].stride + j * loops[1].stride + ... So a vector is one block in one loop */
    uint64_t n_primitives; /* entries of the whole type map */
    bool contiguous;       /* the data of count items are count * size bytes from offset 0 on: one memcpy */
    uint64_t signature;    /* hash of the sequence of primitives of one item; see mpi_type_signature() */
    MpiLayout *layout;     /* pack.c: how to copy it; made by MPI_Type_commit */
    MpiEnvelope *envelope; /* NULL: predefined, or made by the library itself */
    GPtrArray *attributes; /* attributes.c; NULL while there are none */
    char *name;
    uint32_t made_pc; /* where the program made it, for leak reports */
    MpiHandle handle;
};
MpiType *mpi_type_ref(MpiType *type);
void mpi_type_unref(MpiType *type);
MpiType *mpi_type_predefined(MpiPrimitive primitive);
/* A single primitive, or MPI_PRIMITIVE_COUNT where the type mixes several. */
MpiPrimitive mpi_type_primitive(const MpiType *type);
/* Bytes in memory that `count` items at an address touch: [*first, *first + result). 0 for nothing. */
uint64_t mpi_type_span(const MpiType *type, uint64_t count, int64_t *first);
/* Gathers count items at `address` of the process into `out` (count * size bytes). False: memory not readable. */
bool mpi_type_pack(const MpiType *type, uint64_t count, VmRank *process, uint64_t address, void *out);
/* Scatters `bytes` packed bytes into items at `address`; a partial last item is allowed. False: not writable. */
bool mpi_type_unpack(const MpiType *type, uint64_t count, VmRank *process, uint64_t address, const void *in,
                     uint64_t bytes);

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

/* A copy with an envelope that says so, committed if the type is. */
MpiType *mpi_type_duplicate(MpiType *type);
/* Gives such a copy to the program, as the new handle at argument `arg`. Takes it. */
MpiStep mpi_type_give_duplicate(MpiCall *call, unsigned arg, MpiType *type);
/* Made by MPI_Type_create_f90_...: as good as predefined. */
bool mpi_type_is_f90(const MpiType *type);

/* -- signatures (signatures.c) ----------------------------------------------------------------- */

/* Whether the first `bytes` bytes of items of the two types have the same signature. */
bool mpi_signatures_match(const MpiType *a, const MpiType *b, uint64_t bytes);
/* "; element 3 is MPI_INT on one side and MPI_FLOAT on the other" */
void mpi_append_signature_difference(GString *out, const MpiType *a, const MpiType *b, uint64_t bytes);
/* "12 MPI_INT"; `process` is the one that the type belongs to. */
void mpi_append_type_items(GString *out, const MpiType *type, uint64_t count, VmRank *process);

/* -- operators (op.c) ------------------------------------------------------------------- */

struct MpiOp {
    int refs;
    bool predefined, commutative;
    const char *name;  /* "MPI_SUM" */
    uint64_t function; /* user operator: code address */
    bool large;        /* MPI_Op_create_c: it takes the number of items as MPI_Count */
    /* predefined: inout[i] = in[i] op inout[i]; NULL where the primitive is not allowed */
    void (*apply[MPI_PRIMITIVE_COUNT])(const void *in, void *inout, uint64_t count);
    MpiHandle handle;
};
MpiOp *mpi_op_ref(MpiOp *op);
void mpi_op_unref(MpiOp *op);
/* Whether a predefined operator is defined on the type (all its blocks). User operators: always. */
bool mpi_op_allows(const MpiOp *op, const MpiType *type);
/* Whether it is one that the standard does not define on the type, as all libraries do. */
bool mpi_op_extends(const MpiOp *op, const MpiType *type);
/* Predefined operators only: inout = in op inout on packed data of `count` items of `type`. */
void mpi_op_apply(const MpiOp *op, const MpiType *type, uint64_t count, const void *in, void *inout);

/* The operator with this index in handles.def, or NULL. */
const MpiOp *mpi_op_predefined(uint32_t index);

/* The third argument of an operator's function. */
void mpi_op_store_items(MpiCall *call, uint64_t address, const MpiOp *op, uint64_t items);

/* -- buffers ----------------------------------------------------------------------------------- */

/* Buffers are simulated memory (type, count, address) or host memory, which holds packed data. */
struct MpiBuffer {
    VmRank *process; /* NULL: host memory; without that either there are no data, only bytes that pass */
    uint64_t address;
    void *host;
    MpiType *type;  /* NULL: plain bytes */
    uint64_t count; /* items, or bytes without type */
};

/* The byte of a message that tells the type of what is sent. */
static inline uint8_t mpi_signature_byte(const MpiBuffer *buffer)
{
    return buffer->type && buffer->type->predefined ? (uint8_t)buffer->type->handle : 0;
}

/* -- arguments (argument_checks.c) -------------------------------------------------------------- */

bool mpi_check_type(MpiCall *call, MpiComm *comm, unsigned arg, MpiType **type, MpiStep *step); /* committed */
/* The same of so many items: of none, MPI_DATATYPE_NULL will do, and *type is MPI_BYTE then. */
bool mpi_check_type_of(MpiCall *call, MpiComm *comm, unsigned arg, bool none, MpiType **type, MpiStep *step);
bool mpi_check_any_type(MpiCall *call, unsigned arg, MpiType **type, MpiStep *step); /* committed or not */

/* Argument 1 is the address of a datatype's handle. */
bool mpi_check_type_variable(MpiCall *call, MpiWord **handle, MpiType **type, MpiStep *step);

/* `type` NULL: there is nothing to combine. */
bool mpi_check_op(MpiCall *call, MpiComm *comm, unsigned arg, const MpiType *type, MpiOp **op, MpiStep *step);

/* Buffer, count and type in consecutive arguments: fills a buffer whose memory is there. */
bool mpi_check_buffer(MpiCall *call, MpiComm *comm, unsigned arg, bool writable, MpiBuffer *buffer, MpiStep *step);

/* The same for a message to come, of which only the first item must be there: it may be shorter. */
bool mpi_check_receive(MpiCall *call, MpiComm *comm, unsigned arg, MpiBuffer *buffer, MpiStep *step);

/* count items of the type at the address are in memory. */
bool mpi_check_memory(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t address, MpiType *type, uint64_t count,
                      bool writable, MpiStep *step);

#endif
