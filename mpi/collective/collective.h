/* collective.h - a collective as its call describes it: vectors of the program's memory, and the task made of them.
 *
 * One description serves every form of a collective (function_forms.c). The blocking call runs it once. The
 * non-blocking call gives it to an MpiOperation. The persistent call keeps it there and runs it at each start.
 */
#ifndef ORRERY_MPI_COLLECTIVE_H
#define ORRERY_MPI_COLLECTIVE_H

#include "mpi/collective/schedule.h"
#include "mpi/core/call.h"

/* -- vectors (collective_vectors.c) ------------------------------------------------------------ */

/* Memory of the program that is packed into, or unpacked from, one contiguous piece. */
typedef struct MpiVector {
    VmRank *process;
    uint64_t address;
    MpiType *type;                         /* referenced; NULL in the w forms, see `types` */
    uint64_t count;                        /* number of items in all blocks together */
    uint64_t bytes;                        /* packed size of all blocks */
    uint32_t n;                            /* number of blocks in the v and w forms; 0: one piece */
    uint64_t *block_bytes, *block_offsets; /* n each: packed size of a block and its offset in the packed piece */
    int64_t *places;                       /* n: bytes from address to the block */
    MpiType **types;                       /* w forms: n types, referenced; else NULL */
} MpiVector;

/* Numbers of the arguments that describe a vector of blocks. */
typedef struct MpiBlockArguments {
    unsigned buffer, counts;
    unsigned places;  /* displacements; 0: the blocks follow each other */
    bool wide_places; /* displacements are MPI_Aint even where counts are int */
    unsigned type;    /* v forms: one datatype, displacements in its extents; w forms: array of datatypes, displacements
                       * in bytes */
} MpiBlockArguments;

/* Parses `blocks` times `count` consecutive items; buffer, count and type are argument numbers. The vector must be
 * empty before. After a failure the caller can clear it. */
bool mpi_vector_parse(MpiCall *call, MpiComm *comm, unsigned buffer, unsigned count, unsigned type, uint64_t blocks,
                      bool writable, MpiVector *vector, MpiStep *step);
/* Parses n blocks of the v forms, or of the w forms if `each`. */
bool mpi_vector_parse_blocks(MpiCall *call, MpiComm *comm, MpiBlockArguments arguments, bool each, uint32_t n,
                             bool writable, MpiVector *vector, MpiStep *step);
/* Divides a vector of one piece into n equal blocks. */
void mpi_vector_split(MpiVector *vector, uint32_t n);
/* Makes a vector of block i, of n equal ones or of a v form. */
void mpi_vector_block(MpiVector *to, const MpiVector *from, uint32_t i, uint32_t n);
/* Returns the packed size of block i, of n equal ones or of a v form. */
uint64_t mpi_vector_block_bytes(const MpiVector *vector, uint32_t i, uint32_t n);
/* Returns the time of copying; 0 if the datatype is contiguous. */
uint64_t mpi_vector_copy_ps(const MpiCall *call, const MpiVector *vector);
/* Pack the vector's memory into `out`, or unpack `in` into it. Return false if the memory is gone. */
bool mpi_vector_pack(const MpiVector *vector, uint8_t *out);
bool mpi_vector_unpack(const MpiVector *vector, const uint8_t *in);
void mpi_vector_clear(MpiVector *vector);

/* -- tasks (tasks.c) --------------------------------------------------------------------------- */

/* A collective as one rank's call describes it. */
struct MpiTask {
    MpiComm *comm; /* referenced */
    MpiCollective collective;
    bool has_input, has_result; /* whether this rank contributes data and gets data */
    bool in_place;              /* the input is in the buffer of the result (MPI_IN_PLACE) */
    bool begun;                 /* the original contents of `result` are gone */
    MpiOp *op;                  /* referenced; NULL: no operator */
    int *peers;                 /* memory of plan.sources and plan.destinations, or NULL */
    MpiVector result;
    MpiVector input;
    MpiPlan plan; /* its arrays belong to the vectors */
};

/* Makes an empty task. It is the call's state until mpi_task_run(). */
MpiTask *mpi_task_new(MpiCall *call, MpiComm *comm, MpiCollective collective);
void mpi_task_free(void *task);
/* Parses the communicator of a collective, argument `arg`, and the arguments that its form adds: info, request. */
bool mpi_task_parse(MpiCall *call, unsigned arg, MpiComm **comm, MpiStep *step);
/* Raises an error if input and result overlap (aliasing.c). */
bool mpi_aliasing_check(MpiCall *call, const MpiTask *task, MpiStep *step);
/* Runs the call's task in the form of the call. */
MpiStep mpi_task_run(MpiCall *call);
/* Starts the schedule of a task in `agent`. Packs the input, which costs time of `call`. Returns false if the memory
 * of the input is gone. */
bool mpi_task_begin(MpiCall *call, MpiCall *agent, const MpiTask *task);

/* -- operations (operations.c) ----------------------------------------------------------------- */

/* Makes the request of a task and stores its handle at the address. Starts it unless it is persistent. Takes the
 * task. */
MpiStep mpi_operation_new(MpiCall *call, MpiTask *task, bool persistent, uint64_t address);
/* Starts the collective of an inactive request, at the call's time. */
void mpi_operation_start(MpiCall *call, MpiRequest *request);
/* Called after something was handled on the agent's time. Goes on as far as possible. */
void mpi_operation_settle(MpiCall *agent);
/* Handles a note that lay in the rank's inbox for this call. */
void mpi_operation_note(MpiCall *call, MpiMessage *note);
/* Leaves an operation whose rank has to go on with it for the rank's next call. */
void mpi_operation_keep(MpiCall *agent);
/* Runs the user-defined operators that call->collective.upcalls need, then `after`. A call that was interrupted while
 * it was blocked blocks again if what it waits for has not come. */
MpiStep mpi_operations_run(MpiCall *call, MpiHandler after);
/* Called at the end of a call. Its remaining upcalls wait for the rank's next call. */
void mpi_operations_postpone(MpiCall *call);
/* Returns the schedule; NULL: the operation is not running. */
const MpiSchedule *mpi_operation_schedule(const MpiOperation *operation);
const MpiTask *mpi_operation_task(const MpiOperation *operation);
/* Visits the memory that the task takes data from, and the one where its result comes in, in pieces that are as long as
 * they can be, until a visit returns false. Returns whether none did. O(members) */
typedef bool (*MpiPieceVisitor)(const MpiBuffer *piece, bool written, void *context);
bool mpi_task_visit(const MpiTask *task, MpiPieceVisitor visit, void *context);
void mpi_operation_free(MpiOperation *operation);

/* -- agreeing (collectives.c) ------------------------------------------------------------------ */

/* Takes the time in which every member tells all others `bytes` bytes, then goes on at `then`. The caller provides the
 * data itself: all members are in one simulator, which has no room for a copy at each of a million members. */
MpiStep mpi_collective_agree(MpiCall *call, MpiComm *comm, uint64_t bytes, MpiHandler then);
/* Runs a collective without data that costs as much as an agreement. */
MpiStep mpi_collective_synchronize(MpiCall *call, MpiComm *comm, MpiHandler then);

#endif
