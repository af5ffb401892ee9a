/* comm.h - groups, communicators and info objects; errors, which go to a communicator's handler; and the arguments that
 * most calls have.
 *
 * Predefined objects are constant data, shared by all ranks of all worlds: nobody ever writes to them, so reference
 * counting skips them.
 */
#ifndef ORRERY_MPI_COMM_H
#define ORRERY_MPI_COMM_H

#include "mpi/core/call.h"

/* -- groups (groups.c) ------------------------------------------------------------------------- */

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

/* MPI_GROUP_EMPTY. */
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
    bool weighted;                 /* distributed graph */
    int n_dims;                    /* grid */
    int *dims, *periods;           /* the first one owns the memory of both */
    int n_nodes, n_edges;          /* graph: neighbours of node i are edges[index[i - 1]] to edges[index[i] - 1] */
    int *index, *edges;            /* the first one owns the memory of both */
    int n_sources, n_destinations; /* distributed graph: of this process */
    int *sources, *source_weights, *destinations, *destination_weights; /* the first one owns the memory of all */
} MpiTopology;
/* Those who make them are in topology/. */
MpiTopology *mpi_comm_topology_ref(MpiTopology *topology);
void mpi_comm_topology_unref(MpiTopology *topology);

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
MpiComm *mpi_comm_new_inter(MpiCall *call, uint32_t context, MpiGroup *group, MpiGroup *remote, bool low);
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
uint32_t mpi_comm_new_context(MpiWorld *world, uint32_t parent, uint64_t sequence, int64_t colour);
/* The same where it takes `n` numbers: an inter-communicator needs two. */
uint32_t mpi_comm_new_contexts(MpiWorld *world, uint32_t parent, uint64_t sequence, int64_t colour, uint32_t n);

/* MPI_COMM_WORLD and MPI_COMM_SELF, made when first asked for. */
MpiComm *mpi_rank_world_comm(MpiRank *rank);
MpiComm *mpi_rank_self_comm(MpiRank *rank);

/* The rank's view of the communicator with this context, or NULL. */
const MpiComm *mpi_find_comm(const MpiRank *rank, uint32_t context);

/* "MPI_COMM_WORLD", the name that the program gave, or "the communicator that MPI_Comm_split made at x.c:12". */
void mpi_append_comm(GString *out, const MpiComm *comm);

/* The same of a context, whose communicator the rank may have freed. */
void mpi_append_comm_context(GString *out, const MpiRank *rank, uint32_t context);

/* -- collectives of a communicator, counted (turns.c) ------------------------------------------ */

/* The number of the next call of the call's function on the communicator: the same for all members, another one than
 * that of any other call on it. Tags of messages, and tables of what members have said, go by it. */
uint64_t mpi_comm_turn(const MpiCall *call, const MpiComm *comm);

/* The same; the call after it has the next number. */
uint64_t mpi_comm_take_turn(const MpiCall *call, MpiComm *comm);

/* An error that does not end the program: its ranks may no longer count collectives alike, so that the ledger, which
 * compares all of them in their order, has nothing more to say. */
void mpi_comm_doubt(MpiCall *call, const MpiComm *comm);

bool mpi_comm_is_doubtful(const MpiWorld *world, uint32_t context);

/* Fills in `plain`. */
void mpi_turns_name(MpiBinding *bindings, uint32_t n);

/* One collective call on one communicator, the same for all members: first in what tables of such calls hold. */
typedef struct MpiOccasion {
    uint32_t context;
    uint64_t sequence;
} MpiOccasion;

guint mpi_turn_occasion_hash(gconstpointer key);
gboolean mpi_turn_occasion_equal(gconstpointer a, gconstpointer b);

/* -- errors (errors.c) ------------------------------------------------------------------------- */

/* Ends the call with an error, through the error handler of `comm` (NULL: MPI_COMM_WORLD's). With MPI_ERRORS_ARE_FATAL
 * this raises a VM fault that says rank, line, call, argument, reason and what to do. `format` is that sentence. A
 * user's handler takes over call->state, so this is the last thing that a call does. */
MpiStep mpi_call_error(MpiCall *call, MpiComm *comm, int error_class, const char *format, ...) G_GNUC_PRINTF(4, 5)
    __attribute__((cold));

typedef enum MpiErrhandlerSort { MPI_HANDLER_FATAL, MPI_HANDLER_RETURN, MPI_HANDLER_USER } MpiErrhandlerSort;

