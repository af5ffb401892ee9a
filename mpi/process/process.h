/* process.h - processes that come and go, and sessions (MPI-4.1 chapter 11): what the files of this room share.
 *
 *   universe.c         what a world and a rank keep of all this; the leaders' communicator
 *   unions.c           two groups that become an inter-communicator: what each side is told
 *   spawn.c            MPI_Comm_spawn; spawn_arguments.c reads what it is given
 *   newcomers.c        the beginning of a process that was started, and its parents
 *   connected.c        who is connected with whom; the end of a process
 *   ports.c            ports, and names that are published
 *   connect.c          MPI_Comm_accept, MPI_Comm_connect, MPI_Comm_join
 *   sessions.c         sessions and process sets
 *   session_comms.c    communicators from groups
 *
 * Ranks are numbered on through the run, so groups of processes of several worlds are groups like others. Two leaders
 * who have no communicator talk through the *universe*: a communicator without a handle, in which each process has its
 * number in the run as its rank. As elsewhere, messages give the cost, and what they tell is in the simulator already.
 */
#ifndef ORRERY_MPI_PROCESS_H
#define ORRERY_MPI_PROCESS_H

#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/rank.h"

/* -- the universe (universe.c) ------------------------------------------------------------------- */

/* What a world keeps. */
typedef struct MpiUniverse {
    uint32_t context;      /* of the leaders' communicator */
    MpiGroup *all;         /* its group: as many as there is room for */
    uint32_t next_tag;     /* for the messages of the next two leaders */
    bool listens;          /* to messages that let processes begin (newcomers.c) */
    GHashTable *ends;      /* MpiEnd of collectives that not all members have left; never iterated */
    GHashTable *waiting;   /* key -> array of MpiLeader who wait for another, oldest first; never iterated */
    GSequence *patient;    /* those of them who give up, the first to do so first */
    uint64_t next_leader;  /* number of the next one */
    GHashTable *ports;     /* name -> Port (ports.c); never iterated */
    GHashTable *services;  /* name -> name of the port; never iterated */
    uint64_t next_port;    /* number of the next port */
    GPtrArray *gatherings; /* private to session_comms.c */
    struct MpiConnections *connections; /* private to connected.c; NULL: none yet */
} MpiUniverse;
MpiUniverse *mpi_universe(MpiWorld *world);

typedef struct MpiOrigin MpiOrigin; /* who started a process (newcomers.c) */

/* What a rank keeps. */
typedef struct MpiProcess {
    MpiRank *rank;
    MpiComm *universe; /* the leaders' communicator; NULL: not needed yet */
    MpiOrigin *origin; /* who started the process; NULL: the run began with it */
    bool begun;        /* if others started it: it runs, or soon will */
    MpiHandle parent;  /* the communicator of MPI_Comm_get_parent, which may have been freed since */
    uint32_t sessions; /* sessions that are open */
    MpiRaiser maker;   /* of a call that makes an object with the error handler that it was given; not referenced */
} MpiProcess;
MpiProcess *mpi_process(MpiRank *rank);
/* The leaders' communicator of the call's rank. */
MpiComm *mpi_process_universe(MpiCall *call);

/* -- unions (unions.c) ----------------------------------------------------------------------------- */

