/* comm.h - groups, communicators and info objects; errors, which go to the handler of a communicator; and the checks of
 * arguments that most calls have.
 *
 * Predefined objects are constant data, shared by all ranks of all worlds. They are never written to, so reference
 * counting skips them.
 */
#ifndef ORRERY_MPI_COMM_H
#define ORRERY_MPI_COMM_H

#include "mpi/core/call.h"

/* -- groups (groups.c) ------------------------------------------------------------------------- */

/* The buffer of MPI_Session_attach_buffer, for all communicators that come from the session. */
typedef struct MpiSessionBuffer {
    int refs; /* atomic */
    MpiAttached *attached;
} MpiSessionBuffer;
MpiSessionBuffer *mpi_group_session_ref(MpiSessionBuffer *session); /* NULL is allowed, here and in the next one */
void mpi_group_session_unref(MpiSessionBuffer *session);

struct MpiGroup {
    int refs; /* atomic */
    uint32_t size;
    uint32_t *ranks;   /* world ranks; NULL: the identity 0 .. size-1 */
    GHashTable *index; /* world rank -> group rank + 1, built when a long list is searched; NULL for the identity */
    MpiHandle handle;  /* handle of the table entry that owns this reference */
    MpiSessionBuffer *session; /* of the session that it comes from; a reference. NULL: it comes from none */
};
MpiGroup *mpi_group_new(uint32_t size, uint32_t *ranks /* ownership is taken; NULL: identity */);
/* Notes that a group that nobody else has yet comes from the same session as another. */
MpiGroup *mpi_group_inherit(MpiGroup *group, const MpiGroup *from);
MpiGroup *mpi_group_copy(const MpiGroup *group); /* the members alone */
MpiGroup *mpi_group_ref(MpiGroup *group);
void mpi_group_unref(MpiGroup *group);
uint32_t mpi_group_world_rank(const MpiGroup *group, uint32_t rank);
int mpi_group_find(MpiGroup *group, uint32_t world_rank); /* returns the group rank, or -1: not a member */

/* Whether the failure of a member is known. */
bool mpi_group_has_failed(const MpiWorld *world, const MpiGroup *group);

/* Stores a handle of the group at argument `arg` and ends the call. Takes the group. */
MpiStep mpi_group_give(MpiCall *call, unsigned arg, MpiGroup *group);

/* Returns MPI_GROUP_EMPTY. */
MpiGroup *mpi_group_empty(void);

/* -- communicators (communicators.c) ----------------------------------------------------------- */

typedef enum MpiTopologyKind {
    MPI_TOPOLOGY_NONE,
    MPI_TOPOLOGY_CART,
    MPI_TOPOLOGY_GRAPH,
    MPI_TOPOLOGY_DIST_GRAPH
} MpiTopologyKind;
typedef struct MpiTopology { /* immutable, shared by reference */
    int refs;
    MpiTopologyKind kind;
    bool weighted;                 /* distributed graph: the edges have weights */
    int n_dims;                    /* grid */
    int *dims, *periods;           /* the first one owns the memory of both */
    int n_nodes, n_edges;          /* graph: neighbours of node i are edges[index[i - 1]] to edges[index[i] - 1] */
    int *index, *edges;            /* the first one owns the memory of both */
    int n_sources, n_destinations; /* distributed graph: number of neighbours of this process */
    int *sources, *source_weights, *destinations, *destination_weights; /* the first one owns the memory of all */
} MpiTopology;
/* Takes and releases references. Topologies are made in topology/. */
MpiTopology *mpi_comm_topology_ref(MpiTopology *topology);
void mpi_comm_topology_unref(MpiTopology *topology);

/* What makes a communicator an inter-communicator (MPI-3.1 section 6.6). */
typedef struct MpiInter {
    MpiGroup *remote; /* the other group */
    MpiComm *local;   /* this side alone, without a handle; used for the local messages of collectives */
    bool low;         /* this side comes first in an order that both sides know */
} MpiInter;