struct MpiErrhandler {
    int refs;         /* of communicators and of the handle */
    unsigned handles; /* times that the handle has been given out and not freed */
    bool predefined;
    MpiErrhandlerSort sort;
    uint64_t function; /* user handler: code address of void f(MPI_Comm *, int *, ...) */
    MpiHandle handle;
};

MpiErrhandler *mpi_error_handler_ref(MpiErrhandler *handler);
void mpi_error_handler_unref(MpiErrhandler *handler); /* NULL is allowed */
/* MPI_ERRORS_ARE_FATAL and its like by their index in handles.def, or NULL. */
MpiErrhandler *mpi_error_handler_predefined(uint32_t index);
/* That of a communicator, which may be NULL. */
const MpiErrhandler *mpi_error_handler_of(const MpiComm *comm);
/* Calls the function of a user's handler with the handle and the code; afterwards the call returns `result`. */
MpiStep mpi_error_run_handler(MpiCall *call, const MpiErrhandler *handler, MpiHandle comm, int code, int result);
/* "MPI_ERR_ARG"; what MPI_Error_string says of a class of MPI's own, without the name, or NULL. */
const char *mpi_error_name(int error_class);
const char *mpi_error_class_text(int error_class);

/* The greatest code that there is: the attribute MPI_LASTUSEDCODE. */
int mpi_error_last_used(const MpiRank *rank);

/* -- info objects (info.c) --------------------------------------------------------------------- */

/* Constants that mpi.h repeats. The terminating zero counts. */
enum { MPI_MAX_INFO_KEY_ = 256, MPI_MAX_INFO_VAL_ = 1024, MPI_INFO_ENV_INDEX = 1 };

MpiInfo *mpi_info_new(void);
MpiInfo *mpi_info_copy(const MpiInfo *info);
void mpi_info_free(MpiInfo *info); /* NULL is allowed */
/* The value of a key, NULL where there is none. */
const char *mpi_info_get(const MpiInfo *info, const char *key);
void mpi_info_set(MpiInfo *info, const char *key, const char *value);
/* The info object of an argument that may be MPI_INFO_NULL, as a copy, or NULL. */
bool mpi_check_info_hints(MpiCall *call, MpiComm *comm, unsigned arg, MpiInfo **hints, MpiStep *step);

/* Only whether it is one, or MPI_INFO_NULL: for functions to which hints say nothing. */
bool mpi_check_info(MpiCall *call, MpiComm *comm, unsigned arg, MpiStep *step);

/* -- arguments (argument_checks.c) ------------------------------------------------------------- */

/* Argument checks: answer false after raising the error in *step (use: if (!check(..., &step)) return step;). */
bool mpi_check_comm(MpiCall *call, unsigned arg, MpiComm **comm, MpiStep *step);
bool mpi_check_intra(MpiCall *call, MpiComm *comm, MpiStep *step);  /* no inter-communicator */
bool mpi_check_inter(MpiCall *call, MpiComm **comm, MpiStep *step); /* argument 1: an inter-communicator */
bool mpi_check_count(MpiCall *call, MpiComm *comm, unsigned arg, int *count, MpiStep *step);
/* The same where the function has a _c form, in which the argument is an MPI_Count. */
bool mpi_check_any_count(MpiCall *call, MpiComm *comm, unsigned arg, int64_t *count, MpiStep *step);
bool mpi_check_output(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t bytes, void **host, MpiStep *step);
bool mpi_check_input(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t bytes, const void **host, MpiStep *step);

/* Rank and tag of a send (`receive`: wildcards are allowed). */
bool mpi_check_peer(MpiCall *call, MpiComm *comm, unsigned arg, bool receive, int *peer, MpiStep *step);
bool mpi_check_tag(MpiCall *call, MpiComm *comm, unsigned arg, bool receive, int *tag, MpiStep *step);

bool mpi_check_root(MpiCall *call, MpiComm *comm, unsigned arg, int *root, MpiStep *step);

/* `bytes` of memory for a result; the address is argument `arg`. */
static inline bool mpi_check_result(MpiCall *call, unsigned arg, uint64_t bytes, MpiStep *step)
{
    void *host;
    return mpi_check_output(call, NULL, arg, bytes, &host, step);
}

/* Ends the call because a handle is not one of the kind that it has to be: says what it is instead. `where`: "argument
 * 3" or the like. */
MpiStep mpi_argument_bad_handle(MpiCall *call, MpiComm *comm, MpiHandleKind kind, MpiHandle handle, const char *where);
/* The same of argument number `arg`, counted from 0. */
MpiStep mpi_argument_bad_handle_of(MpiCall *call, MpiComm *comm, MpiHandleKind kind, unsigned arg)
    __attribute__((cold));

#endif
