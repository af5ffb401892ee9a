/* call.h - handles, the constants that mpi.h repeats, and calls: what a handler works with.
 *
 * Handles. A handle is 64 bits: kind << 32 | index, and looks to programs like a pointer to an incomplete struct, so
 * that mixing them up is a compile-time error. Index 0 of a kind is its null handle. Low indices are the predefined
 * objects (handles.def, from which mpi.h's constants are checked by a unit test); user objects follow.
 * Tables are per rank, except that predefined types, operators and the world group are shared and immutable.
 *
 * Calls. A GLOBAL call is an MpiCall on its rank's call stack (upcalls can nest calls). Its handler does what it can
 * and answers a step; when it must wait, it sets call->step to the function that goes on, and the engine calls that
 * whenever the rank is woken. Almost every blocking call is "start some requests, then wait for them": mpi_call_wait().
 */
#ifndef ORRERY_MPI_CALL_H
#define ORRERY_MPI_CALL_H

#include "mpi/mpi_world.h"

typedef struct MpiRank MpiRank;       /* MPI state of one rank */
typedef struct MpiCall MpiCall;       /* one MPI call in progress */
typedef struct MpiComm MpiComm;       /* one rank's view of a communicator */
typedef struct MpiGroup MpiGroup;     /* immutable list of world ranks, reference counted */
typedef struct MpiType MpiType;       /* datatype */
typedef struct MpiOp MpiOp;           /* reduction operator */
typedef struct MpiRequest MpiRequest; /* nonblocking operation */
typedef struct MpiErrhandler MpiErrhandler;
typedef struct MpiPartitioned MpiPartitioned; /* partitioned send or receive (partitioned.c) */
typedef struct MpiOperation MpiOperation;     /* collective that goes on while its rank does other things */
typedef struct MpiTurns MpiTurns;             /* collectives called on a communicator (turns.c) */
typedef struct MpiBinding MpiBinding;         /* function in one world (world.h) */
typedef struct MpiPairTable MpiPairTable;     /* envelopes on their way (world.h) */
typedef struct MpiInfo MpiInfo;               /* info object (info.c) */
typedef struct MpiEnvelope MpiEnvelope;       /* how a datatype was made (envelope.h) */
typedef struct MpiBuffer MpiBuffer;           /* memory that a call names (type.h) */
typedef struct MpiKey MpiKey;                 /* what a receive names and a message has (matcher.h) */
typedef struct MpiShare MpiShare;             /* what members of a communicator must agree on (share.h) */
typedef struct MpiSide MpiSide;               /* of a partitioned message (p2p.h) */
typedef uint64_t MpiHandle;
typedef struct MpiMessage MpiMessage;   /* on its way, or not yet received (p2p.h) */
typedef struct MpiSchedule MpiSchedule; /* collective that runs (schedule.h) */
typedef struct MpiTask MpiTask;         /* collective as its call describes it (collective.h) */

/* Numbers in the program's memory, at any address. */
typedef int32_t __attribute__((aligned(1))) MpiInt32;
typedef int64_t __attribute__((aligned(1))) MpiInt64;
typedef uint64_t __attribute__((aligned(1))) MpiWord;

typedef enum MpiHandleKind { /* kinds.def; 0: none */
                             MPI_KIND_NONE,
#define MPI_KIND(identifier, noun, null, error_class, drop, predefined) MPI_KIND_##identifier,
#include "mpi/core/kinds.def"
                             MPI_KIND_COUNT
} MpiHandleKind;
#define MPI_HANDLE(kind, index) ((uint64_t)(kind) << 32 | (uint32_t)(index))

/* Constants that mpi.h repeats (checked by tests/unit/mpi/test_header.c). */
enum {
    MPI_PROC_NULL_ = -1000000103, /* these four: what nobody computes, so that rank - 1 on rank 0 is seen to be wrong */
    MPI_ANY_SOURCE_ = -1000000205,
    MPI_ROOT_ = -1000000307,
    MPI_ANY_TAG_ = -1000000409,
    MPI_UNDEFINED_ = -32766,
    MPI_TAG_UB_VALUE_ = 0x7fffffff,
    MPI_COMM_WORLD_INDEX = 1,
    MPI_COMM_SELF_INDEX = 2,
    MPI_GROUP_EMPTY_INDEX = 1,
    MPI_FIRST_USER_INDEX = 256, /* of every kind; what is below is predefined */
    MPI_BSEND_OVERHEAD_ = 96,
    MPI_IDENT_ = 0,
    MPI_CONGRUENT_ = 1,
    MPI_SIMILAR_ = 2,
    MPI_UNEQUAL_ = 3,
    MPI_COMM_TYPE_SHARED_ = 1,
    MPI_COMM_TYPE_HW_GUIDED_ = 2,
    MPI_COMM_TYPE_HW_UNGUIDED_ = 3,
};
#define MPI_BOTTOM_          UINT64_C(0)
#define MPI_IN_PLACE_        UINT64_C(0xffffffffffffffff) /* (void *)-1 */
#define MPI_STATUS_IGNORE_   UINT64_C(1)                  /* (MPI_Status *)1 */
#define MPI_STATUSES_IGNORE_ UINT64_C(1)

/* Memory layout of MPI_Status in programs. */
typedef struct MpiStatus {
    int32_t source, tag, error, cancelled;
    uint64_t bytes; /* received, packed size */
} MpiStatus;

/* Error classes: MPI_ERROR_CLASS(name, number, text) rows in errors.def. */
enum {
#define MPI_ERROR_CLASS(name, number, text) MPI_##name = number,
#include "mpi/errors.def"
};