/* One rank's view of a communicator. */
struct MpiComm {
    uint32_t context;          /* point-to-point context; collectives use it with a separate tag space */
    uint32_t rank;             /* rank of this process in the group */
    MpiGroup *group;           /* members; in an inter-communicator: the local group */
    MpiInter *inter;           /* NULL: this is an intra-communicator */
    MpiTopology *topology;     /* or NULL */
    MpiErrhandler *errhandler; /* NULL: MPI_ERRORS_ARE_FATAL */
    GPtrArray *attributes;     /* the attributes (attributes.c); NULL while there are none */
    MpiInfo *hints;            /* those given by the program that mean something (hints.c), or NULL */
    MpiAttached *attached;     /* the buffer of MPI_Comm_attach_buffer (p2p.h); NULL: none */
    const char *name;
    uint64_t collective_sequence; /* number of collectives started on the communicator */
    MpiTurns *turns;              /* number of calls of each collective function (turns.c); NULL: none yet */
    uint32_t failures_acked; /* number of failures, in the order of their being known, that the program has noted */
    bool revoked;            /* MPIX_Comm_revoke */
    uint32_t refs : 29;      /* one for the handle, one for each operation in flight */
    uint32_t freed : 1;      /* the program has freed its handle */
    uint32_t named : 1;      /* `name` was set by the program and is on the heap */
    uint32_t listed : 1;     /* mpi_comm_list() was called */
    uint32_t made_pc;        /* location of the call that made it */
    uint32_t made_by;        /* row of functions.def that made it */
    MpiHandle handle;
    MpiRank *owner;
};
/* Makes this rank's view of a new communicator and registers it. Takes the reference to the group. */
MpiComm *mpi_comm_new(MpiCall *call, uint32_t context, MpiGroup *group, const char *name);
void mpi_comm_unref(MpiComm *comm);
/* Makes a communicator without a handle, in which this process has the rank `at`. Takes the reference to the group. */
MpiComm *mpi_comm_hidden(MpiRank *rank, uint32_t context, MpiGroup *group, uint32_t at);
/* Gives a communicator without a handle a name, and lets mpi_find_comm() find it. */
void mpi_comm_list(MpiComm *comm, const char *name);
/* Makes an inter-communicator, with `context` for itself and the next context for its local side. Takes the references
 * to the groups. */
MpiComm *mpi_comm_new_inter(MpiCall *call, uint32_t context, MpiGroup *group, MpiGroup *remote, bool low);
/* Returns the group that messages go to: the members, or the remote group of an inter-communicator. */
static inline MpiGroup *mpi_comm_peers(const MpiComm *comm)
{
    return comm->inter ? comm->inter->remote : comm->group;
}
/* Returns the world rank of a peer. */
static inline uint32_t mpi_comm_world_rank(const MpiComm *comm, uint32_t rank)
{
    return mpi_group_world_rank(mpi_comm_peers(comm), rank);
}

/* Returns a new context number for a communicator. All members of one collective creation call this with the same
 * (parent context, sequence, colour) and get the same number. */
uint32_t mpi_comm_new_context(MpiWorld *world, uint32_t parent, uint64_t sequence, int64_t colour);
/* As mpi_comm_new_context(), but reserves `n` consecutive numbers. An inter-communicator needs two. */
uint32_t mpi_comm_new_contexts(MpiWorld *world, uint32_t parent, uint64_t sequence, int64_t colour, uint32_t n);

/* Gives a rank that has come during the run its MPI_COMM_WORLD. Takes the reference to the group. */
void mpi_comm_begin_world(MpiRank *rank, uint32_t context, MpiGroup *group);
/* Return MPI_COMM_WORLD and MPI_COMM_SELF; make them when they are first asked for. */
MpiComm *mpi_rank_world_comm(MpiRank *rank);
MpiComm *mpi_rank_self_comm(MpiRank *rank);

/* Returns the rank's view of the communicator with this context, or NULL. */
const MpiComm *mpi_find_comm(const MpiRank *rank, uint32_t context);

/* Appends "MPI_COMM_WORLD", the name that the program gave, or "the communicator that MPI_Comm_split made at
 * x.c:12". */
void mpi_append_comm(GString *out, const MpiComm *comm);

/* Appends the same text for a context number, even if the rank has freed the communicator. */
void mpi_append_comm_context(GString *out, const MpiRank *rank, uint32_t context);

/* -- collectives of a communicator, counted (turns.c) ------------------------------------------ */

/* Returns the number of the next call of this collective function on the communicator. All members get the same number
 * for calls that belong together. Tags of messages and tables of what members said are based on it. */
uint64_t mpi_comm_turn(MpiCall *call, const MpiComm *comm);

/* Returns the same number as mpi_comm_turn() and counts the call, so that the next call gets the next number. */
uint64_t mpi_comm_take_turn(const MpiCall *call, MpiComm *comm);

/* Notes that an error did not end the program. Ranks may no longer count collectives alike after it, so the ledger,
 * which compares all collectives in their order, stops checking this communicator. */
void mpi_comm_doubt(MpiCall *call, const MpiComm *comm);

/* Notes that not all members will make the same collectives, because one has failed. */
void mpi_comm_doubt_all(MpiWorld *world, const MpiComm *comm);

