/* call.h - handles, the constants that mpi.h repeats, and calls: what a handler works with.
 *
 * Handles. A handle has 64 bits: kind << 32 | index. Programs see it as a pointer to an incomplete struct, so that
 * confusing two kinds is a compile-time error. Index 0 of a kind is its null handle. Low indices are the predefined
 * objects; a unit test checks mpi.h's constants against their table, handles.def. User objects follow. Each rank has
 * its own table. Predefined types, operators and the world group are shared and immutable.
 *
 * Calls. A GLOBAL call is an MpiCall on its rank's call stack (upcalls can nest calls). Its handler does what it can
 * and returns a step. When the call must wait, the handler sets call->step to the function that goes on. The engine
 * calls that function whenever the rank is woken. Almost every blocking call is "start some requests, then wait for
 * them", see mpi_call_wait().
 */
#ifndef ORRERY_MPI_CALL_H
#define ORRERY_MPI_CALL_H

#include "mpi/mpi_world.h"

typedef struct MpiRank MpiRank;                 /* MPI state of one rank */
typedef struct MpiCall MpiCall;                 /* an MPI call in progress */
typedef struct MpiAttached MpiAttached;         /* a buffer for buffered sends (p2p.h) */
typedef struct MpiComm MpiComm;                 /* one rank's view of a communicator */
typedef struct MpiPlainReceive MpiPlainReceive; /* an MPI_Recv on its short way (p2p.h) */
typedef struct MpiPlainCall MpiPlainCall;       /* a call on its short way, as listeners see it (hooks.h) */
typedef struct MpiGroup MpiGroup;               /* immutable list of world ranks, reference counted */
typedef struct MpiType MpiType;                 /* a datatype */
typedef struct MpiOp MpiOp;                     /* a reduction operator */
typedef struct MpiRequest MpiRequest;           /* a nonblocking operation */
typedef struct MpiErrhandler MpiErrhandler;
typedef struct MpiRaiser MpiRaiser;             /* an object with an error handler (comm.h) */
typedef struct MpiPartitioned MpiPartitioned;   /* a partitioned send or receive (partitioned.c) */
typedef struct MpiOperation MpiOperation;       /* a collective that runs in the background (operations.c) */
typedef struct MpiTurns MpiTurns;               /* the order of the collectives on a communicator (turns.c) */
typedef struct MpiBinding MpiBinding;           /* an MPI function in one world (world.h) */
typedef struct MpiPairTable MpiPairTable;       /* the envelopes on their way (world.h) */
typedef struct MpiFile MpiFile;                 /* a rank's view of an open file (file.h) */
typedef struct MpiInfo MpiInfo;                 /* an info object (info.c) */
typedef struct MpiEnvelope MpiEnvelope;         /* the constructor and arguments of a datatype (envelope.h) */
typedef struct MpiBuffer MpiBuffer;             /* a buffer argument of a call (type.h) */
typedef struct MpiMany MpiMany;                 /* a receive of many messages (matcher.h) */
typedef struct MpiScheduleHead MpiScheduleHead; /* what the message path sees of a collective (p2p.h) */
typedef struct MpiKey MpiKey;                   /* what messages and receives are matched by (matcher.h) */
typedef struct MpiShare MpiShare;               /* an argument that members of a communicator must agree on (share.h) */
typedef struct MpiWin MpiWin;                   /* a window, as a member sees it (windows.h in rma/) */
typedef struct MpiPeer MpiPeer;                 /* another member of a window (windows.h in rma/) */
typedef struct MpiWindowAccess MpiWindowAccess; /* an access to a window, as checks see it (rma.h) */
typedef struct MpiWindowStep MpiWindowStep;     /* a synchronisation of a window, as checks see it (rma.h) */
typedef struct MpiRemoteHead MpiRemoteHead;     /* a transfer of one-sided communication (remote.h) */
typedef struct MpiSide MpiSide;                 /* one side of a partitioned message (p2p.h) */
typedef uint64_t MpiHandle;
typedef struct MpiMessage MpiMessage;   /* a message on its way or not yet received (p2p.h) */
typedef struct MpiSchedule MpiSchedule; /* a collective in execution (schedule.h) */
typedef struct MpiTask MpiTask;         /* a collective as its arguments describe it (collective.h) */

