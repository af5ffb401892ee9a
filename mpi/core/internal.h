/* internal.h - what the files of mpi/ share. See mpi_world.h for the picture from outside.
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
#ifndef ORRERY_MPI_INTERNAL_H
#define ORRERY_MPI_INTERNAL_H

#include "mpi/mpi_world.h"

typedef struct MpiRank MpiRank;       /* MPI state of one rank (engine.c) */
typedef struct MpiCall MpiCall;       /* one MPI call in progress */
typedef struct MpiComm MpiComm;       /* one rank's view of a communicator */
typedef struct MpiGroup MpiGroup;     /* immutable list of world ranks, reference counted */
typedef struct MpiType MpiType;       /* datatype */
typedef struct MpiOp MpiOp;           /* reduction operator */
typedef struct MpiRequest MpiRequest; /* nonblocking operation */
typedef struct MpiErrhandler MpiErrhandler;
typedef struct MpiMeetings MpiMeetings;       /* inter-communicators being made (intercommunicators.c) */
typedef struct MpiPartitioned MpiPartitioned; /* partitioned send or receive (partitioned.c) */
typedef struct MpiOperation MpiOperation;     /* collective that goes on while its rank does other things */
typedef struct MpiThreadWatch MpiThreadWatch; /* who looks at the thread level that was provided */
typedef struct MpiRehearsal MpiRehearsal;     /* of the run, with sends that wait (check_buffering.c) */
typedef struct MpiBacklogs MpiBacklogs;       /* messages that wait for their receives (check_backlog.c) */
typedef struct MpiTurns MpiTurns;             /* collectives called on a communicator (turns.c) */
typedef struct MpiInfo MpiInfo;               /* info object (info.h) */
typedef struct MpiEnvelope MpiEnvelope;       /* how a datatype was made (envelope.h) */
typedef uint64_t MpiHandle;

/* Numbers in the program's memory, at any address. */
typedef int32_t __attribute__((aligned(1))) MpiInt32;
typedef int64_t __attribute__((aligned(1))) MpiInt64;
typedef uint64_t __attribute__((aligned(1))) MpiWord;

