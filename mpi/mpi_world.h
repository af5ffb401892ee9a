/* mpi_world.h - gives messages meaning: MPI on top of the VM's requests and a network.
 *
 * The public header of mpi/ (named so because simulated programs include another mpi.h). An MpiWorld is all MPI state
 * of one simulation. The layer above (machine/) owns time and order: it calls in here when a rank makes a request, when
 * a transfer has been sent or delivered, and when a wake-up that was asked for is due, always in the order of
 * (time, kind, rank, sequence). Nothing in here runs by itself.
 *
 * MPI functions come in two sorts, told apart by one table, functions.def:
 *   LOCAL   run at once inside the VM (MPI_Comm_rank, MPI_Wtime, type constructors, MPI_Pack ...)
 *   GLOBAL  leave the VM as a request and are executed by mpi_world_call() in global order
 */
#ifndef ORRERY_MPI_WORLD_H
#define ORRERY_MPI_WORLD_H

#include "vm/vm.h"

typedef struct MpiWorld MpiWorld;

/* -- ranks in words (rank_list.c) -------------------------------------------------------------- */

typedef struct MpiRankList { /* all zero: empty */
    GString *text;           /* all but the last run of ranks */
    uint32_t first, last, count;
} MpiRankList;
/* In ascending order; the last one again changes nothing. */
void mpi_rank_list_add(MpiRankList *list, uint32_t rank);
/* "rank 3", "ranks 0-2, 5", "ranks 0, 2, ... (5000 ranks)" */
void mpi_rank_list_append(const MpiRankList *list, GString *out);
void mpi_rank_list_clear(MpiRankList *list);

/* -- checks (checks.def, findings.c) ----------------------------------------------------------- */

typedef enum MpiCheck {
#define MPI_CHECK(identifier, name, when, sort, help) MPI_CHECK_##identifier,
#include "mpi/checks.def"
    MPI_CHECKS
} MpiCheck;
#define MPI_CHECK_BIT(check) (UINT32_C(1) << (check))

typedef enum MpiCheckWhen { MPI_WHEN_ALWAYS, MPI_WHEN_FREE, MPI_WHEN_ASKED } MpiCheckWhen;
typedef enum MpiCheckSort { MPI_FINDING_CERTAIN, MPI_FINDING_POSSIBLE, MPI_FINDING_LEFT } MpiCheckSort;
typedef struct MpiCheckInfo { /* a row of checks.def */
    const char *name, *help;
    MpiCheckWhen when;
    MpiCheckSort sort;
} MpiCheckInfo;
const MpiCheckInfo *mpi_check_row(MpiCheck check);
/* Sets of MPI_CHECK_BIT(): all that there are, and those that are on unless left out. */
uint32_t mpi_checks_all(void);
uint32_t mpi_checks_default(void);

/* What a check has to say at the end, once for all ranks of which it can be said. */
typedef struct MpiFinding {
    MpiCheck check;
    const char *what;   /* a sentence without an end, with call and place: "the request made by MPI_Irecv at ..." */
    const char *detail; /* what may differ from rank to rank, of the first; NULL: there is none */
    const char *fix;    /* what to do about it */
    const uint32_t *ranks;
    uint32_t n_ranks;
    bool same_detail; /* of all ranks */
    uint64_t times;   /* how often, on all ranks together */
} MpiFinding;

/* Processor time per message (LogP's o), which may depend on its size in pieces. */
enum { MPI_MAX_PIECES = 16 };
typedef struct MpiPiece { /* of messages of at least so many bytes */
    uint64_t from_bytes, ps;
    uint64_t byte_fs; /* and for each of all their bytes */
} MpiPiece;
typedef struct MpiOverhead {
    uint64_t ps; /* of every message, if there are no pieces; of an empty one */
    uint32_t n;  /* pieces, ascending; the first is from 0 bytes on */
    MpiPiece piece[MPI_MAX_PIECES];
} MpiOverhead;