bool mpi_comm_is_doubtful(const MpiWorld *world, uint32_t context);

/* Fills in MpiBinding.plain. */
void mpi_turns_name(MpiBinding *bindings, uint32_t n);

/* Identifies one collective call on one communicator, equal for all members. It is the first field of the entries in
 * tables of such calls. */
typedef struct MpiOccasion {
    uint32_t context;
    uint64_t sequence;
} MpiOccasion;

guint mpi_turn_occasion_hash(gconstpointer key);
gboolean mpi_turn_occasion_equal(gconstpointer a, gconstpointer b);

/* The same where calls on MPI_COMM_SELF are told apart, too: all of these have one context. */
typedef struct MpiLedOccasion {
    MpiOccasion turn;
    uint32_t lead; /* world rank of the first member */
} MpiLedOccasion;

MpiLedOccasion mpi_turn_led(const MpiComm *comm, uint64_t turn);
guint mpi_turn_led_hash(gconstpointer key);
gboolean mpi_turn_led_equal(gconstpointer a, gconstpointer b);

/* -- errors (errors.c) ------------------------------------------------------------------------- */

/* An object, other than a communicator, with an error handler: a window, a file, a session. A call that has set
 * call->raiser sends all its errors there, whatever communicator mpi_call_error() and the checks of arguments are
 * given. So the first thing that such a call does is to look up the object of its handle. */
struct MpiRaiser {
    MpiHandle handle;          /* the handle that a user's handler is called with */
    MpiErrhandler *errhandler; /* a reference, never NULL */
    const MpiComm *comm;       /* the communicator that the object keeps for its own collectives; or NULL */
};

/* Returns the window or file of the rank that keeps this communicator for itself; NULL: there is none. */
const MpiRaiser *mpi_error_raiser_of(const MpiRank *rank, const MpiComm *comm);

/* Ends the call with an error, through the error handler of call->raiser, or of `comm` (NULL: of no object).
 * MPI_ERRORS_ARE_FATAL raises a VM fault whose text gives rank, line, call, argument, reason and advice. `format` is
 * that sentence. A user's handler takes over call->state, so this must be the last thing that a call does. */
MpiStep mpi_call_error(MpiCall *call, MpiComm *comm, int error_class, const char *format, ...) G_GNUC_PRINTF(4, 5)
    __attribute__((cold));

typedef enum MpiErrhandlerSort { MPI_HANDLER_FATAL, MPI_HANDLER_RETURN, MPI_HANDLER_USER } MpiErrhandlerSort;

struct MpiErrhandler {
    int refs;         /* held by communicators, other objects and the handle */
    unsigned handles; /* number of times that the program has been given the handle and has not freed it */
    bool predefined;
    MpiErrhandlerSort sort;
    MpiHandleKind kind; /* user handler: the kind of object that it is for */
    uint64_t function;  /* user handler: code address of void f(MPI_Comm *, int *, ...) */
    MpiHandle handle;
};

MpiErrhandler *mpi_error_handler_ref(MpiErrhandler *handler);
void mpi_error_handler_unref(MpiErrhandler *handler); /* handler may be NULL */
/* Returns a predefined handler (MPI_ERRORS_ARE_FATAL ...) by its index in handles.def, or NULL. */
MpiErrhandler *mpi_error_handler_predefined(uint32_t index);
/* Returns the handler that MPI_COMM_WORLD and MPI_COMM_SELF of the rank have first. */
MpiErrhandler *mpi_error_initial_handler(const MpiRank *rank);
/* Returns the index of the handler with this name of the info key mpi_initial_errhandler; 0: there is none. */
uint32_t mpi_error_initial_index(const char *name);
/* Returns the handler of a communicator, which may be NULL. */
const MpiErrhandler *mpi_error_handler_of(const MpiComm *comm);
/* Calls a user's handler function with the handle of a communicator or another object, and the error code. Afterwards
 * the call returns the code, which the handler may have changed, or MPI_SUCCESS. */
MpiStep mpi_error_run_handler(MpiCall *call, const MpiErrhandler *handler, MpiHandle object, int code, bool returned);
/* Returns a name such as "MPI_ERR_ARG". */
const char *mpi_error_name(int error_class);
/* Returns the text of MPI_Error_string for a class of MPI itself, without the name; NULL for other classes. */
const char *mpi_error_class_text(int error_class);

/* Returns the greatest error code in use: the attribute MPI_LASTUSEDCODE. */
int mpi_error_last_used(const MpiRank *rank);

/* -- info objects (info.c) --------------------------------------------------------------------- */