typedef enum MpiHandleKind {
    MPI_KIND_COMM = 1,
    MPI_KIND_GROUP,
    MPI_KIND_TYPE,
    MPI_KIND_OP,
    MPI_KIND_REQUEST,
    MPI_KIND_ERRHANDLER,
    MPI_KIND_INFO,
    MPI_KIND_WIN,
    MPI_KIND_FILE,
    MPI_KIND_MESSAGE,
    MPI_KIND_ATTACHED, /* no handle of the program: the buffer that it has attached, for reports of what is left */
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

/* How an operation was called: MPI_Bcast, MPI_Ibcast, MPI_Bcast_init (call_forms.c). */
typedef enum MpiForm { MPI_FORM_BLOCKING, MPI_FORM_NONBLOCKING, MPI_FORM_PERSISTENT } MpiForm;

struct MpiCall {
    MpiWorld *world;
    MpiRank *rank;
    VmRank *process;
    uint64_t *args; /* register window; args[i] as the program passed them */
    unsigned n;
    const char *name;                /* "MPI_Send" */
    uint64_t entered_ps;             /* when the program called */
    uint64_t now;                    /* the rank's time; mpi_call_charge() moves it */
    uint64_t overhead_ps;            /* processor time charged so far; the rest of (now - entered) was blocked */
    uint64_t result;                 /* value to return */
    MpiHandler step;                 /* what goes on after BLOCK or UPCALL */
    void *state;                     /* the handler's own, freed with g_free when the call ends */
    void (*state_free)(void *state); /* instead of g_free, if set */
    uint64_t room[4];                /* for a small state, which then needs no memory of its own */
    uint64_t upcall_result;          /* what the simulated function returned */
    int callback_error;           /* result of the last mpi_attributes_*(): MPI_SUCCESS or what a callback answered */
    uint32_t idle_polls;          /* the engine's: MpiRank.idle_polls before this call */
    bool local;                   /* runs inside the VM: no blocking, no upcall (see MPI_STEP_GLOBAL) */
    bool large;                   /* a _c function: counts are MPI_Count, displacements MPI_Aint (call_forms.c) */
    uint8_t form;                 /* MpiForm */
    bool background;              /* no call of the program, but the clock of an MpiOperation (operations.c) */
    bool interrupted;             /* operations.c: was blocked when upcalls began */
    bool blocked;                 /* the engine's: waits; arrivals are handled on its time */
    bool finishing;               /* the engine's: a wake-up is on its way */
    bool stopped;                 /* the engine's: mpi_call_stop() has ended it */
    MpiActivity activity;         /* the engine's: what the rank has been doing since reported_ps */
    uint32_t pc;                  /* where in the program, for messages */
    uint32_t function;            /* row of functions.def */
    MpiRequest *asking;           /* generalized.c: whose function runs */
    uint32_t waiting;             /* the engine's: requests that are still to complete before the call is woken */
    MpiCall *outer;               /* the call inside whose upcall this one was made */
    MpiHandler then;              /* the engine's: what follows a schedule */
    struct MpiSchedule *schedule; /* the engine's: the collective that the call executes, or NULL */
    MpiOperation *upcalls;        /* operations.c: those whose operator's function this call is to run, or runs */
    uint64_t reported_ps;         /* the engine's: env.activity has been told everything before this time */
};

/* Charges processor time (library overhead) to the call. */
void mpi_call_charge(MpiCall *call, uint64_t ps);
/* int argument. */
static inline int mpi_int(const MpiCall *call, unsigned i)
{
    return (int)(int32_t)call->args[i];
}

/* Ends the call with an error, through the error handler of `comm` (NULL: MPI_COMM_WORLD's). With MPI_ERRORS_ARE_FATAL
 * this raises a VM fault that says rank, line, call, argument, reason and what to do. `format` is that sentence. A
 * user's handler takes over call->state, so this is the last thing that a call does. */
MpiStep mpi_call_error(MpiCall *call, MpiComm *comm, int error_class, const char *format, ...) G_GNUC_PRINTF(4, 5)
    __attribute__((cold));

/* Runs simulated code at `function` with up to 8 arguments, then goes on at `then` with call->upcall_result. Fetches
 * the argument window anew, so call->args stays good; host addresses of rank memory do not: ask for them again. */
MpiStep mpi_call_upcall(MpiCall *call, uint64_t function, const uint64_t *args, unsigned n, MpiHandler then);

/* turns.c: an error that does not end the program: its ranks may no longer count collectives alike, so that the ledger,
 * which compares all of them in their order, has nothing more to say. */
void mpi_comm_doubt(MpiCall *call, const MpiComm *comm);

/* Argument checks: answer false after raising the error in *step (use: if (!check(..., &step)) return step;). */
bool mpi_check_comm(MpiCall *call, unsigned arg, MpiComm **comm, MpiStep *step);
bool mpi_check_intra(MpiCall *call, MpiComm *comm, MpiStep *step);  /* no inter-communicator */
bool mpi_check_inter(MpiCall *call, MpiComm **comm, MpiStep *step); /* argument 1: an inter-communicator */
bool mpi_check_type(MpiCall *call, MpiComm *comm, unsigned arg, MpiType **type, MpiStep *step); /* committed */
/* The same of so many items: of none, MPI_DATATYPE_NULL will do, and *type is MPI_BYTE then. */
bool mpi_check_type_of(MpiCall *call, MpiComm *comm, unsigned arg, bool none, MpiType **type, MpiStep *step);
bool mpi_check_any_type(MpiCall *call, unsigned arg, MpiType **type, MpiStep *step); /* committed or not */
bool mpi_check_count(MpiCall *call, MpiComm *comm, unsigned arg, int *count, MpiStep *step);
/* The same where the function has a _c form, in which the argument is an MPI_Count. */
bool mpi_check_any_count(MpiCall *call, MpiComm *comm, unsigned arg, int64_t *count, MpiStep *step);
bool mpi_check_output(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t bytes, void **host, MpiStep *step);
bool mpi_check_input(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t bytes, const void **host, MpiStep *step);

/* Handle tables of a rank (handles.c): NULL where the handle is null, freed, foreign or of another kind. */
void *mpi_lookup(MpiRank *rank, MpiHandleKind kind, MpiHandle handle);
MpiHandle mpi_register(MpiCall *call, MpiHandleKind kind, void *object);
void mpi_unregister(MpiRank *rank, MpiHandle handle);
/* Ends the call because a handle is not one of the kind that it has to be: says what it is instead. `where`: "argument
 * 3" or the like. */
MpiStep mpi_call_bad_handle(MpiCall *call, MpiComm *comm, MpiHandleKind kind, MpiHandle handle, const char *where);
/* The same of argument number `arg`, counted from 0. */
MpiStep mpi_call_bad_argument(MpiCall *call, MpiComm *comm, MpiHandleKind kind, unsigned arg) __attribute__((cold));
void mpi_unregister_kind(MpiRank *rank, MpiHandleKind kind); /* all of it */

MpiWorld *mpi_rank_world(const MpiRank *rank);
VmRank *mpi_rank_process(const MpiRank *rank);
uint32_t mpi_rank_index(const MpiRank *rank);
const MpiEnv *mpi_env(const MpiWorld *world);
MpiComm *mpi_rank_world_comm(MpiRank *rank);

/* The shared object behind a predefined handle of kind TYPE, OP, GROUP or ERRHANDLER, else NULL (local.h). */
void *mpi_predefined(MpiHandleKind kind, uint32_t index);
void mpi_errhandler_unref(MpiErrhandler *errhandler);

/* Things that a chapter keeps per rank without the engine knowing what. `destroy` runs when the rank is gone. */
typedef enum MpiSlot { MPI_SLOT_ATTRIBUTES, MPI_SLOT_ERRORS, MPI_SLOT_COUNT } MpiSlot;
void *mpi_rank_slot(const MpiRank *rank, MpiSlot slot);
void mpi_rank_set_slot(MpiRank *rank, MpiSlot slot, void *data, GDestroyNotify destroy);

/* describe.c: appends "ring.c:31" for a place in the program, "?" where it is not known. */
void mpi_append_place(GString *out, VmRank *process, uint32_t pc);
/* The innermost place that is not in the runtime library: what call->pc is. */
uint32_t mpi_program_pc(VmRank *process);

/* -- datatypes (datatypes.c, pack.c) ----------------------------------------------------------- */

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
    uint32_t n_loops;         /* i * loops[0].stride + j * loops[1].stride + ... So a vector is one block in one loop */
    uint64_t n_primitives;    /* entries of the whole type map */
    bool contiguous;          /* the data of count items are count * size bytes from offset 0 on: one memcpy */
    uint64_t signature;       /* hash of the sequence of primitives of one item; see mpi_type_signature() in local.h */
    struct MpiLayout *layout; /* pack.c: how to copy it; made by MPI_Type_commit */
    MpiEnvelope *envelope;    /* NULL: predefined, or made by the library itself */
    GPtrArray *attributes;    /* attributes.c; NULL while there are none */
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

/* -- operators (operators.c) ------------------------------------------------------------------- */

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

/* -- groups and communicators (groups.c, communicators.c) -------------------------------------- */

struct MpiGroup {
    int refs; /* atomic */
    uint32_t size;
    uint32_t *ranks;   /* world ranks; NULL: the identity 0 .. size-1 */
    GHashTable *index; /* world rank -> group rank + 1, built when needed for lists; NULL for the identity */
    MpiHandle handle;  /* of the handle table that owns this reference */
};
MpiGroup *mpi_group_new(uint32_t size, uint32_t *ranks /* taken; NULL: identity */);
MpiGroup *mpi_group_ref(MpiGroup *group);
void mpi_group_unref(MpiGroup *group);
uint32_t mpi_group_world_rank(const MpiGroup *group, uint32_t rank);
int mpi_group_find(MpiGroup *group, uint32_t world_rank); /* -1: not a member */

typedef enum MpiTopologyKind {
    MPI_TOPOLOGY_NONE,
    MPI_TOPOLOGY_CART,
    MPI_TOPOLOGY_GRAPH,
    MPI_TOPOLOGY_DIST_GRAPH
} MpiTopologyKind;
typedef struct MpiTopology { /* immutable, shared by reference */
    int refs;
    MpiTopologyKind kind;
    bool weighted;                 /* distributed graph */
    int n_dims;                    /* grid */
    int *dims, *periods;           /* the first one owns the memory of both */
    int n_nodes, n_edges;          /* graph: neighbours of node i are edges[index[i - 1]] to edges[index[i] - 1] */
    int *index, *edges;            /* the first one owns the memory of both */
    int n_sources, n_destinations; /* distributed graph: of this process */
    int *sources, *source_weights, *destinations, *destination_weights; /* the first one owns the memory of all */
} MpiTopology;
MpiTopology *mpi_topology_ref(MpiTopology *topology);
void mpi_topology_unref(MpiTopology *topology);

/* What makes a communicator an inter-communicator (MPI-3.1 section 6.6). */
typedef struct MpiInter {
    MpiGroup *remote;
    MpiComm *local; /* this side alone, without a handle: for the local messages of collectives */
    bool low;       /* the sides in an order that both know */
} MpiInter;

struct MpiComm {
    uint32_t context;          /* point-to-point context; collectives use it with a separate tag space */
    uint32_t rank;             /* of this process in the group */
    MpiGroup *group;           /* inter-communicators: the local one */
    MpiInter *inter;           /* NULL: an intra-communicator */
    MpiTopology *topology;     /* or NULL */
    MpiErrhandler *errhandler; /* or NULL: are fatal */
    GPtrArray *attributes;     /* attributes.c; NULL while there are none */
    MpiInfo *hints;            /* or NULL */
    const char *name;
    uint64_t collective_sequence; /* number of collective operations started on it ... */
    MpiTurns *turns;              /* ... and of each function (turns.c); NULL: none yet */
    uint32_t refs : 30;           /* handle plus operations in flight */
    uint32_t freed : 1;
    uint32_t named : 1; /* the name is the program's, on the heap */
    uint32_t made_pc;
    uint32_t made_by; /* row of functions.def */
    MpiHandle handle;
    MpiRank *owner;
};
/* Makes this rank's view of a new communicator and registers it; takes the group reference. */
MpiComm *mpi_comm_new(MpiCall *call, uint32_t context, MpiGroup *group, const char *name);
void mpi_comm_unref(MpiComm *comm);
/* One without a handle, in which this process has the rank `at`; takes the group reference. */
MpiComm *mpi_comm_hidden(MpiRank *rank, uint32_t context, MpiGroup *group, uint32_t at);
/* An inter-communicator of the context and the one behind it; takes the references to the groups. */
MpiComm *mpi_intercomm_new(MpiCall *call, uint32_t context, MpiGroup *group, MpiGroup *remote, bool low);
/* Those whom it reaches: the members, or the remote group. */
static inline MpiGroup *mpi_comm_peers(const MpiComm *comm)
{
    return comm->inter ? comm->inter->remote : comm->group;
}
/* World rank of a peer. */
static inline uint32_t mpi_comm_world_rank(const MpiComm *comm, uint32_t rank)
{
    return mpi_group_world_rank(mpi_comm_peers(comm), rank);
}
/* The context number that all members of one collective creation agree on: asked with the same (parent context,
 * sequence, colour), answers the same new number. */
uint32_t mpi_world_new_context(MpiWorld *world, uint32_t parent, uint64_t sequence, int64_t colour);

/* attributes.c: runs copy callbacks old -> new (delete callbacks of comm), which are upcalls: call->step is set to come
 * back; `then` is the handler that follows. */
MpiStep mpi_attributes_copy(MpiCall *call, MpiComm *from, MpiComm *to, MpiHandler then);
MpiStep mpi_attributes_delete(MpiCall *call, MpiComm *comm, MpiHandler then);
/* The same for datatypes. */
bool mpi_type_has_attributes(const MpiRank *rank, const MpiType *type);
/* The name that the program gave it, or its own; NULL: none. Predefined types are shared, so a rank's names for them
 * are kept beside its attributes. */
const char *mpi_type_name(const MpiRank *rank, const MpiType *type);
void mpi_type_rename(MpiRank *rank, MpiType *type, const char *name);
MpiStep mpi_type_attributes_copy(MpiCall *call, MpiType *from, MpiType *to, MpiHandler then);
MpiStep mpi_type_attributes_delete(MpiCall *call, MpiType *type, MpiHandler then);
/* Every key that the program has made and not freed, oldest first. */
void mpi_attributes_each_keyval(MpiRank *rank,
                                void (*visit)(MpiRank *rank, const char *made_by, uint32_t made_pc, void *user),
                                void *user);
/* Afterwards call->callback_error is MPI_SUCCESS or what a callback answered. Deleting at the end without callbacks: */
void mpi_attributes_drop(MpiComm *comm);

/* -- requests and waiting (requests.c, point_to_point.c) --------------------------------------- */

/* Buffers are simulated memory (type, count, address) or host memory, which holds packed data. */
typedef struct MpiBuffer {
    VmRank *process; /* NULL: host memory; without that either there are no data, only bytes that pass */
    uint64_t address;
    void *host;
    MpiType *type;  /* NULL: plain bytes */
    uint64_t count; /* items, or bytes without type */
} MpiBuffer;

typedef enum MpiSendMode { MPI_MODE_STANDARD, MPI_MODE_SYNCHRONOUS, MPI_MODE_BUFFERED, MPI_MODE_READY } MpiSendMode;

/* Starts an operation; the request belongs to the caller (one reference). `collective` selects the separate tag space.
 */
MpiRequest *mpi_start_send(MpiCall *call, MpiSendMode mode, const MpiBuffer *buffer, MpiComm *comm, int to, int tag,
                           bool collective);
MpiRequest *mpi_start_recv(MpiCall *call, const MpiBuffer *buffer, MpiComm *comm, int from, int tag, bool collective);

/* Blocks until all `n` requests are complete, then calls `then`. */
MpiStep mpi_call_wait(MpiCall *call, MpiRequest **requests, unsigned n, MpiHandler then);

/* -- collectives (schedules in collective_ .c, engine in schedule.c) --------------------------- */

/* Takes the time that it takes every member to tell all others `bytes` bytes, then goes on at `then`. What they tell
 * each other is the caller's business: all members are in one simulator, and copies at each of a million of them would
 * not fit into it. */
MpiStep mpi_call_agree(MpiCall *call, MpiComm *comm, uint64_t bytes, MpiHandler then);

/* -- handlers: one per row of functions.def ---------------------------------------------------- */
#define MPI_FUNCTION(name, sort, arguments, standard) MpiStep mpi_do_##name(MpiCall *call);
#include "mpi/functions.def"

#endif