/* Software costs and protocol; every key is in the machine file's [mpi] section. Times in ps, per-byte terms in fs. */
typedef struct MpiParams {
    uint64_t eager_limit;         /* bytes: longer standard sends wait for the receiver (rendezvous) */
    MpiOverhead send_overhead;    /* o_s: processor time per message sent */
    MpiOverhead recv_overhead;    /* o_r: processor time per message received */
    uint64_t copy_byte_fs;        /* copying between user and library buffers, per byte */
    uint64_t call_overhead_ps;    /* entering the library, per GLOBAL call */
    uint64_t match_ps;            /* looking at one queue entry is not charged; one match is */
    uint64_t envelope_bytes;      /* header of every message on the wire; size of RTS and CTS */
    uint64_t wtime_resolution_ps; /* MPI_Wtick */
    uint32_t checks;              /* MPI_CHECK_BIT() of the checks that are on */
    uint64_t seed;                /* 0: canonical order; other values perturb what MPI leaves open */
    const GArray *choices;        /* of MpiChoice, by rank and number: what some choices shall be; may be NULL */
    bool explore;                 /* note all choices, and what else they could have been */
    GHashTable *algorithms;       /* collective name -> algorithm name ("bcast" -> "binomial"); may be NULL */
} MpiParams;

/* The algorithms that a collective ("bcast") can be done by, NULL-terminated, "auto" first; NULL
 * where there is no such collective. What a reader of configs checks MpiParams.algorithms against. */
const char *const *mpi_algorithms(const char *collective);
/* Whether an algorithm can only be had where MpiEnv.multicast is. */
bool mpi_algorithm_multicasts(const char *collective, const char *name);
/* The names of all collectives that have algorithms, NULL-terminated. */
const char *const *mpi_collectives(void);

/* -- choices: what MPI leaves open (choices.c) ------------------------------------------------- */

typedef enum MpiChoiceSort {
    MPI_CHOICE_SOURCE, /* whose message a receive or probe from any source takes */
    MPI_CHOICE_ANY,    /* which request MPI_Waitany or MPI_Testany reports */
    MPI_CHOICE_SOME,   /* which ones MPI_Waitsome or MPI_Testsome report: bits */
    MPI_CHOICE_TEST,   /* 1: MPI_Test or MPI_Testall find all complete */
} MpiChoiceSort;

#define MPI_CHOICE_NOTHING (-1) /* polls: nothing has come yet */
#define MPI_CHOICE_FREE    INT64_MIN

typedef struct MpiChoice {
    uint32_t rank, number; /* counts the choices of the rank, from 1 */
    MpiChoiceSort sort;
    int64_t taken;
} MpiChoice;

/* "0:2,1,@0/3:1,7=-": by rank, its choices from the first on; 2 a rank, @0 or @0+2 requests, + complete, - nothing, .
 * free; 7= goes on with number 7. NULL with an error that says where. */
GArray *mpi_choices_parse(const char *text, char **wrong);
void mpi_choices_print(const GArray *choices, GString *out);

/* Activity of a rank, for statistics and pictures. */
typedef enum MpiActivity { MPI_ACTIVITY_COMPUTE, MPI_ACTIVITY_OVERHEAD, MPI_ACTIVITY_BLOCKED } MpiActivity;

typedef struct MpiMessageInfo {
    uint64_t id;                    /* 1, 2, 3 ... in order of sending */
    uint32_t from, to;              /* world ranks */
    int32_t tag;                    /* < 0: internal (collective) */
    uint32_t context;               /* communicator context */
    uint64_t bytes;                 /* payload */
    uint64_t sent_ps, delivered_ps; /* handed to the network; arrived */
} MpiMessageInfo;

/* What goes over the network for a message: the message itself (eager), or, where its sender has to wait for the
 * receiver, a request, the permission that comes back, and the data. Each begins when the one before has been received.
 */
typedef enum MpiTransferKind {
    MPI_TRANSFER_EAGER,
    MPI_TRANSFER_REQUEST,
    MPI_TRANSFER_PERMISSION,
    MPI_TRANSFER_DATA,
    MPI_TRANSFER_MULTICAST, /* part of a message that goes to several ranks at once */
} MpiTransferKind;

typedef enum MpiTransferStage {
    MPI_TRANSFER_SENT,      /* from_ps .. to_ps: software of the sender; about to be handed to the network */
    MPI_TRANSFER_DELIVERED, /* from_ps: it is there */
    MPI_TRANSFER_RECEIVED,  /* from_ps .. to_ps: software of the receiver */
} MpiTransferStage;