#define MPI_UNWEIGHTED_    UINT64_C(2) /* (int *)2 */
#define MPI_WEIGHTS_EMPTY_ UINT64_C(3)

/* Constants that mpi.h repeats, too. */
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

/* -- calls ------------------------------------------------------------------------------------- */

typedef enum MpiStep {
    MPI_STEP_DONE,   /* result in call->result (an error class, 0 = MPI_SUCCESS); rank goes on at call->now */
    MPI_STEP_BLOCK,  /* call->step will be called when something wakes the rank */
    MPI_STEP_UPCALL, /* vm_rank_upcall() was called; call->step follows at its return with call->upcall_result */
    MPI_STEP_FAULT,
    MPI_STEP_ABORT,
    MPI_STEP_GLOBAL, /* only where call->local: leave the VM as a request, in which this handler is called again from
                      * its start. So a LOCAL function that must make an upcall (user error handler, callback) first
                      * answers this, before it has changed anything; mpi_call_error() does so by itself. */
} MpiStep;
typedef MpiStep (*MpiHandler)(MpiCall *call);

/* How an operation was called: MPI_Bcast, MPI_Ibcast, MPI_Bcast_init (function_forms.c). */
typedef enum MpiForm { MPI_FORM_BLOCKING, MPI_FORM_NONBLOCKING, MPI_FORM_PERSISTENT } MpiForm;

/* First what every handler sees, then what single owners keep of a call: nobody else touches that. */
struct MpiCall {
    MpiWorld *world;
    MpiRank *rank;
    VmRank *process;
    uint64_t *args; /* register window; args[i] as the program passed them */
    unsigned n;
    uint32_t function;    /* row of functions.def */
    const char *name;     /* "MPI_Send" */
    uint32_t pc;          /* where in the program, for messages */
    uint8_t form;         /* MpiForm */
    bool large;           /* a _c function: counts are MPI_Count, displacements MPI_Aint (function_forms.c) */
    bool local;           /* runs inside the VM: no blocking, no upcall (see MPI_STEP_GLOBAL) */
    bool background;      /* no call of the program, but the clock of an MpiOperation (operations.c) */
    uint64_t entered_ps;  /* when the program called */
    uint64_t now;         /* the rank's time; mpi_call_charge() moves it */
    uint64_t overhead_ps; /* processor time charged so far; the rest of (now - entered) was blocked */
    uint64_t result;      /* value to return */

    MpiHandler step;                 /* what goes on after BLOCK or UPCALL */
    void *state;                     /* the handler's own, freed with g_free when the call ends */
    void (*state_free)(void *state); /* instead of g_free, if set */
    MpiCall *outer;                  /* the call inside whose upcall this one was made */

    struct {                 /* calls.c and call_waits.c: waiting and going on */
        uint32_t waiting;    /* requests that are still to complete before the call is woken */
        uint32_t idle_polls; /* MpiRank.idle_polls before this call */
        bool blocked;        /* it waits; arrivals are handled on its time */
        bool finishing;      /* a wake-up is on its way */
        bool stopped;        /* mpi_call_stop() has ended it */
    } engine;
    struct {                   /* schedule.c and operations.c: collectives */
        MpiSchedule *schedule; /* that the call executes, or NULL ... */
        MpiHandler then;       /* ... and what follows it */
        MpiOperation *upcalls; /* those in the background whose operator's function it is to run, or runs */
        bool interrupted;      /* it was blocked when these began */
    } collective;
    struct {                /* general_requests.c */
        MpiRequest *asking; /* whose function runs */
    } p2p;
    struct {       /* attributes.c */
        int error; /* of the last mpi_attributes_*(): MPI_SUCCESS or what a callback answered */
    } attribute;

    uint64_t upcall_result; /* what the simulated function returned */
    uint64_t room[4];       /* for a small state, which then needs no memory of its own */
};

/* -- time and waiting (calls.c) ---------------------------------------------------------------- */

/* Charges processor time (library overhead) to the call. */
void mpi_call_charge(MpiCall *call, uint64_t ps);

/* int argument. */
static inline int mpi_int(const MpiCall *call, unsigned i)
{
    return (int)(int32_t)call->args[i];
}

/* Runs simulated code at `function` with up to 8 arguments, then goes on at `then` with call->upcall_result. Fetches
 * the argument window anew, so call->args stays good; host addresses of rank memory do not: ask for them again. */
MpiStep mpi_call_upcall(MpiCall *call, uint64_t function, const uint64_t *args, unsigned n, MpiHandler then);

/* Bytes times femtoseconds per byte, in ps, rounded down; exact in 128 bits. */
uint64_t mpi_call_bytes_ps(uint64_t bytes, uint64_t byte_fs);

/* The rank was blocked until time_ps (nothing happens if it is already later). */
void mpi_call_advance(MpiCall *call, uint64_t time_ps);

/* The call of the rank on whose time an arrival can be handled at once, or NULL: the rank computes or is about to go
 * on. */
MpiCall *mpi_call_receptive(MpiRank *rank);

/* Answers BLOCK, or goes on at once if nothing is to wait for. */
MpiStep mpi_call_block(MpiCall *call, MpiHandler then);

/* mpi_finding_stop() from outside the call's handler, when something arrives: the rank stops as soon as it can. */
void mpi_call_stop(MpiCall *call, MpiCheck check, const char *reason);

/* A poll found nothing: time must move, or a polling loop would never end. If calls cost nothing, a poll costs 1 ns. */
void mpi_call_poll_failed(MpiCall *call);

/* Something that is not of the rank's own doing is about to change what its polls may find. */
void mpi_call_touch_rank(MpiRank *rank);

#endif