/* Numbers in the program's memory; they may be unaligned. */
typedef int32_t __attribute__((aligned(1))) MpiInt32;
typedef int64_t __attribute__((aligned(1))) MpiInt64;
typedef uint64_t __attribute__((aligned(1))) MpiWord;

typedef enum MpiHandleKind { /* rows of kinds.def; 0 is no kind */
                             MPI_KIND_NONE,
#define MPI_KIND(identifier, noun, null, error_class, drop, predefined) MPI_KIND_##identifier,
#include "mpi/core/kinds.def"
                             MPI_KIND_COUNT
} MpiHandleKind;
#define MPI_HANDLE(kind, index) ((uint64_t)(kind) << 32 | (uint32_t)(index))

/* Constants that mpi.h repeats (checked by tests/unit/mpi/test_header.c). */
enum {
    MPI_PROC_NULL_ = -1000000103, /* these four are values that no program computes, so that rank - 1 on rank 0 is seen
                                   * to be wrong */
    MPI_ANY_SOURCE_ = -1000000205,
    MPI_ROOT_ = -1000000307,
    MPI_ANY_TAG_ = -1000000409,
    MPI_UNDEFINED_ = -32766,
    MPI_TAG_UB_VALUE_ = 0x7fffffff,
    MPI_COMM_WORLD_INDEX = 1,
    MPI_COMM_SELF_INDEX = 2,
    MPI_GROUP_EMPTY_INDEX = 1,
    MPI_FIRST_USER_INDEX = 256, /* for every kind; lower indices are predefined */
    MPI_BSEND_OVERHEAD_ = 96,
    MPI_IDENT_ = 0,
    MPI_CONGRUENT_ = 1,
    MPI_SIMILAR_ = 2,
    MPI_UNEQUAL_ = 3,
    MPI_COMM_TYPE_SHARED_ = 1,
    MPI_COMM_TYPE_HW_GUIDED_ = 2,
    MPI_COMM_TYPE_HW_UNGUIDED_ = 3,
    MPI_COMM_TYPE_RESOURCE_GUIDED_ = 4,
};
#define MPI_BOTTOM_           UINT64_C(0)
#define MPI_IN_PLACE_         UINT64_C(0xffffffffffffffff) /* (void *)-1 */
#define MPI_BUFFER_AUTOMATIC_ UINT64_C(4)                  /* (void *)4 */
#define MPI_STATUS_IGNORE_    UINT64_C(1)                  /* (MPI_Status *)1 */
#define MPI_STATUSES_IGNORE_  UINT64_C(1)

/* Memory layout of MPI_Status in programs. */
typedef struct MpiStatus {
    int32_t source, tag, error, cancelled;
    uint64_t bytes; /* received bytes, as a packed size */
} MpiStatus;

/* Error classes: MPI_ERROR_CLASS(name, number, text) rows in errors.def. */
enum {
#define MPI_ERROR_CLASS(name, number, text) MPI_##name = number,
#include "mpi/errors.def"
};

#define MPI_FAILURE_ALARM  (UINT64_C(1) << 62) /* a bit of the cookies of alarms (failure/) */
#define MPI_UNWEIGHTED_    UINT64_C(2)         /* (int *)2 */
#define MPI_WEIGHTS_EMPTY_ UINT64_C(3)

/* More constants that mpi.h repeats. */
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
    MPI_WIN_BASE_,
    MPI_WIN_SIZE_,
    MPI_WIN_DISP_UNIT_,
    MPI_WIN_CREATE_FLAVOR_,
    MPI_WIN_MODEL_,
    MPI_MAX_OBJECT_NAME_ = 128,
    MPI_MAX_ERROR_STRING_ = 512,
};

/* -- calls ------------------------------------------------------------------------------------- */