typedef struct MpiTransfer {
    uint64_t message; /* MpiMessageInfo.id */
    MpiTransferKind kind;
    uint32_t from, to;       /* world ranks */
    int32_t tag;             /* < 0: internal (collective) */
    uint64_t bytes;          /* payload; 0 of requests and permissions */
    uint64_t from_ps, to_ps; /* see the stage */
} MpiTransfer;

/* In a cookie: nobody waits to hear that the transfer has been sent; mpi_world_sent() may be left out. */
#define MPI_COOKIE_UNREPORTED UINT64_C(8)

/* What a rank was started as. */
typedef struct MpiProgram {
    uint32_t number;         /* counts the programs that were started together: the attribute MPI_APPNUM */
    uint32_t ranks;          /* that run it */
    const char *const *argv; /* NULL-terminated */
    const char *directory;   /* that they start in; NULL: not for them to know */
} MpiProgram;

/* A topology whose vertices are to be processes that lie near each other. */
typedef struct MpiWeightedEdge {
    uint32_t from, to; /* vertices */
    uint64_t weight;
} MpiWeightedEdge;

typedef struct MpiArrangement {
    uint32_t n;              /* vertices */
    uint32_t n_members;      /* processes that may be taken, at least n */
    const uint32_t *members; /* their world ranks; NULL: 0, 1, 2 ... */
    unsigned n_dims;         /* a grid in row-major order, the last dimension fastest: */
    const int *dims, *periods;
    uint64_t n_edges; /* or, without dimensions, any graph */
    const MpiWeightedEdge *edges;
} MpiArrangement;

typedef struct MpiEnv {
    void *user;
    /* Fast path: the next two change no result, only how fast it comes; they may be left out. */
    bool in_order; /* what one rank transmits to another is delivered in that order, always */
    /* As wake, where going on changes nothing but the rank itself, and nothing on the way there can change how: it may
     * be done at once, after what is being done now. May be NULL. */
    void (*wake_alone)(void *user, uint32_t rank, uint64_t time_ps);

    /* Moves `bytes` from one rank's node to another's, starting at time_ps. mpi_world_sent(cookie) and
     * mpi_world_delivered(cookie) answer it: always later, never from inside this call. */
    void (*transmit)(void *user, uint32_t from_rank, uint32_t to_rank, uint64_t bytes, uint64_t time_ps,
                     uint64_t cookie);
    /* Moves the same bytes from one rank to `n` others by one transmission, as far as the medium can: `to_ranks` in any
     * order, each answered by mpi_world_delivered() with its cookie; mpi_world_sent(cookie) once, unless it is
     * unreported. NULL: the medium cannot. */
    void (*multicast)(void *user, uint32_t from_rank, const uint32_t *to_ranks, const uint64_t *to_cookies, uint32_t n,
                      uint64_t bytes, uint64_t time_ps, uint64_t cookie);
    /* Asks for mpi_world_resume(rank) at time_ps. */
    void (*wake)(void *user, uint32_t rank, uint64_t time_ps);
    /* Asks for mpi_world_alarm(cookie) at time_ps, on behalf of a rank. */
    void (*alarm)(void *user, uint32_t rank, uint64_t time_ps, uint64_t cookie);
    /* Something is about to change what the polls of a rank find, of which mpi_world_idle_polls() was not 0; it is 0
     * now. May be NULL. */
    void (*touch)(void *user, uint32_t rank);
    /* Processor name of a rank's node; owned by the callee. */
    const char *(*node_name)(void *user, uint32_t rank);
    /* Number of a rank's node. NULL: all share one. */
    uint32_t (*node)(void *user, uint32_t rank);
    uint32_t processors; /* of the whole machine, MPI_UNIVERSE_SIZE; 0: as many as ranks */
    /* Owned by the callee. May be NULL. */
    const MpiProgram *(*program)(void *user, uint32_t rank);
    /* Chooses a process for each vertex, as an index of members; false: the first n in order are as good. The same
     * question has the same answer. NULL: so it always is. */
    bool (*arrange)(void *user, const MpiArrangement *arrangement, uint32_t *chosen);
} MpiEnv;

