/* type.h - datatypes, operators, and the buffers described by them.
 *
 * Predefined objects are constant data, shared by all ranks of all worlds. They are never written to, so reference
 * counting skips them.
 */
#ifndef ORRERY_MPI_TYPE_H
#define ORRERY_MPI_TYPE_H

#include "mpi/comm/comm.h"
#include "mpi/core/call.h"

/* -- datatypes (type_map.c, pack.c) ------------------------------------------------------------ */

typedef enum MpiPrimitive { /* the elementary types that reductions and signature checks distinguish */
#define MPI_PRIMITIVE(name, bytes, text) MPI_PRIM_##name,
#include "mpi/type/primitives.def"
                            MPI_PRIMITIVE_COUNT /* not MPI_PRIM_COUNT, which is the primitive of the type MPI_COUNT */
} MpiPrimitive;

/* A run of equal primitives in memory. */
typedef struct MpiBlock {
    int64_t offset; /* from the origin of the item, in bytes */
    uint64_t count; /* number of primitives */
    uint32_t primitive;
    uint32_t bytes; /* of one primitive */
} MpiBlock;

/* Repeats what is inside it `count` times, at distances of `stride` bytes. */
typedef struct MpiLoop {
    uint64_t count;
    int64_t stride;
} MpiLoop;

/* A run of bytes, regardless of their primitives. */
typedef struct MpiSegment {
    int64_t offset;
    uint64_t bytes;
} MpiSegment;

/* How to copy one item: the segments in order, repeated by the loops, outermost loop first. */
typedef struct MpiLayout {
    const MpiSegment *segments;
    const MpiLoop *loops;
    uint32_t n_segments, n_loops;
    uint64_t segment_bytes; /* length of each segment if all are equally long; 0: they differ, or it is not known */
} MpiLayout;

struct MpiType {
    int refs; /* atomic; predefined types are never freed */
    bool predefined, committed;
    uint64_t size;      /* bytes of data in one item */
    int64_t lb, extent; /* extent = ub - lb */
    int64_t true_lb, true_extent;
    bool lb_set, ub_set; /* lb or ub comes from MPI_LB, MPI_UB or MPI_Type_create_resized, not from the data */
    uint32_t alignment;  /* that of the most demanding primitive, in bytes */
    MpiBlock *blocks;    /* the type map in order, with adjacent equal runs merged */
    uint32_t n_blocks;
    MpiLoop *loops;        /* they repeat the blocks, outermost loop first; iterations i, j ... shift the blocks by i *
                            * loops[0].stride + j * loops[1].stride + ... */
    uint32_t n_loops;      /* number of loops; a vector is one block in one loop */
    uint64_t n_primitives; /* number of primitives in one item */
    bool contiguous;       /* the data of count items are count * size bytes from offset 0 on: one memcpy */
    uint64_t signature;    /* hash of the sequence of primitives of one item; see mpi_type_signature() */
    MpiLayout *layout;     /* plan for copying (pack.c), made by MPI_Type_commit */
    MpiEnvelope *envelope; /* how it was made; NULL: predefined, or made by the library itself */
    GPtrArray *attributes; /* the attributes (attributes.c); NULL while there are none */
    char *name;
    uint32_t made_pc; /* location of the call that made it, for leak reports */
    MpiHandle handle;
};
MpiType *mpi_type_ref(MpiType *type);
void mpi_type_unref(MpiType *type);
MpiType *mpi_type_predefined(MpiPrimitive primitive);
/* Plain predefined types, which come before pairs and markers, and the bytes of an item of each. */
enum { MPI_PLAIN_PRIMITIVES = MPI_PRIM_FLOAT_INT };
extern const uint8_t mpi_type_plain_bytes[];
/* Returns the primitive of a type that has only one, else MPI_PRIMITIVE_COUNT. */
MpiPrimitive mpi_type_primitive(const MpiType *type);
/* Returns the length of the memory range that `count` items touch, in bytes; 0 if none. *first is its start, relative
 * to the address of the items. */
uint64_t mpi_type_span(const MpiType *type, uint64_t count, int64_t *first);
/* Gathers `count` items at `address` of the process into `out`, which has count * size bytes. Returns false if memory
 * is not readable. */
bool mpi_type_pack(const MpiType *type, uint64_t count, VmRank *process, uint64_t address, void *out);
/* Scatters `bytes` packed bytes into items at `address`; the last item may be partial. Returns false if memory is not
 * writable. */
bool mpi_type_unpack(const MpiType *type, uint64_t count, VmRank *process, uint64_t address, const void *in,
                     uint64_t bytes);

/* Returns the number of primitives in the first `bytes` packed bytes of items of this type (MPI_Get_elements), or
 * MPI_UNDEFINED_ if the bytes end inside a primitive. */
int64_t mpi_type_elements(const MpiType *type, uint64_t bytes);
/* The inverse of mpi_type_elements(): returns the number of packed bytes of so many primitives. */
uint64_t mpi_type_element_bytes(const MpiType *type, uint64_t elements);
/* Pack and unpack memory of the simulator. `base` is the host address that the type's offsets count from. */
void mpi_type_pack_host(const MpiType *type, uint64_t count, const void *base, void *out);
void mpi_type_unpack_host(const MpiType *type, uint64_t count, void *base, const void *in, uint64_t bytes);
/* Returns a hash of the sequence of primitives in the first `bytes` packed bytes of items. So a message can be
 * compared with a longer receive buffer. The hash is polynomial; *primitives is the length of the sequence.
 */