/* What a handler asks the engine to do next. */
typedef enum MpiStep {
    MPI_STEP_DONE,   /* the call is over, with call->result (an error class, 0 = MPI_SUCCESS); the rank goes on at
                      * call->now */
    MPI_STEP_BLOCK,  /* call->step will be called when something wakes the rank */
    MPI_STEP_UPCALL, /* vm_rank_upcall() was called; call->step runs when it returns, with call->upcall_result */
    MPI_STEP_FAULT,  /* the rank has a fault */
    MPI_STEP_ABORT,  /* MPI_Abort ends the run */
    MPI_STEP_GLOBAL, /* Allowed only where call->local: leave the VM as a request. In that request, this handler is
                      * called again from its start. So a LOCAL function that must make an upcall (user error handler,
                      * callback) first returns this, before it has changed anything. mpi_call_error() does so by
                      * itself. */
} MpiStep;
typedef MpiStep (*MpiHandler)(MpiCall *call);

/* How an operation was called: MPI_Bcast, MPI_Ibcast, MPI_Bcast_init (function_forms.c). */
typedef enum MpiForm { MPI_FORM_BLOCKING, MPI_FORM_NONBLOCKING, MPI_FORM_PERSISTENT } MpiForm;

typedef struct MpiMaker { /* the call that makes something, as those know it who are told of that later */
    const char *name;     /* "MPI_Irecv" */
    uint32_t pc;          /* location of the call in the program */
    uint32_t function;    /* index of the row of functions.def */
} MpiMaker;

/* An MPI call in progress. First come the fields that every handler uses. The structs below belong to single files; no
 * other file touches them. */
struct MpiCall {
    MpiWorld *world;
    MpiRank *rank;
    VmRank *process;
    uint64_t *args;          /* register window; args[i] as the program passed them */
    unsigned n;              /* number of arguments */
    uint32_t function;       /* index of the row of functions.def */
    const char *name;        /* "MPI_Send" */
    uint32_t pc;             /* location of the call in the program, for messages */
    uint8_t form;            /* MpiForm */
    bool large;              /* the function has the suffix _c: counts are MPI_Count, displacements MPI_Aint
                              * (function_forms.c) */
    const MpiRaiser *raiser; /* the object whose error handler gets the call's errors; NULL: the communicator that the
                              * error names (errors.c) */
    bool local;              /* the call runs inside the VM: no blocking, no upcall (see MPI_STEP_GLOBAL) */
    bool expands;            /* the call takes the place of a plain receive (plain_receive.c) */
    uint32_t thread;         /* the thread that made it, and the task that this is: MpiEnv.wake */
    uint32_t task;
    bool background;      /* not a call of the program but an agent with its own clock: of an MpiOperation
                           * (operations.c), or, if it has a `step`, of another operation that goes on there when its
                           * schedule is finished, or at an alarm with its address and MPI_AGENT_ALARM as cookie */
    uint64_t entered_ps;  /* time at which the program made the call */
    uint64_t now;         /* the rank's current time; mpi_call_charge() moves it */
    uint64_t overhead_ps; /* processor time charged so far; the rest of (now - entered_ps) was blocked */
    uint64_t result;      /* return value */

    MpiHandler step;                 /* the function that goes on after BLOCK or UPCALL */
    void *state;                     /* private to the handler; freed with g_free() when the call ends */
    void (*state_free)(void *state); /* frees state instead of g_free(); NULL: g_free() */
    MpiCall *outer;                  /* the call whose upcall made this call; NULL: the program made it */