/* Who looks on. Any function may be NULL. */
typedef struct MpiObserver {
    void *user;
    /* What a rank did from one time to another. `call` is the MPI function's name, NULL for computing. */
    void (*activity)(void *user, uint32_t rank, MpiActivity activity, uint64_t from_ps, uint64_t to_ps,
                     const char *call);
    /* A message has been delivered. */
    void (*message)(void *user, const MpiMessageInfo *message);
    /* A transfer has reached a stage. */
    void (*transfer)(void *user, MpiTransferStage stage, const MpiTransfer *transfer);
} MpiObserver;

MpiWorld *mpi_world_new(uint32_t ranks, const MpiParams *params, const MpiEnv *env);
void mpi_world_free(MpiWorld *world);
/* Tells an observer what ranks and messages do. One at a time: another takes its place. Before the first call. */
void mpi_world_observe(MpiWorld *world, const MpiObserver *observer);
/* The MPI functions (MPI_ and PMPI_ names) as externs for vm_image_new(); owned by the world. */
const VmExtern *mpi_world_externs(MpiWorld *world, size_t *count);
/* Binds a started process to its rank. */
void mpi_world_attach(MpiWorld *world, uint32_t rank, VmRank *process);

typedef enum MpiOutcome {
    MPI_OUTCOME_DONE,    /* the call is complete (vm_rank_complete was called, the clock set): run the rank */
    MPI_OUTCOME_BLOCKED, /* the rank waits; env.wake will be called when it can go on */
    MPI_OUTCOME_UPCALL,  /* simulated code must run first: run the rank */
    MPI_OUTCOME_FAULT,   /* an uncaught MPI error: vm_rank_fault_info() says which */
    MPI_OUTCOME_ABORT,   /* MPI_Abort: end everything, see mpi_world_abort_code() */
} MpiOutcome;