/* Constants that mpi.h repeats. The lengths include the terminating zero. */
enum { MPI_MAX_INFO_KEY_ = 256, MPI_MAX_INFO_VAL_ = 1024, MPI_INFO_ENV_INDEX = 1 };

MpiInfo *mpi_info_new(void);
MpiInfo *mpi_info_copy(const MpiInfo *info);
/* Gives the info object a handle, and returns that. The program frees it. */
MpiHandle mpi_info_register(MpiCall *call, MpiInfo *info);
void mpi_info_free(MpiInfo *info); /* info may be NULL */
/* Returns the value of a key, or NULL. */
const char *mpi_info_get(const MpiInfo *info, const char *key);
void mpi_info_set(MpiInfo *info, const char *key, const char *value);
/* Returns the number of keys, and the key with this index. */
guint mpi_info_length(const MpiInfo *info);
const char *mpi_info_key(const MpiInfo *info, guint i);
/* Gives the object to the program, as a new handle at argument `arg`. Takes it. */
MpiStep mpi_info_give(MpiCall *call, unsigned arg, MpiInfo *info);
/* Copies the info object of an argument to *hints; NULL if the argument is MPI_INFO_NULL. */
bool mpi_check_info_hints(MpiCall *call, MpiComm *comm, unsigned arg, MpiInfo **hints, MpiStep *step);

/* Checks only that the argument is an info object or MPI_INFO_NULL. For functions that ignore hints. */
bool mpi_check_info(MpiCall *call, MpiComm *comm, unsigned arg, MpiStep *step);

/* Gives a communicator those of the hints that mean something (hints.c). Takes the object, which may be NULL. */
void mpi_comm_take_hints(MpiComm *comm, MpiInfo *hints);

/* -- arguments (argument_checks.c) ------------------------------------------------------------- */

/* Checks of arguments. They return false after raising the error in *step (use: if (!check(..., &step)) return
 * step;). */
bool mpi_check_comm(MpiCall *call, unsigned arg, MpiComm **comm, MpiStep *step);
bool mpi_check_intra(MpiCall *call, MpiComm *comm, MpiStep *step);  /* not an inter-communicator */
bool mpi_check_inter(MpiCall *call, MpiComm **comm, MpiStep *step); /* checks argument 1, an inter-communicator */
bool mpi_check_count(MpiCall *call, MpiComm *comm, unsigned arg, int *count, MpiStep *step);
/* As mpi_check_count(), for a function that has a _c form, in which the argument is an MPI_Count. */
bool mpi_check_any_count(MpiCall *call, MpiComm *comm, unsigned arg, int64_t *count, MpiStep *step);
bool mpi_check_output(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t bytes, void **host, MpiStep *step);
bool mpi_check_input(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t bytes, const void **host, MpiStep *step);

/* Check the rank and the tag of a send or receive. `receive`: wildcards are allowed. */
bool mpi_check_peer(MpiCall *call, MpiComm *comm, unsigned arg, bool receive, int *peer, MpiStep *step);
bool mpi_check_tag(MpiCall *call, MpiComm *comm, unsigned arg, bool receive, int *tag, MpiStep *step);

bool mpi_check_root(MpiCall *call, MpiComm *comm, unsigned arg, int *root, MpiStep *step);

/* Checks that there are `bytes` of memory for a result. Argument `arg` is its address. */
static inline bool mpi_check_result(MpiCall *call, unsigned arg, uint64_t bytes, MpiStep *step)
{
    void *host;
    return mpi_check_output(call, NULL, arg, bytes, &host, step);
}

/* Returns the noun of a row of kinds.def, such as "datatype". */
const char *mpi_argument_noun(MpiHandleKind kind);

/* Ends MPI_X_get_name(object, name, length): stores the name of the object; NULL: it has none. */
MpiStep mpi_argument_give_name(MpiCall *call, const char *name);
/* Returns the name in MPI_X_set_name(object, name), cut to what is kept; the caller frees it. NULL: it is no string. */
char *mpi_argument_take_name(MpiCall *call, MpiComm *comm, MpiStep *step);

/* Ends the call because a handle is not of the required kind; the message says what the handle is instead. `where` is
 * a text such as "argument 3". */
MpiStep mpi_argument_bad_handle(MpiCall *call, MpiComm *comm, MpiHandleKind kind, MpiHandle handle, const char *where);
/* As mpi_argument_bad_handle(), for argument number `arg`, counted from 0. */
MpiStep mpi_argument_bad_handle_of(MpiCall *call, MpiComm *comm, MpiHandleKind kind, unsigned arg)
    __attribute__((cold));

#endif
