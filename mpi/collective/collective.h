/* collective.h - a collective as its call describes it: vectors of the program's memory, and the task made of them.
 *
 * One description serves every form of a collective (function_forms.c): the blocking call runs it and forgets it, the
 * non-blocking one gives it to an MpiOperation, the persistent one keeps it there and runs it at each start.
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
    MpiType *type;                         /* referenced; NULL in the w forms */
    uint64_t count;                        /* items; of all blocks together */
    uint64_t bytes;                        /* packed */
    uint32_t n;                            /* blocks of the v and w forms; 0: one piece */
    uint64_t *block_bytes, *block_offsets; /* n each: packed */
    int64_t *places;                       /* n: bytes from address to the block */
    MpiType **types;                       /* w forms: n, referenced; else NULL */
} MpiVector;

/* Numbers of the arguments that describe a vector of blocks. */
typedef struct MpiBlockArguments {
    unsigned buffer, counts;
    unsigned places;  /* displacements; 0: the blocks follow each other */
    bool wide_places; /* they are MPI_Aint also where counts are int */
    unsigned type; /* one datatype, displacements in its extents; w forms: an array of them, displacements in bytes */
} MpiBlockArguments;

/* `blocks` times `count` items in a row: buffer, count and type are arguments of these numbers. The vector is empty
 * before; after a failure it can be cleared. */
bool mpi_vector_parse(MpiCall *call, MpiComm *comm, unsigned buffer, unsigned count, unsigned type, uint64_t blocks,
                      bool writable, MpiVector *vector, MpiStep *step);
/* n blocks of the v forms; `each`: of the w forms. */
bool mpi_vector_parse_blocks(MpiCall *call, MpiComm *comm, MpiBlockArguments arguments, bool each, uint32_t n,
                             bool writable, MpiVector *vector, MpiStep *step);
/* Makes n equal blocks of one piece. */
void mpi_vector_split(MpiVector *vector, uint32_t n);
/* Block i of n equal ones, or of a v form, as a vector of its own. */
void mpi_vector_block(MpiVector *to, const MpiVector *from, uint32_t i, uint32_t n);
uint64_t mpi_vector_block_bytes(const MpiVector *vector, uint32_t i, uint32_t n);
/* Time that copying takes where a datatype is not contiguous. */
uint64_t mpi_vector_copy_ps(const MpiCall *call, const MpiVector *vector);
/* False: the memory is not there any more. */
bool mpi_vector_pack(const MpiVector *vector, uint8_t *out);
bool mpi_vector_unpack(const MpiVector *vector, const uint8_t *in);
void mpi_vector_clear(MpiVector *vector);

/* -- tasks (tasks.c) --------------------------------------------------------------------------- */

struct MpiTask {
    MpiComm *comm; /* referenced */
    MpiCollective collective;
    bool has_input, has_result; /* what this rank contributes and gets */
    bool in_place;              /* the input is in the result's buffer, as it should be */
    bool begun;                 /* what is behind `result` is gone */
    MpiOp *op;                  /* referenced, or NULL */
    int *peers;                 /* behind plan.sources and plan.destinations, or NULL */
    MpiVector result;
    MpiVector input;
    MpiPlan plan; /* its arrays are those of the vectors */
};

/* An empty one, which is the call's state until mpi_task_run(). */
MpiTask *mpi_task_new(MpiCall *call, MpiComm *comm, MpiCollective collective);
void mpi_task_free(void *task);
/* The communicator of a collective, which is argument `arg`, and the arguments that its form adds: info, request. */
bool mpi_task_parse(MpiCall *call, unsigned arg, MpiComm **comm, MpiStep *step);
/* Runs the call's task in the form that was called. */
MpiStep mpi_task_run(MpiCall *call);
/* Starts the schedule of a task in `agent`: packs the input, at the cost of `call`. False: its memory is gone. */
bool mpi_task_begin(MpiCall *call, MpiCall *agent, const MpiTask *task);

/* -- operations (operations.c) ----------------------------------------------------------------- */

/* Makes the request of a task, which it takes over, and stores its handle at the address; starts it unless it is
 * persistent. */
MpiStep mpi_operation_new(MpiCall *call, MpiTask *task, bool persistent, uint64_t address);
/* Starts the collective of an inactive request, at the call's time. */
void mpi_operation_start(MpiCall *call, MpiRequest *request);
/* After something was handled on its agent's time: goes on as far as possible. */
void mpi_operation_settle(MpiCall *agent);
/* What lay in the inbox for this call. */
void mpi_operation_note(MpiCall *call, MpiMessage *note);
/* Runs the functions that call->collective.upcalls need, then `after`; a call that was interrupted while blocked blocks
 * again if what it waits for has not come. */
MpiStep mpi_operations_run(MpiCall *call, MpiHandler after);
/* The call ends: they wait for the next one. */
void mpi_operations_postpone(MpiCall *call);
/* NULL: not started. */
const MpiSchedule *mpi_operation_schedule(const MpiOperation *operation);
const MpiTask *mpi_operation_task(const MpiOperation *operation);
void mpi_operation_free(MpiOperation *operation);

/* -- agreeing (collectives.c) ------------------------------------------------------------------ */

/* Takes the time that it takes every member to tell all others `bytes` bytes, then goes on at `then`. What they tell
 * each other is the caller's business: all members are in one simulator, and copies at each of a million of them would
 * not fit into it. */
MpiStep mpi_collective_agree(MpiCall *call, MpiComm *comm, uint64_t bytes, MpiHandler then);
/* A collective without data that costs what agreeing costs. */
MpiStep mpi_collective_synchronize(MpiCall *call, MpiComm *comm, MpiHandler then);

#endif