/* One side of two that are joined: what its leader finds out, and its other members are told. */
typedef struct MpiEnd {
    MpiLedOccasion at;  /* the collective by which its members find it */
    MpiGroup *group;    /* the members */
    MpiGroup *remote;   /* the other side; NULL: there is an error */
    uint32_t context;   /* of the inter-communicator */
    bool low;           /* this side comes first */
    int error;          /* error class, or MPI_SUCCESS */
    char *why;          /* and the reason; NULL: no error */
    uint32_t processes; /* MPI_Comm_spawn: how many processes were asked for */
    int32_t *codes;     /* and their error codes; NULL: none */
    uint32_t missing;   /* members that have not taken their communicator */
} MpiEnd;
/* Makes the end of the leader's side. Its members find it by the collective that they are in. */
MpiEnd *mpi_union_end_new(MpiCall *call, const MpiComm *local, uint64_t turn);
void mpi_union_end_free(void *end);
/* A table of ends, which it owns. */
GHashTable *mpi_union_ends_new(void);
/* Notes an error that all members of the side will have. */
void mpi_union_end_fail(MpiEnd *end, int error_class, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* State of a call that joins two sides: call->state. */
typedef struct MpiUnion {
    MpiComm *local;            /* this side, referenced */
    uint64_t turn;             /* number of the collective on it */
    MpiEnd *end;               /* the leader's; NULL: the rank is no leader */
    uint32_t root;             /* rank of the leader */
    GPtrArray *waits;          /* MpiRequest of the leader's messages */
    unsigned result;           /* number of the argument for the communicator */
    int codes;                 /* number of the argument for the error codes; -1: there is none */
    MpiErrhandler *errhandler; /* of the new communicator, referenced; NULL: that of `local` */
    int tag;                   /* of the messages of a leader who waits for the other (connect.c) */
    uint32_t found_rank;       /* that other leader */
    uint64_t patience_ps;      /* how long it waits for the other; 0: for ever */
    bool found;                /* there is one */
} MpiUnion;
/* Makes the state of the call. */
MpiUnion *mpi_union_new(MpiCall *call, MpiComm *local, uint32_t root, unsigned result);
/* Keeps a message of the leader until the call ends. */
void mpi_union_await(MpiUnion *joining, MpiRequest *request);
/* The leader has its answer, the others have nothing to do: tells them, and makes the communicator. */
MpiStep mpi_union_tell(MpiCall *call);

/* -- leaders who look for each other (connect.c) ------------------------------------------------------- */

/* A leader who has called and waits for the other. */
typedef struct MpiLeader {
    uint32_t rank;
    MpiEnd *end;
    MpiUnion *joining;       /* the state of its call */
    const char *key;         /* both have the same; owned */
    int role;                /* they have different ones; or -1: their groups decide */
    MpiGroup *expected;      /* role -1: the group of the other; referenced */
    MpiRequest *wait;        /* for the other's message */
    uint64_t expiry_ps;      /* when it gives up; UINT64_MAX: never */
    uint64_t number;         /* in the order of coming */
    GSequenceIter *patience; /* its place among those who give up; NULL: it does not */
} MpiLeader;
/* A table of those who wait, and their order of giving up. */
GHashTable *mpi_connect_waiting_new(void);
/* Meets the other leader, or waits for him, then joins the two sides. `end` is this side's. */
MpiStep mpi_connect_meet(MpiCall *call, const char *key, int role, MpiGroup *expected);
/* Nothing can happen any more. The connection that is to give up first does, if its program handles the error. Returns
 * false if there is none. */
bool mpi_connect_give_up(MpiWorld *world, uint64_t time_ps);
/* Lets those who wait at a port go, because it is closed. */
void mpi_connect_dismiss(MpiCall *call, const char *key);

/* -- newcomers (newcomers.c) --------------------------------------------------------------------------- */

/* Those who have started processes together. */
struct MpiOrigin {
    int refs;
    int tag;       /* of the messages between the root and the processes */
    uint32_t root; /* who has called MPI_Comm_spawn there */
    MpiGroup *parents, *children;
    uint32_t context; /* of the inter-communicator */
    uint32_t world;   /* context of the children's MPI_COMM_WORLD */
    uint64_t bytes;   /* size of the word that lets one begin */
};
MpiOrigin *mpi_process_origin_ref(MpiOrigin *origin);
void mpi_process_origin_unref(MpiOrigin *origin);
/* Gives new ranks their MPI_COMM_WORLD, and lets each begin when the root's first message has come to it. */
void mpi_newcomers_expect(MpiWorld *world, MpiOrigin *origin);

/* -- connected processes (connected.c) ------------------------------------------------------------------- */

typedef struct MpiConnections MpiConnections;
void mpi_connected_free(MpiConnections *connections); /* may be NULL */
/* The rank has a new communicator. */
void mpi_connected_made(const MpiComm *comm);
/* The rank has freed the communicator, or disconnected from it. */
void mpi_connected_left(const MpiCall *call, const MpiComm *comm);
/* The process will not be heard of any more: it has ended, failed, or called MPI_Finalize. mpi_connected_look()
 * follows.
 */
void mpi_connected_over(MpiWorld *world, uint32_t rank);
/* A process or a connection is gone, so MPI_Finalize may go on elsewhere. Returns whether it does. */
bool mpi_connected_look(MpiWorld *world, uint64_t time_ps);
/* The last that MPI_Finalize does, before it goes on at `then`: waits until all connected processes are there. */
MpiStep mpi_process_end(MpiCall *call, MpiHandler then);

/* -- sessions (sessions.c) ------------------------------------------------------------------------------- */

typedef struct MpiSession MpiSession;
void mpi_session_free(MpiSession *session);
/* Gets the session in argument 0, whose error handler then gets the errors of the call. */
bool mpi_session_check(MpiCall *call, MpiSession **session, MpiStep *step);
/* The buffer that is attached to the session. */
MpiAttached **mpi_session_attached(MpiSession *session);
/* Whether the rank has a session, so that it may call MPI without MPI_Init. */
static inline bool mpi_process_has_session(const MpiRank *rank)
{
    const MpiProcess *process = mpi_rank_slot(rank, MPI_RANK_SLOT_PROCESS);
    return process && process->sessions;
}

/* What MPI_Init does in a process that others have started, before it goes on at `then`. */
MpiStep mpi_process_begin(MpiCall *call, MpiHandler then);

#endif