uint64_t mpi_type_signature(const MpiType *type, uint64_t bytes, uint64_t *primitives);
/* Returns "MPI_INT", the user's name for the type, or "a derived datatype". */
const char *mpi_type_describe(const MpiType *type);

/* Returns a copy whose envelope says that it is one. It is committed if `type` is. */
MpiType *mpi_type_duplicate(MpiType *type);
/* Gives a duplicate to the program, as a new handle at argument `arg`. Takes `type`. */
MpiStep mpi_type_give_duplicate(MpiCall *call, unsigned arg, MpiType *type);
/* Whether MPI_Type_create_f90_... made the type. Such types are treated as predefined. */
bool mpi_type_is_f90(const MpiType *type);

/* -- signatures (signatures.c) ----------------------------------------------------------------- */

/* Whether the first `bytes` packed bytes of items of both types have the same signature. */
bool mpi_signatures_match(const MpiType *a, const MpiType *b, uint64_t bytes);
/* Appends for example "; element 3 is MPI_INT on one side and MPI_FLOAT on the other". */
void mpi_append_signature_difference(GString *out, const MpiType *a, const MpiType *b, uint64_t bytes);
/* Appends for example "12 MPI_INT". `process` is the one that the type belongs to. */
void mpi_append_type_items(GString *out, const MpiType *type, uint64_t count, VmRank *process);

/* -- operators (op.c) ------------------------------------------------------------------- */

struct MpiOp {
    int refs;
    bool predefined, commutative;
    const char *name;  /* "MPI_SUM" */
    uint64_t function; /* user-defined operator: code address */
    bool large;        /* made by MPI_Op_create_c: the function gets the number of items as MPI_Count */
    /* predefined operators: inout[i] = in[i] op inout[i]; NULL: not defined on the primitive */
    void (*apply[MPI_PRIMITIVE_COUNT])(const void *in, void *inout, uint64_t count);
    MpiHandle handle;
};
MpiOp *mpi_op_ref(MpiOp *op);
void mpi_op_unref(MpiOp *op);
/* Whether the operator is defined on the type. User-defined operators are defined on every type. */
bool mpi_op_allows(const MpiOp *op, const MpiType *type);
/* Whether the operator allows the type although the standard does not, as in all libraries. */
bool mpi_op_extends(const MpiOp *op, const MpiType *type);
/* Computes inout = in op inout on packed data of `count` items of `type`. Only for predefined operators. */
void mpi_op_apply(const MpiOp *op, const MpiType *type, uint64_t count, const void *in, void *inout);

/* Returns the operator with this index in handles.def, or NULL. */
const MpiOp *mpi_op_predefined(uint32_t index);

/* Stores the number of items, the third argument of a user-defined operator's function, at `address`. */
void mpi_op_store_items(MpiCall *call, uint64_t address, const MpiOp *op, uint64_t items);

/* -- buffers ----------------------------------------------------------------------------------- */

/* Memory of a message: simulated memory (type, count, address), or host memory with packed data. */
struct MpiBuffer {
    VmRank *process; /* NULL: host memory. If `host` is NULL, too, there are no data, and only the number of bytes
                      * matters */
    uint64_t address;
    void *host;
    MpiType *type;  /* NULL: the data are plain bytes */
    uint64_t count; /* items, or bytes if there is no type */
};

/* Returns the byte in a message that identifies a predefined type of the sent data; 0: another type or none. */
static inline uint8_t mpi_signature_byte(const MpiBuffer *buffer)
{
    return buffer->type && buffer->type->predefined ? (uint8_t)buffer->type->handle : 0;
}

/* -- arguments (argument_checks.c) -------------------------------------------------------------- */

bool mpi_check_type(MpiCall *call, MpiComm *comm, unsigned arg, MpiType **type, MpiStep *step); /* a committed type */
/* As mpi_check_type() for a number of items. If `none`, there are no items, and MPI_DATATYPE_NULL is allowed and gives
 * MPI_BYTE. */
bool mpi_check_type_of(MpiCall *call, MpiComm *comm, unsigned arg, bool none, MpiType **type, MpiStep *step);
bool mpi_check_any_type(MpiCall *call, unsigned arg, MpiType **type, MpiStep *step); /* committed or not */

/* Checks argument 1 of a call, which must be the address of a datatype's handle. */
bool mpi_check_type_variable(MpiCall *call, MpiWord **handle, MpiType **type, MpiStep *step);

/* Checks an operator. `type` is NULL if there is nothing to combine. */
bool mpi_check_op(MpiCall *call, MpiComm *comm, unsigned arg, const MpiType *type, MpiOp **op, MpiStep *step);

/* Fills in a buffer from consecutive arguments: address, count and type. All of its memory must exist. */
bool mpi_check_buffer(MpiCall *call, MpiComm *comm, unsigned arg, bool writable, MpiBuffer *buffer, MpiStep *step);

/* As mpi_check_buffer(), for a receive. Only the first item must exist, since the message may be shorter. */
bool mpi_check_receive(MpiCall *call, MpiComm *comm, unsigned arg, MpiBuffer *buffer, MpiStep *step);

/* Checks that `count` items of the type exist in memory at the address. */
bool mpi_check_memory(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t address, MpiType *type, uint64_t count,
                      bool writable, MpiStep *step);

#endif