/* The rank stopped with VM_STOP_REQUEST, at now_ps by its clock. */
MpiOutcome mpi_world_call(MpiWorld *world, uint32_t rank, uint64_t now_ps);
/* The rank stopped with VM_STOP_UPCALL_DONE. */
MpiOutcome mpi_world_upcall_done(MpiWorld *world, uint32_t rank);
/* A wake-up is due at time_ps. */
MpiOutcome mpi_world_resume(MpiWorld *world, uint32_t rank, uint64_t time_ps);
/* A transfer's last byte has left / has arrived. */
void mpi_world_sent(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
void mpi_world_delivered(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
/* The time that was asked for by MpiEnv.alarm has come. */
void mpi_world_alarm(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
/* The process has ended (returned from main, exit, fault): reports what it left behind. */
void mpi_world_exited(MpiWorld *world, uint32_t rank);
int mpi_world_abort_code(const MpiWorld *world);
/* A finding of somebody below, about a rank: as mpi_finding_add(). From any thread. */
void mpi_world_note(MpiWorld *world, uint32_t rank, MpiCheck check, uint64_t time_ps, const char *what,
                    const char *detail, const char *fix);
/* The findings until a virtual time, in the order of their first ranks; `finished`: the run came to its end. They are
 * valid until the next call. */
const MpiFinding *mpi_world_findings(MpiWorld *world, bool finished, uint64_t until_ps, size_t *count);

/* Fast path, too: a message will be delivered soon, or a rank called: brings what that will touch first nearer to the
 * processor. First with `begun` false, some hundred nanoseconds later again with true, which answers the message's
 * receiver. */
uint32_t mpi_world_fetch_message(uint64_t cookie, bool begun);
void mpi_world_fetch(const MpiWorld *world, uint32_t rank, bool begun);

/* The transfer of a cookie, which is on its way; without times. */
MpiTransfer mpi_world_transfer(uint64_t cookie);

/* How many of the rank's last calls were polls (MPI_Test, MPI_Iprobe and their like) that found nothing, while nothing
 * came that they could have found: another call with the same arguments will find nothing either, until env.touch. */
uint32_t mpi_world_idle_polls(const MpiWorld *world, uint32_t rank);
/* The last such call was made `times` times more, each for that much overhead. */
void mpi_world_repeat_poll(MpiWorld *world, uint32_t rank, uint64_t times, uint64_t overhead_ps);
/* The rank has slept: blocked, as far as its account is concerned. */
void mpi_world_slept(MpiWorld *world, uint32_t rank, uint64_t ps);
/* Messages made so far, by all ranks. */
uint64_t mpi_world_messages(const MpiWorld *world);
/* Messages that exist, sent and not yet received, and the bytes of them that wait outside the ranks' memory. */
void mpi_world_buffered(const MpiWorld *world, uint64_t *messages, uint64_t *bytes);
/* Those that have come to a rank, which has not received them. O(messages). */
void mpi_world_unreceived(const MpiWorld *world, uint32_t rank, uint64_t *messages, uint64_t *bytes);

typedef struct MpiRankStats {
    uint64_t overhead_ps, blocked_ps;
    uint64_t messages_sent, bytes_sent; /* user and collective messages, payload bytes */
    uint64_t messages_received, bytes_received;
    uint64_t calls; /* LOCAL ones, too */
} MpiRankStats;
const MpiRankStats *mpi_world_stats(const MpiWorld *world, uint32_t rank);

/* What the rank is doing in MPI now ("MPI_Recv from 3, tag 7, MPI_COMM_WORLD"), or NULL. Free with g_free. */
char *mpi_world_describe(const MpiWorld *world, uint32_t rank);
/* Nothing can move any more: explains, per blocked rank: source line, call, peer, tag, communicator; then the cycle of
 * ranks that wait for each other, or who waits for a rank that has ended. `in_network`: what they wait for is on its
 * way and stuck there, so who waits for whom is no fault of theirs and left out. */
void mpi_world_explain_deadlock(MpiWorld *world, bool in_network, GString *out);

/* With MpiParams.explore: whether the call that a rank is about to make is a poll, the first of its place since the
 * rank last did something else. */
bool mpi_world_first_poll(const MpiWorld *world, uint32_t rank);
/* The rank's last poll, which found nothing, has changed nothing of the rank: it waits in a loop, so that it is all one
 * when it finds something. True: that it found nothing was forced, and will be no more. */
bool mpi_world_waits(MpiWorld *world, uint32_t rank);
/* The places of such loops, as numbers that are the same in every run of the program. */
size_t mpi_world_waiting_places(const MpiWorld *world, const uint64_t **places);
/* The place of the poll, if the alternative is that it finds nothing; else 0. */
uint64_t mpi_world_alternative_place(const MpiWorld *world, size_t i, size_t alternative);
/* With MpiParams.explore, when the run is over: the choices that were made, in an order in which none depends on a
 * later one, and what else each could have been. */
void mpi_world_conclude(MpiWorld *world);
size_t mpi_world_choices(const MpiWorld *world);
MpiChoice mpi_world_choice(const MpiWorld *world, size_t i);
size_t mpi_world_alternatives(const MpiWorld *world, size_t i);
int64_t mpi_world_alternative(const MpiWorld *world, size_t i, size_t alternative);
/* Whether choice j depends directly on choice i < j. */
bool mpi_world_choice_after(const MpiWorld *world, size_t i, size_t j);
/* "rank 0's MPI_Recv at sum.c:14 takes the message of rank 2 sent at sum.c:20" */
void mpi_world_describe_choice(const MpiWorld *world, size_t i, GString *out);
/* "at x.c:12 in MPI_Recv": where the rank is in the program, and in which call, if any. */
void mpi_world_append_place(const MpiWorld *world, uint32_t rank, GString *out);
/* The first choice of MpiParams.choices that could not be what it shall be; false: there is none. */
bool mpi_world_missed_choice(const MpiWorld *world, MpiChoice *choice);

/* The table of functions, for `orrery mpi --list` and the linker's catalogue. */
typedef struct MpiFunctionInfo {
    const char *name;     /* "MPI_Send" */
    const char *standard; /* version that introduced it, "1.0" */
    bool local;
} MpiFunctionInfo;
const MpiFunctionInfo *mpi_functions(size_t *count);
/* Those of the standard that are missing (absent.def): among the externs all the same, but a call is a fault. */
const MpiFunctionInfo *mpi_functions_absent(size_t *count);

#endif