    struct {                 /* calls.c and call_waits.c: waiting and resuming */
        uint32_t waiting;    /* requests that must complete before the call is woken */
        uint32_t idle_polls; /* value of MpiRank.idle_polls before this call */
        bool blocked;        /* the call waits; arriving messages are handled on its time */
        bool finishing;      /* a wake-up is on its way */
        bool awaits;         /* it is blocked until `waiting` requests are complete */
        bool stopped;        /* mpi_call_stop() has ended the call */
        bool lingers;        /* it waits longer than it must: watch/choice_seed.c */
        bool prepaid;        /* what the call does has been paid for: charges change nothing */
        bool ahead;          /* an agent whose clock is ahead of what is simulated: what it completes is seen only when
                              * that time has come (protocol/workers.c) */
    } engine;
    struct {                   /* schedule.c and operations.c: collectives */
        MpiSchedule *schedule; /* the schedule that the call executes, or NULL */
        MpiHandler then;       /* the function that follows the schedule */
        MpiOperation *upcalls; /* background operations whose user-defined operator this call runs or will run */
        bool interrupted;      /* the call was blocked when it began to run these operators */
    } collective;
    struct {                /* general_requests.c */
        MpiRequest *asking; /* the request whose callback runs */
    } p2p;
    struct {           /* remotes.c in rma/ */
        MpiWin *win;   /* the window that the call synchronises */
        uint8_t wait;  /* MpiWinWait: what it waits for */
        MpiPeer *peer; /* and of whom; NULL: of all */
        MpiCall *next; /* the next call that waits on the window */
    } remote;
    struct {                 /* turns.c in comm/ */
        const MpiComm *comm; /* the communicator whose next turn the call has asked for; NULL: none */
        uint32_t number;     /* and the number that it was told */
    } turn;
    struct {       /* attributes.c */
        int error; /* result of the last mpi_attributes_*(): MPI_SUCCESS or what a callback returned */
    } attribute;

    void *note;             /* if `expands`: MpiPlainReceive.note */
    uint64_t upcall_result; /* return value of the simulated function */
    uint64_t room[12];      /* for small state, which then needs no memory of its own */
};

/* -- time and waiting (calls.c) ---------------------------------------------------------------- */

/* A flag in the cookie of an alarm: the rest is the address of an agent, which goes on with its step. */
#define MPI_AGENT_ALARM (UINT64_C(1) << 61)

/* Charges processor time (library overhead) to the call. */
void mpi_call_charge(MpiCall *call, uint64_t ps);

/* Returns argument i as an int. */
static inline int mpi_int(const MpiCall *call, unsigned i)
{
    return (int)(int32_t)call->args[i];
}

/* Runs simulated code at `function` with up to 8 arguments, then goes on at `then` with call->upcall_result. It
 * refreshes call->args, so they stay valid. Host addresses of rank memory become invalid and must be fetched again. */
MpiStep mpi_call_upcall(MpiCall *call, uint64_t function, const uint64_t *args, unsigned n, MpiHandler then);

/* Returns bytes times femtoseconds per byte, in ps, rounded down; exact in 128 bits. */
static inline uint64_t mpi_call_bytes_ps(uint64_t bytes, uint64_t byte_fs)
{
    uint64_t product;
    if (G_LIKELY(!__builtin_mul_overflow(bytes, byte_fs, &product))) /* the usual case, and much faster */
        return product / 1000;
    return (uint64_t)((unsigned __int128)bytes * byte_fs / 1000);
}

/* Makes a call that is all 0 an agent, which works in the background on what another call asks for. Its time is not set
 * yet. */
void mpi_call_begin_agent(const MpiCall *call, MpiCall *agent);

/* Moves the call's time to time_ps; the rank was blocked until then. Does nothing if it is already later. */
void mpi_call_advance(MpiCall *call, uint64_t time_ps);

/* Returns the rank's blocked call, on whose time an arriving message can be handled at once. Returns NULL if the rank
 * computes or is about to go on. */
MpiCall *mpi_call_receptive(MpiRank *rank);

/* The same for something that concerns a request: of a rank with several threads, the call that waits for it, or whose
 * schedule made it, comes first. */
MpiCall *mpi_call_receptive_for(const MpiRequest *request);

/* Blocks the call; it goes on at `then` when it is woken. Returns MPI_STEP_BLOCK. */
MpiStep mpi_call_block(MpiCall *call, MpiHandler then);

/* Does what mpi_finding_stop() does, but from outside the call's handler, when something arrives. The rank stops as
 * soon as it can. */
void mpi_call_stop(MpiCall *call, MpiCheck check, const char *reason);

/* Records that a poll found nothing. Time must move, or a polling loop would never end. So if calls cost nothing, a
 * poll costs 1 ns. */
void mpi_call_poll_failed(MpiCall *call);

/* Resets the rank's count of idle polls: something outside the rank is about to change what its polls may find. */
void mpi_call_touch_rank(MpiRank *rank);

#endif
