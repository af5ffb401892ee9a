/* mpi_world.h - gives messages meaning: MPI on top of the VM's requests and a network.
 *
 * This is the public header of mpi/. (It has this name because simulated programs include another mpi.h.) An MpiWorld
 * holds all MPI state of one simulation. The layer above, machine/, owns time and order. It calls mpi/ when a rank
 * makes a request, when a transfer has been sent or delivered, and when a requested wake-up is due. It makes these
 * calls in the order of (time, kind, rank, sequence). Nothing in mpi/ runs by itself.
 *
 * There are two sorts of MPI functions; functions.def says of which sort each one is:
 *   LOCAL   run at once inside the VM (MPI_Comm_rank, MPI_Wtime, type constructors, MPI_Pack ...)
 *   GLOBAL  leave the VM as a request and are executed by mpi_world_call() in global order
 */
#ifndef ORRERY_MPI_WORLD_H
#define ORRERY_MPI_WORLD_H

#include "base/choice.h"
#include "base/feed.h"
#include "vm/vm.h"

typedef struct MpiWorld MpiWorld;

/* -- ranks in words (rank_list.c) -------------------------------------------------------------- */

typedef struct MpiRankList {     /* a list of ranks as text; empty if all fields are zero */
    GString *text;               /* every run of consecutive ranks except the last */
    uint32_t first, last, count; /* first .. last is the last run; count: number of ranks in the list */
} MpiRankList;
/* Appends a rank. The caller adds ranks in ascending order. Adding the last rank again changes nothing. */
void mpi_rank_list_add(MpiRankList *list, uint32_t rank);
/* Appends the list as text: "rank 3", "ranks 0-2, 5", "ranks 0, 2, ... (5000 ranks)". */
void mpi_rank_list_append(const MpiRankList *list, GString *out);
void mpi_rank_list_clear(MpiRankList *list);

/* -- checks (checks.def, findings.c) ----------------------------------------------------------- */

typedef enum MpiCheck {
#define MPI_CHECK(identifier, name, when, sort, help) MPI_CHECK_##identifier,
#include "mpi/checks.def"
    MPI_CHECKS
} MpiCheck;
#define MPI_CHECK_BIT(check) (UINT32_C(1) << (check))

/* When a check is on, and what its findings are; checks.def explains the values. */
typedef enum MpiCheckWhen { MPI_WHEN_ALWAYS, MPI_WHEN_FREE, MPI_WHEN_ASKED } MpiCheckWhen;
typedef enum MpiCheckSort { MPI_FINDING_CERTAIN, MPI_FINDING_POSSIBLE, MPI_FINDING_LEFT } MpiCheckSort;
typedef struct MpiCheckInfo { /* a check, as its row of checks.def describes it */
    const char *name, *help;
    MpiCheckWhen when;
    MpiCheckSort sort;
} MpiCheckInfo;
const MpiCheckInfo *mpi_check_row(MpiCheck check);
/* Returns sets of MPI_CHECK_BIT(): all checks, and the checks that are on unless the user leaves them out. */
uint32_t mpi_checks_all(void);
uint32_t mpi_checks_default(void);

/* What a check reports at the end of a run, once for all ranks that it applies to. */
typedef struct MpiFinding {
    MpiCheck check;
    const char *what;   /* sentence without a full stop, with call and source location: "the request made by MPI_Irecv
                         * at ..." */
    const char *detail; /* what may differ between ranks, as it is for the first rank; NULL: nothing */
    const char *fix;    /* advice on how to correct it */
    const uint32_t *ranks;
    uint32_t n_ranks;
    bool same_detail; /* detail is the same for all ranks */
    uint64_t times;   /* number of occurrences on all ranks together */
} MpiFinding;

/* Processor time per message (the o of LogP). It may depend on the size of the message, in pieces. */
enum { MPI_MAX_PIECES = 16 };
typedef struct MpiPiece { /* cost of messages of at least from_bytes */
    uint64_t from_bytes, ps;
    uint64_t byte_fs; /* additional time for each byte of the message, from the first byte on */
} MpiPiece;
typedef struct MpiOverhead {
    uint64_t ps; /* time per message if there are no pieces; otherwise time per empty message */
    uint32_t n;  /* number of pieces; they ascend, and the first starts at 0 bytes */
    MpiPiece piece[MPI_MAX_PIECES];
} MpiOverhead;

/* Who handles what arrives at a rank: the rank itself, in its MPI calls; a communication thread; the network interface.
 * Automatic is inline for messages. For the other sorts it is the thread if that handles messages, else offload. */
/* clang-format off */
#define MPI_PROGRESSES(CHOICE) \
    CHOICE(MPI_PROGRESS_AUTOMATIC, "automatic") \
    CHOICE(MPI_PROGRESS_INLINE, "inline") \
    CHOICE(MPI_PROGRESS_THREAD, "thread") \
    CHOICE(MPI_PROGRESS_OFFLOAD, "offload")
/* clang-format on */
BASE_CHOICE_ENUM(MpiProgress, MPI_PROGRESSES);
/* What arrives: messages of point-to-point communication and blocking collectives, accesses to windows, and messages of
 * collectives in the background. */
typedef enum MpiProgressSort {
    MPI_PROGRESS_MESSAGES,
    MPI_PROGRESS_ONE_SIDED,
    MPI_PROGRESS_BACKGROUND,
    MPI_PROGRESS_SORTS
} MpiProgressSort;
/* The ranks that one communication thread works for. */
#define MPI_THREAD_SHARES(CHOICE) CHOICE(MPI_THREAD_OF_RANK, "rank") CHOICE(MPI_THREAD_OF_NODE, "node")
BASE_CHOICE_ENUM(MpiThreadShare, MPI_THREAD_SHARES);
/* The memory models of windows (MPI-4.1 section 12.4). */
#define MPI_WINDOW_MODELS(CHOICE) CHOICE(MPI_WINDOW_UNIFIED, "unified") CHOICE(MPI_WINDOW_SEPARATE, "separate")
BASE_CHOICE_ENUM(MpiWindowModel, MPI_WINDOW_MODELS);
const char *const *mpi_progress_kinds(void);
const char *const *mpi_progress_shares(void);
const char *const *mpi_rma_models(void);

/* When collective accesses to files go through aggregators (mpi/file/two_phase.c), and when single ones read what lies
 * between the pieces that they want. */
typedef enum MpiFileWay { MPI_FILE_AUTOMATIC, MPI_FILE_ENABLE, MPI_FILE_DISABLE } MpiFileWay;
/* Returns the names of these ways, as hints have them, NULL-terminated. */
const char *const *mpi_file_ways(void);

/* What the hints of a file are without an info object. */
typedef struct MpiFileParams {
    MpiFileWay collective_buffering, sieving;
    uint32_t aggregators;  /* greatest number of ranks that access the file for all; 0: one of each node */
    uint64_t buffer_bytes; /* of an aggregator */
    uint64_t sieve_bytes;  /* buffer of a single rank */
    uint64_t stripe_bytes; /* what one server has in a row: a part of the file ends there; 0: no matter */
} MpiFileParams;

/* How a library finds messages and receives in its queues (p2p/queues.c). */
#define MPI_MATCHES(CHOICE) CHOICE(MPI_MATCH_LIST, "list") CHOICE(MPI_MATCH_HASH, "hash")
BASE_CHOICE_ENUM(MpiMatch, MPI_MATCHES);
const char *const *mpi_queue_matches(void);

/* Returns the names of the handlers that may be the initial one, NULL-terminated: in handles.def they stand in this
 * order, from index 1 on. */
const char *const *mpi_comm_initial_errhandlers(void);

/* Where two ranks are, seen from one of them. A rank is on its own core. */
#define MPI_PATH_CLASSES(CHOICE)                                                                                       \
    CHOICE(MPI_PATH_CORE, "core")                                                                                      \
    CHOICE(MPI_PATH_NODE, "node") CHOICE(MPI_PATH_CLUSTER, "cluster") CHOICE(MPI_PATH_WAN, "wan")
BASE_CHOICE_ENUM(MpiPath, MPI_PATH_CLASSES);
enum { MPI_PATHS = MPI_PATH_WAN + 1 };
/* The protocols of point-to-point messages (protocols.def), in front of them "same": that of all paths. */
typedef enum MpiProtocol {
    MPI_PROTOCOL_SAME,
#define MPI_PROTOCOL(identifier, name, way, help) MPI_PROTOCOL_##identifier,
#include "mpi/protocols.def"
    MPI_PROTOCOLS
} MpiProtocol;
/* Returns their names, NULL-terminated, "same" first. */
const char *const *mpi_protocol_names(void);
typedef struct MpiProtocolParams { /* how messages go on a path; 0: as on all paths */
    MpiProtocol protocol;
    uint64_t threshold; /* longer messages wait for their receiver. 0 on all paths: eager_limit, or, where the protocol
                         * is `rendezvous`, every message waits */
    uint64_t credits;   /* bytes that a rank buffers for each of those that send to it; 0 on all paths: any number */
    uint64_t pool;      /* bytes that it buffers for all of them together; 0 on all paths: any number */
    uint64_t chunk;     /* greatest piece of a message of receiver-post; 0 on all paths: MPI_PROTOCOL_CHUNK */
} MpiProtocolParams;
enum { MPI_PROTOCOL_CHUNK = 65536, MPI_REGISTRATION_SLOTS = 1024 };
typedef struct MpiDaemonParams {
    uint64_t soft, hard;   /* bytes stored, from which a daemon asks others to stop, and takes no more data */
    uint64_t message_ps;   /* its processor time per message ... */
    uint64_t copy_byte_fs; /* ... and per byte */
} MpiDaemonParams;
typedef struct MpiRegistrationParams { /* of memory, for remote writes */
    uint32_t slots;                    /* regions that stay registered; 0: MPI_REGISTRATION_SLOTS */
    uint64_t ps, byte_fs;              /* of a region that is not */
} MpiRegistrationParams;

/* Software costs and protocol; every key is in the machine file's [mpi] section. Times in ps, per-byte terms in fs. */
typedef struct MpiParams {
    uint64_t eager_limit;          /* bytes: longer standard sends wait for the receiver (rendezvous) */
    MpiOverhead send_overhead;     /* o_s: processor time per message sent */
    MpiOverhead recv_overhead;     /* o_r: processor time per message received */
    uint64_t copy_byte_fs;         /* time of copying between user and library buffers, per byte */
    uint64_t call_overhead_ps;     /* time of entering the library, per GLOBAL call */
    uint64_t match_ps;             /* matching a message with a receive, besides searching the queue */
    uint64_t queue_element_ps;     /* looking at an element of a queue */
    MpiMatch match;                /* which elements are looked at */
    uint64_t interrupt_ps;         /* of what arrives from another node for a processor that waits */
    uint64_t envelope_bytes;       /* header of every message on the wire; also the size of RTS and CTS */
    uint64_t spawn_ps;             /* starting a process, on its node, after the word to do so has come */
    uint64_t wtime_resolution_ps;  /* resolution of MPI_Wtime, the result of MPI_Wtick */
    uint64_t failure_detection_ps; /* from the failure of a process until it is known */
    uint64_t failure_notice_ps;    /* from a revocation until it is known */
    uint64_t failure_agreement_ps; /* of writing down what a process says in an agreement, and what it hears, each */
    uint64_t connect_timeout_ps;   /* MPI_Comm_connect gives up after this time, once nothing else can happen */
    int initial_errhandler;        /* as mpi_comm_initial_errhandlers() counts */
    MpiProgress progress[MPI_PROGRESS_SORTS];
    MpiThreadShare thread_share;
    MpiWindowModel window_model;
    uint32_t checks;        /* MPI_CHECK_BIT() of the checks that are on */
    uint64_t seed;          /* 0: canonical order; other values vary what MPI leaves open */
    const GArray *choices;  /* MpiChoice values that are forced, sorted by rank and number; may be NULL */
    bool explore;           /* record all choices and their alternatives */
    GHashTable *algorithms; /* collective name -> algorithm name ("bcast" -> "binomial"); may be NULL */
    MpiFileParams files;
    MpiProtocolParams protocol;             /* on all paths ... */
    MpiProtocolParams protocols[MPI_PATHS]; /* ... but for what a path has of its own */
    MpiDaemonParams daemon;
    MpiRegistrationParams registration;
} MpiParams;

/* Returns the names of the algorithms for a collective such as "bcast", NULL-terminated, "auto" first. Returns NULL if
 * there is no such collective. Readers of configurations check MpiParams.algorithms against these names. */
const char *const *mpi_algorithms(const char *collective);
/* Whether an algorithm needs MpiEnv.multicast. */
bool mpi_algorithm_multicasts(const char *collective, const char *name);
/* Returns the names of all collectives that have algorithms, NULL-terminated. */
const char *const *mpi_collectives(void);

/* -- choices: what MPI leaves open (choices.c) ------------------------------------------------- */

typedef enum MpiChoiceSort {
    MPI_CHOICE_SOURCE, /* the source of the message that a wildcard receive or probe takes */
    MPI_CHOICE_ANY,    /* the request that MPI_Waitany or MPI_Testany reports */
    MPI_CHOICE_SOME,   /* the requests that MPI_Waitsome or MPI_Testsome report, as a bit set */
    MPI_CHOICE_TEST,   /* 1: MPI_Test or MPI_Testall find everything complete */
    MPI_CHOICE_AFTER,  /* the lock or accumulate of another rank that one comes after: its rank | its number << 32 */
} MpiChoiceSort;

#define MPI_CHOICE_NOTHING (-1)      /* value for polls: nothing has come yet */
#define MPI_CHOICE_FREE    INT64_MIN /* the choice is not forced */

typedef struct MpiChoice {
    uint32_t rank, number; /* `number` counts the choices of the rank, from 1 */
    MpiChoiceSort sort;
    int64_t taken; /* the value, whose meaning depends on `sort`; or MPI_CHOICE_NOTHING or MPI_CHOICE_FREE */
} MpiChoice;

/* Parses choices such as "0:2,1,@0/3:1,7=-". Each part names a rank and then its choices, from the first on: "2" is a
 * rank, "@0" or "@0+2" are requests, "+" is complete, "-" is nothing, "." is free. "7=" continues with choice number
 * 7. On an error, returns NULL and stores in *wrong a text that says where the error is. */
GArray *mpi_choices_parse(const char *text, char **wrong);
/* Appends the choices in the form that mpi_choices_parse() reads. */
void mpi_choices_print(const GArray *choices, GString *out);

/* What a rank does, for statistics and pictures. */
typedef enum MpiActivity { MPI_ACTIVITY_COMPUTE, MPI_ACTIVITY_OVERHEAD, MPI_ACTIVITY_BLOCKED } MpiActivity;

/* A message, as observers see it. */
typedef struct MpiMessageInfo {
    uint64_t id;                    /* 1, 2, 3 ... in order of sending */
    uint32_t from, to;              /* world ranks */
    int32_t tag;                    /* < 0: internal (collective) */
    uint32_t context;               /* communicator context */
    uint64_t bytes;                 /* payload */
    uint64_t sent_ps, delivered_ps; /* time at which the network got it; time of its arrival */
} MpiMessageInfo;

/* What the network carries for a message. An eager message is sent at once. For a longer message the sender waits for
 * the receiver: it sends a request, the receiver answers with a permission, and then the data follow. Each of these
 * transfers begins when the one before has been received.
 */
typedef enum MpiTransferKind {
    MPI_TRANSFER_EAGER,
    MPI_TRANSFER_REQUEST,
    MPI_TRANSFER_PERMISSION,
    MPI_TRANSFER_DATA,
    MPI_TRANSFER_MULTICAST, /* part of a message that goes to several ranks in one transmission */
    MPI_TRANSFER_ACCESS,    /* an access to a window, or its answer */
    MPI_TRANSFER_WINDOW,    /* what synchronises a window: locks, flushes, posts ... */
    MPI_TRANSFER_PIECE,     /* a piece of the data of a message (receiver-post), or all of them to a daemon */
    MPI_TRANSFER_POST,      /* a receive is posted (receiver-post) */
    MPI_TRANSFER_ACKNOWLEDGEMENT,
    MPI_TRANSFER_CREDIT, /* room in the receiver's buffer is asked for or given, or a daemon stops and goes on */
} MpiTransferKind;

typedef enum MpiTransferStage {
    MPI_TRANSFER_SENT,      /* from_ps .. to_ps: the sender's software works; then the network gets the transfer */
    MPI_TRANSFER_DELIVERED, /* from_ps: the transfer has arrived */
    MPI_TRANSFER_RECEIVED,  /* from_ps .. to_ps: the receiver's software works */
    MPI_TRANSFER_GRANTED,   /* an access has got the lock of its target; observers are not told */
} MpiTransferStage;

/* A transfer, as observers see it. */
typedef struct MpiTransfer {
    uint64_t message; /* id of the message, see MpiMessageInfo */
    MpiTransferKind kind;
    uint32_t from, to;       /* world ranks */
    int32_t tag;             /* < 0: internal (collective) */
    uint64_t bytes;          /* payload; 0 for requests and permissions */
    bool daemons;            /* it goes from daemon to daemon, and no rank handles it */
    uint64_t from_ps, to_ps; /* their meaning depends on the stage, see MpiTransferStage */
} MpiTransfer;

/* A flag in a cookie: it does not matter when the transfer has been sent, so mpi_world_sent() may be omitted. */
#define MPI_COOKIE_UNREPORTED UINT64_C(8)

/* The program that a rank was started with. */
typedef struct MpiProgram {
    uint32_t number;         /* index among the programs that were started together: the attribute MPI_APPNUM */
    uint32_t ranks;          /* number of ranks that run this program */
    const char *const *argv; /* NULL-terminated */
    const char *directory;   /* working directory at the start; NULL: the program is not told */
    uint32_t first;          /* its first rank */
} MpiProgram;

/* A program that MPI_Comm_spawn or a part of MPI_Comm_spawn_multiple asks for. */
typedef struct MpiSpawn {
    const char *command;
    const char *const *arguments; /* without the command, NULL-terminated; NULL: none */
    uint32_t ranks;
    /* Values of the info keys `wdir`, `path`, `host` and `arch`; NULL: not given. */
    const char *directory, *path, *host, *architecture;
} MpiSpawn;

/* What became of it. */
typedef struct MpiSpawned {
    uint32_t first;  /* the new ranks are numbered from here on, in the order of the programs */
    uint32_t failed; /* or: index of the program that is to blame */
    char *why;       /* and the reason, for the caller to free; NULL: all is well */
} MpiSpawned;

/* An edge of a graph whose vertices are to be mapped to processes. Heavier edges should join processes that are
 * close. */
typedef struct MpiWeightedEdge {
    uint32_t from, to; /* vertices */
    uint64_t weight;
} MpiWeightedEdge;

/* A topology to map to processes: a grid or any other graph. */
typedef struct MpiArrangement {
    uint32_t n;              /* number of vertices */
    uint32_t n_members;      /* number of candidate processes, at least n */
    const uint32_t *members; /* world ranks of the candidates; NULL: 0, 1, 2 ... */
    unsigned n_dims;         /* dimensions of a grid in row-major order, the last one fastest; 0: see edges */
    const int *dims, *periods;
    uint64_t n_edges; /* of any other graph */
    const MpiWeightedEdge *edges;
} MpiArrangement;

/* A key of the machine's configuration, as the tool interface shows it. */
typedef enum MpiKeyForm { MPI_KEY_NUMBER, MPI_KEY_CHOICE, MPI_KEY_TEXT } MpiKeyForm;
typedef enum MpiKeyTunes { /* what a program can change through the key while it runs */
                           MPI_TUNES_NOTHING,
                           MPI_TUNES_EAGER_LIMIT,
                           MPI_TUNES_ALGORITHM
} MpiKeyTunes;
typedef struct MpiMachineKey {
    const char *section, *name, *help;
    const char *value; /* as machine files have it */
    const char *unit;  /* of a number; NULL: none */
    MpiKeyForm form;
    MpiKeyTunes tunes;
    uint64_t number;          /* NUMBER: the value in base units */
    const char *const *names; /* CHOICE: the possible values, NULL-terminated */
} MpiMachineKey;

/* What the layer above provides to an MpiWorld. */
typedef struct MpiEnv {
    void *user;
    /* Fast path. The next three members affect only speed, never results. They may be left out. */
    /* A message may be given to transmit() at any time before its own, as long as those of one node come in their
     * order: nothing depends on how early it comes, or on how many messages there are. Then ranks that send to many
     * others make their messages one after the other, and a message that is not sent yet takes no memory. Needs
     * `alarm`. */
    bool late;
    bool in_order; /* messages from one rank to another always arrive in the order of transmission */
    /* Like wake, but only if going on changes nothing except the rank itself, and nothing that happens until then can
     * change how it goes on. So the rank may go on at once, after the current event. Returns false, without having
     * done anything, if that cannot be now. May be NULL. */
    bool (*wake_alone)(void *user, uint32_t rank, uint64_t time_ps);
    /* While a rank makes a GLOBAL call at now_ps and has not left the VM: whether that call comes before everything
     * else, so that it may have its effect at once. take_turn() then says that it has, and that the rank goes on at
     * end_ps; if it returns false, the call must leave the VM after all. May be NULL, both of them. */
    bool (*is_turn)(void *user, uint32_t rank, uint64_t now_ps);
    bool (*take_turn)(void *user, uint32_t rank, uint64_t now_ps, uint64_t end_ps);

    /* Moves `bytes` from one rank's node to another's, starting at time_ps. The callee answers with
     * mpi_world_sent(cookie) and mpi_world_delivered(cookie), always later and never from inside this call. */
    void (*transmit)(void *user, uint32_t from_rank, uint32_t to_rank, uint64_t bytes, uint64_t time_ps,
                     uint64_t cookie);
    /* Moves the same bytes from one rank to `n` others. It uses one transmission as far as the medium can. `to_ranks`
     * may be in any order. The callee answers with mpi_world_delivered() for each receiver's cookie, and once with
     * mpi_world_sent(cookie) unless that cookie is unreported. NULL: the medium cannot multicast. */
    void (*multicast)(void *user, uint32_t from_rank, const uint32_t *to_ranks, const uint64_t *to_cookies, uint32_t n,
                      uint64_t bytes, uint64_t time_ps, uint64_t cookie);
    /* Asks the callee to call mpi_world_resume() at time_ps for the rank, or for the task of mpi_world_select(). */
    void (*wake)(void *user, uint32_t task, uint64_t time_ps);
    /* Asks the callee to call mpi_world_alarm(cookie) at time_ps, on behalf of a rank. */
    void (*alarm)(void *user, uint32_t rank, uint64_t time_ps, uint64_t cookie);
    /* Returns the name of a thread in texts: a number. NULL: 1 for thread 0, and so on. */
    uint64_t (*thread_id)(void *user, uint32_t rank, uint32_t thread);
    /* For checks: a call of the rank's selected thread uses memory of the program; it reads or writes it. May be NULL.
     */
    void (*uses)(void *user, uint32_t rank, uint64_t address, uint64_t bytes, bool write);
    /* The result of the rank's polls is about to change. mpi_world_idle_polls() was not 0 for this rank, and is 0 now.
     * May be NULL. */
    void (*touch)(void *user, uint32_t rank);
    /* From now on others may access the memory of the rank at any time, even while it computes, or no more: as often as
     * there are reasons for that. Called in calls of the rank. NULL: ranks never compute when others act. */
    void (*expose)(void *user, uint32_t rank, bool exposed);
    /* Others are about to read or write the memory of such a rank, which may compute. Lets it come to where it is at
     * this time in every run, within some 10 us of virtual time. Returns false if the process has ended. May be NULL if
     * `expose` is. */
    bool (*still)(void *user, uint32_t rank);
    /* Lets the communication thread of the rank work for work_ps, from time_ps on and behind what it has to do before,
     * when it has a core. The callee answers with mpi_world_alarm(cookie), unless that is 0. Returns false, without
     * having done anything, if the thread always has a core. NULL: all have. */
    bool (*work)(void *user, uint32_t rank, uint64_t time_ps, uint64_t work_ps, uint64_t cookie);
    /* The same for work whose length shows only when it is done: when the thread has a core, the callee calls
     * mpi_world_work(cookie), and the thread keeps the core for as long as that says. NULL if `work` is. */
    bool (*begin_work)(void *user, uint32_t rank, uint64_t time_ps, uint64_t cookie);
    /* As work(), for the daemon of the rank's node. NULL: daemons always have a core. */
    bool (*serve)(void *user, uint32_t rank, uint64_t time_ps, uint64_t work_ps, uint64_t cookie);
    /* The cores of a node contend. Returns when a copy of `bytes` is over that a core of the rank's node begins at
     * from_ps and for which it needs copy_ps alone. NULL: there is memory for all. */
    uint64_t (*copy)(void *user, uint32_t rank, uint64_t bytes, uint64_t from_ps, uint64_t copy_ps);
    /* Returns how long a message of `bytes` is on its way between the nodes of two ranks when nothing else is, until it
     * is delivered or, if `sent`, until its last byte has left. UINT64_MAX: unknown. For explanations only. NULL: the
     * same as always unknown. */
    uint64_t (*quiet_ps)(void *user, uint32_t from_rank, uint32_t to_rank, uint64_t bytes, bool sent);
    /* Returns when a core of the rank's node has told its network interface of a transfer, which it begins at from_ps.
     * NULL: that takes no time. */
    uint64_t (*doorbell)(void *user, uint32_t rank, uint32_t to_rank, uint64_t from_ps);
    /* Makes the rank's access to a file at time_ps. The callee answers with mpi_world_stored(cookie), later and never
     * from inside this call. NULL: accesses take no time. */
    void (*storage)(void *user, uint32_t rank, const VmStorageAccess *access, uint64_t time_ps, uint64_t cookie);
    /* Returns the number of the file with this name of vm_rank_file_name(). NULL if `storage` is. */
    uint32_t (*storage_file)(void *user, const char *name);
    /* Returns the processor name of a rank's node. The callee owns it. */
    const char *(*node_name)(void *user, uint32_t rank);
    /* Returns the number of a rank's node. NULL: all ranks share one node. */
    uint32_t (*node)(void *user, uint32_t rank);
    /* Returns where two ranks are; NULL: their nodes tell. */
    MpiPath (*path)(void *user, uint32_t rank, uint32_t other);
    /* Returns the number of a rank's network interface, counted through the whole machine. NULL: each node has one. */
    uint32_t (*nic)(void *user, uint32_t rank);
    uint32_t processors; /* processors of the whole machine, for MPI_UNIVERSE_SIZE; 0: as many as ranks */
    /* Processes that come during the run. `newcomers` bounds how many there can be; 0: there are none, and spawn() may
     * be NULL. spawn() finds the programs and makes their ranks by mpi_world_add() and mpi_world_attach(), but lets
     * none run: they are blocked until start() is called, and begin at time_ps. It makes all of them or none. `by` is
     * the rank that asks. */
    uint32_t newcomers;
    MpiSpawned (*spawn)(void *user, uint32_t by, const MpiSpawn *spawns, uint32_t n);
    void (*start)(void *user, uint32_t rank, uint64_t time_ps);
    /* Returns the program of a rank. The callee owns it. May be NULL. */
    const MpiProgram *(*program)(void *user, uint32_t rank);
    /* Chooses a process for each vertex and stores its index in members. Returns false if the first n members in order
     * are as good. The same question always has the same answer. NULL: equivalent to always returning false. */
    bool (*arrange)(void *user, const MpiArrangement *arrangement, uint32_t *chosen);
    /* Describes key number `number` of the machine as it is on the rank's node. Returns false if there are not so many.
     * The callee owns the strings. Any thread may call. May be NULL. */
    bool (*key)(void *user, uint32_t rank, uint32_t number, MpiMachineKey *key);
} MpiEnv;

/* Why a call waits. */
typedef enum MpiWaitCause {
#define MPI_WAIT_CAUSE(identifier, name, help) MPI_WAIT_##identifier,
#include "mpi/waits.def"
    MPI_WAIT_CAUSES
} MpiWaitCause;
/* Returns the name of a cause ("late sender"), and a line that explains it. */
const char *mpi_wait_name(MpiWaitCause cause);
const char *mpi_wait_help(MpiWaitCause cause);
/* Finds the cause with a name. Returns false if there is none. */
bool mpi_wait_find(const char *name, MpiWaitCause *cause);

/* A part of the time that a call has not worked: it was blocked, or ran functions of the program. */
typedef struct MpiWait {
    uint64_t from_ps, to_ps;
    MpiWaitCause cause;
    uint32_t peer;    /* world rank of whom it waited for; UINT32_MAX: nobody in particular */
    uint64_t message; /* id of the message that ended it, see MpiMessageInfo; 0: none */
} MpiWait;

/* A call of MPI that is over, as observers see it. */
typedef struct MpiCallInfo {
    uint32_t rank, thread; /* who made it; thread 0 is the one that runs main() */
    const char *name;
    bool controls; /* it is MPI_Pcontrol */
    uint32_t pc;   /* where in the program it was made; VCODE_NONE: unknown */
    /* The rest of its time it waited, or ran functions of the program, which may have made calls of their own. */
    uint64_t from_ps, to_ps, overhead_ps;
    unsigned n; /* number of arguments */
    const uint64_t *args;
    /* For observers with `waits`: the parts of the rest, in order; they add up exactly to it. NULL: there is no rest.
     */
    const MpiWait *waits;
    unsigned n_waits;
    const char *algorithm; /* for observers with `waits`: of a collective; NULL: it is none, or has none */
} MpiCallInfo;

/* A collective operation that is over on a rank, as observers see it. */
typedef struct MpiCollectiveInfo {
    uint32_t rank, thread; /* who called it */
    const char *name, *algorithm;
    uint32_t context; /* as in MpiMessageInfo: its messages have this one, and negative tags */
    uint64_t number;  /* it is the number-th collective of the communicator, from 1 on */
    uint64_t from_ps, to_ps;
} MpiCollectiveInfo;
/* Whether the call is a blocking collective operation on MPI_COMM_WORLD: one at which all of its ranks meet. */
bool mpi_world_meets(const MpiCallInfo *call);

/* An access to a window whose data have arrived, at the target or, if the origin gets some, there. */
typedef struct MpiAccessInfo {
    uint32_t origin, target; /* world ranks */
    const char *name;        /* "put", "get", "accumulate", "fetch", "swap" */
    uint32_t context;        /* of the window's communicator, see MpiMessageInfo */
    uint64_t bytes;
    uint64_t from_ps, to_ps; /* the network got the data; they arrived */
} MpiAccessInfo;

/* -- records -----------------------------------------------------------------------------------

   Calls and messages as records of words, which an observer gets faster than by being told (MpiObserver.feed). Word 0
   of all: the sort in the lowest byte, where those from MPI_RECORDS on are the observer's own; the number of arguments
   in the next one; from bit 32 on the rank. Times are in ps. */

typedef enum MpiRecord {
    /* to, from, overhead, program (VcodeModule *), pc, name (const char *); then arguments */
    MPI_RECORD_CALL,
    /* A call on its short way, by a rank that has called before from the same program. Word 0 has the row of
     * mpi_functions() from bit 16 on. To, from, overhead | pc << 32; then arguments. */
    MPI_RECORD_PLAIN,
    /* A message to the rank: delivered, sent, id, sender | tag << 32, context, bytes */
    MPI_RECORD_MESSAGE,
    MPI_RECORDS
} MpiRecord;

enum { /* words in front of the arguments; most arguments */
       MPI_RECORD_CALL_WORDS = 7,
       MPI_RECORD_PLAIN_WORDS = 4,
       MPI_RECORD_MESSAGE_WORDS = 7,
       MPI_RECORD_ARGUMENTS = 24
};

static inline uint64_t mpi_record_head(unsigned sort, unsigned n, uint32_t rank)
{
    return (uint64_t)rank << 32 | (uint64_t)n << 8 | sort;
}
static inline uint64_t mpi_record_pair(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

/* Put a record into the feed; `rank` and `sender` are for word 0 and 4. O(arguments) */
static inline void mpi_record_call(BaseFeed *feed, const MpiCallInfo *call, const VcodeModule *program, uint32_t rank)
{
    unsigned n = MIN(call->n, (unsigned)MPI_RECORD_ARGUMENTS);
    uint64_t *record = base_feed_room(feed);
    feed->at = record + MPI_RECORD_CALL_WORDS + n;
    record[0] = mpi_record_head(MPI_RECORD_CALL, n, rank);
    record[1] = call->to_ps;
    record[2] = call->from_ps;
    record[3] = call->overhead_ps;
    record[4] = (uint64_t)(uintptr_t)program;
    record[5] = call->pc;
    record[6] = (uint64_t)(uintptr_t)call->name;
    base_feed_copy(record + MPI_RECORD_CALL_WORDS, call->args, n);
}
static inline void mpi_record_message(BaseFeed *feed, const MpiMessageInfo *message, uint32_t rank, uint32_t sender)
{
    uint64_t *record = base_feed_room(feed);
    feed->at = record + MPI_RECORD_MESSAGE_WORDS;
    record[0] = mpi_record_head(MPI_RECORD_MESSAGE, 0, rank);
    record[1] = message->delivered_ps;
    record[2] = message->sent_ps;
    record[3] = message->id;
    record[4] = mpi_record_pair(sender, (uint32_t)message->tag);
    record[5] = message->context;
    record[6] = message->bytes;
}

/* -- events, as debuggers stop at them ----------------------------------------------------------- */

typedef enum MpiEventSort {
    MPI_EVENT_SENT,    /* a call has made the message */
    MPI_EVENT_ARRIVED, /* its envelope has come to the receiver's queues */
    MPI_EVENT_MATCHED, /* a receive and the message have found each other */
    MPI_EVENT_ERROR,   /* a call raises an error, which its handler gets */
    MPI_EVENT_FOUND,   /* a check has found something; the report may come later */
} MpiEventSort;
typedef struct MpiEvent {
    MpiEventSort sort;
    uint32_t rank;            /* where it happens: sender, receiver, who made the call */
    uint64_t id, bytes;       /* of a message: its number, its payload */
    uint32_t from, to;        /* ranks of the world */
    int tag;                  /* as the program gave it, unless `collective` */
    bool collective;          /* it is a step of a collective operation */
    bool rendezvous;          /* its data wait for the receive */
    uint32_t context;         /* as in MpiMessageInfo */
    uint32_t pc, received_pc; /* where it was sent, or where the call is; MATCHED: where the receive was made */
    const char *call;         /* MATCHED: who made the receive; ERROR: the call */
    const char *word;         /* ERROR: "MPI_ERR_RANK"; FOUND: name of the check */
    const char *text;         /* FOUND: what */
} MpiEvent;
/* Appends the name of the communicator that has this context, as the rank knows it. */
void mpi_world_append_comm(const MpiWorld *world, uint32_t rank, uint32_t context, GString *out);

/* -- observers --------------------------------------------------------------------------------- */

/* Callbacks of an observer. Each may be NULL. Who has neither `activity` nor `transfer` does not slow down what he does
 * not ask for. */
typedef struct MpiObserver {
    void *user;
    /* A rank did something from from_ps to to_ps. `call` is the name of the MPI function, or NULL for computing. */
    void (*activity)(void *user, uint32_t rank, MpiActivity activity, uint64_t from_ps, uint64_t to_ps,
                     const char *call);
    /* A message has been delivered. */
    void (*message)(void *user, const MpiMessageInfo *message);
    /* A transfer has reached a stage. */
    void (*transfer)(void *user, MpiTransferStage stage, const MpiTransfer *transfer);
    /* A call is over; `program` is the one that made it, which call->pc is in. Calls that only look at what the rank
     * knows, and take no time, are not told, but for MPI_Pcontrol. */
    void (*call)(void *user, const MpiCallInfo *call, const VcodeModule *program);
    bool waits; /* call() is told why calls wait */
    /* A collective operation is over on a rank; told before its call. */
    void (*collective)(void *user, const MpiCollectiveInfo *collective);
    /* A thread of the rank calls MPI_Pcontrol. May be called on any thread of the host, at most one for each rank. */
    void (*control)(void *user, uint32_t rank, int level);
    void (*access)(void *user, const MpiAccessInfo *access);
    /* What happens to messages one by one, errors, findings; FOUND and errors of LOCAL calls on the rank's thread. */
    void (*event)(void *user, const MpiEvent *event);
    /* For observers without `waits`: there, messages between ranks below `fed`, and calls of these on their short ways,
     * are put as records (MpiRecord) instead of being told, in the same order. The first call of each rank is told, and
     * says which program the others are of. NULL: all are told. */
    BaseFeed *feed;
    uint32_t fed;
} MpiObserver;

/* Makes a world with so many ranks. The caller frees it with mpi_world_free(). */
MpiWorld *mpi_world_new(uint32_t ranks, const MpiParams *params, const MpiEnv *env);
void mpi_world_free(MpiWorld *world);
/* Sets the observer that is told about the activities of ranks and about messages. It replaces the observer set
 * before. Must be called before the first MPI call. */
void mpi_world_observe(MpiWorld *world, const MpiObserver *observer);
/* Returns the MPI functions (MPI_ and PMPI_ names) as externs for vm_image_new(). The world owns them. */
const VmExtern *mpi_world_externs(MpiWorld *world, size_t *count);
/* Returns how many receives of a rank wait for messages, and how many messages for receives. O(1). */
void mpi_world_queues(const MpiWorld *world, uint32_t rank, uint32_t *posted, uint32_t *unexpected);
/* Makes `n` more ranks, with the next numbers, and returns the first. No more than MpiEnv.newcomers in all. */
uint32_t mpi_world_add(MpiWorld *world, uint32_t n);
/* Binds a started process to its rank. */
void mpi_world_attach(MpiWorld *world, uint32_t rank, VmRank *process);

typedef enum MpiOutcome {
    MPI_OUTCOME_DONE,    /* the call is complete: vm_rank_complete() was called and the clock set; run the rank */
    MPI_OUTCOME_BLOCKED, /* the rank waits; MpiEnv.wake will be called when it can go on */
    MPI_OUTCOME_UPCALL,  /* the call needs simulated code to run first; run the rank */
    MPI_OUTCOME_FAULT,   /* an MPI error was not handled; vm_rank_fault_info() describes it */
    MPI_OUTCOME_ABORT,   /* the program called MPI_Abort; end everything, see mpi_world_abort_code() */
} MpiOutcome;

/* Who handles what arrives of this sort: never automatic. */
MpiProgress mpi_world_progress(const MpiWorld *world, MpiProgressSort sort);
/* A rank has several threads from the first call of this function on. Those that follow, up to the next one, concern
 * the thread of this number, whose wake-ups are asked for by the number `task` (MpiEnv.wake). The rank is at a request.
 */
void mpi_world_select(MpiWorld *world, uint32_t rank, uint32_t thread, uint32_t task);
/* Executes a GLOBAL call. The rank has stopped with VM_STOP_REQUEST at now_ps of its own clock. */
MpiOutcome mpi_world_call(MpiWorld *world, uint32_t rank, uint64_t now_ps);
/* Goes on with a call. The rank has stopped with VM_STOP_UPCALL_DONE. */
MpiOutcome mpi_world_upcall_done(MpiWorld *world, uint32_t rank);
/* Goes on with a rank whose wake-up is due at time_ps. */
MpiOutcome mpi_world_resume(MpiWorld *world, uint32_t rank, uint64_t time_ps);
/* The last byte of a transfer has left the sender or has arrived. */
void mpi_world_sent(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
void mpi_world_delivered(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
/* What is delivered next had come at came_ps, but the rank that gets it had no core until then. Only for explanations.
 */
void mpi_world_kept(MpiWorld *world, uint64_t came_ps);
/* The time requested with MpiEnv.alarm has come. */
void mpi_world_alarm(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
/* The communication thread that MpiEnv.begin_work() was asked for has a core. Returns the time until which it works. */
uint64_t mpi_world_work(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
/* The access to storage that MpiEnv.storage has started is over. */
void mpi_world_stored(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
/* The process has ended: it returned from main, called exit, or had a fault. Reports what it left behind. */
void mpi_world_exited(MpiWorld *world, uint32_t rank);
/* The process has failed: it makes no calls any more, and none of its calls goes on. mpi_world_failure_known() follows
 * at the time when others know it. */
void mpi_world_failed(MpiWorld *world, uint32_t rank);
void mpi_world_failure_known(MpiWorld *world, uint32_t rank, uint64_t time_ps);
/* Whether the process of the rank may not end yet without being a failed one: it has called MPI_Init and not
 * MPI_Finalize. */
bool mpi_world_deserted(const MpiWorld *world, uint32_t rank);
/* Nothing can happen any more, but ranks wait. Returns true if that ends a wait with an error which the program
 * handles: for a process that has ended without MPI_Finalize, or for one that accepts a connection. */
bool mpi_world_relent(MpiWorld *world, uint64_t time_ps);
/* Returns a table by rank of the processes that MPI_Abort on this rank ends; the caller frees it. NULL: all. */
uint8_t *mpi_world_connected(const MpiWorld *world, uint32_t rank);
/* Returns the error code that the program passed to MPI_Abort. */
int mpi_world_abort_code(const MpiWorld *world);
/* Adds a finding of a lower layer about a rank, as mpi_finding_add() does. May be called from any thread. */
void mpi_world_note(MpiWorld *world, uint32_t rank, MpiCheck check, uint64_t time_ps, const char *what,
                    const char *detail, const char *fix);
/* Returns the findings up to a virtual time, in the order of their first ranks. `finished` says that the run came to
 * its end. They are valid until the next call. */
const MpiFinding *mpi_world_findings(MpiWorld *world, bool finished, uint64_t until_ps, size_t *count);

/* Fast path. These functions prefetch memory when a message will be delivered soon or a rank will be called. The
 * caller calls them first with `begun` false, and some hundred nanoseconds later with `begun` true. With `begun` true,
 * mpi_world_fetch_message() returns the receiver of the message. */
uint32_t mpi_world_fetch_message(uint64_t cookie, bool begun);
void mpi_world_fetch(const MpiWorld *world, uint32_t rank, bool begun);

/* Returns the transfer that a cookie stands for, without its times. The transfer must still be on its way. */
MpiTransfer mpi_world_transfer(uint64_t cookie);

/* Returns how many of the rank's last calls were polls (MPI_Test, MPI_Iprobe and the like) that found nothing, while
 * nothing arrived that they could have found. Another call with the same arguments will find nothing until
 * MpiEnv.touch is called. */
uint32_t mpi_world_idle_polls(const MpiWorld *world, uint32_t rank);
/* The last such call was repeated `times` times; each took overhead_ps. */
void mpi_world_repeat_poll(MpiWorld *world, uint32_t rank, uint64_t times, uint64_t overhead_ps);
/* The rank has slept for `ps`. Its statistics count this time as blocked. */
void mpi_world_slept(MpiWorld *world, uint32_t rank, uint64_t ps);
/* Returns the number of messages made so far by all ranks. */
uint64_t mpi_world_messages(const MpiWorld *world);
/* Counts the messages that are sent and not yet received. `bytes` is the part of their payload that is stored outside
 * the memory of the ranks. */
void mpi_world_buffered(const MpiWorld *world, uint64_t *messages, uint64_t *bytes);
/* Counts the messages that have arrived at a rank and that it has not received. O(messages). */
void mpi_world_unreceived(const MpiWorld *world, uint32_t rank, uint64_t *messages, uint64_t *bytes);

/* Statistics of one rank. */
typedef struct MpiRankStats {
    uint64_t overhead_ps, blocked_ps;
    uint64_t messages_sent, bytes_sent; /* user and collective messages, payload bytes */
    uint64_t messages_received, bytes_received;
    uint64_t calls;                     /* number of calls, including LOCAL ones */
    uint64_t bytes_read, bytes_written; /* bytes that came from files and went to files */
    uint64_t file_ps;                   /* time between the beginning and the end of calls that access files */
    uint64_t puts, bytes_put;           /* accesses to windows that the rank has made, and what they moved */
    uint64_t gets, bytes_got;
    uint64_t accumulates,
        bytes_accumulated;        /* MPI_Accumulate and its relatives: bytes of the target that they change */
    uint64_t window_ps;           /* time spent waiting in calls that synchronise windows */
    uint64_t sends_held, held_ps; /* sends that had to wait for room in buffers; for how long in all */
    uint64_t controls_sent;       /* control messages of protocols, but for those of an unlimited eager one */
    uint64_t registrations;       /* regions of memory that had to be registered */
    uint64_t thread_ps;           /* what the communication thread has worked for the rank */
} MpiRankStats;
const MpiRankStats *mpi_world_stats(const MpiWorld *world, uint32_t rank);

/* The queues of a rank: receives that wait for their message, and messages that wait for a receive. */
typedef enum MpiQueue { MPI_QUEUE_POSTED, MPI_QUEUE_UNEXPECTED, MPI_QUEUES } MpiQueue;
typedef struct MpiQueueStats {
    uint64_t longest;  /* most elements at a time */
    uint64_t searches; /* searches; the following are sums over all of them */
    uint64_t lengths;  /* elements that were in the queue */
    uint64_t elements; /* elements that were looked at */
} MpiQueueStats;
/* Lets queues be counted, which they are anyway where queue_element_ps is not 0. Must be called before ranks run. */
void mpi_world_watch_queues(MpiWorld *world);
/* Returns what was counted of a queue: zeros if nobody asked. */
const MpiQueueStats *mpi_world_queue(const MpiWorld *world, uint32_t rank, MpiQueue queue);

/* Returns what the rank is doing in MPI now ("MPI_Recv from 3, tag 7, MPI_COMM_WORLD"), or NULL. The caller frees the
 * text with g_free(). */
char *mpi_world_describe(const MpiWorld *world, uint32_t rank);
/* The same for one thread of a rank. */
char *mpi_world_describe_thread(const MpiWorld *world, uint32_t rank, uint32_t thread);
/* Lists the rank's objects of a sort that mpi_world_lists() names, one a line. Returns false if there is no such sort.
 */
bool mpi_world_list(const MpiWorld *world, uint32_t rank, const char *sort, GString *out);
/* Returns the sorts of objects, NULL-terminated. */
const char *const *mpi_world_lists(void);
/* Appends what a handle of a rank stands for: "MPI_COMM_WORLD, rank 3 of 16", "MPI_INT", where a request was made and
 * what it waits for. `whole`: datatypes are drawn as layouts, over several lines. Returns false if the number is no
 * handle. */
bool mpi_world_describe_handle(const MpiWorld *world, uint32_t rank, uint64_t handle, bool whole, GString *out);
/* Returns the text that mpi.h gives a predefined handle or one of the special ranks and tags: "((MPI_Comm)0x...)".
 * NULL: no such constant. The caller frees the text with g_free(). */
char *mpi_handle_constant(const char *name);
/* Appends the ranks (uint32_t, of the world) of a communicator's group, in its order. Returns false if the handle of
 * the rank is no communicator, or if the rank has not called MPI_Init. */
bool mpi_world_comm_ranks(const MpiWorld *world, uint32_t rank, uint64_t handle, GArray *ranks);
/* Returns the handle of the communicator of a rank that has this name; 0: none. */
uint64_t mpi_world_find_comm(const MpiWorld *world, uint32_t rank, const char *name);
/* What waits in queues, as the debugger shows it. */
typedef enum MpiQueuedSort { MPI_QUEUED_POSTED, MPI_QUEUED_UNEXPECTED, MPI_QUEUED_UNDER_WAY } MpiQueuedSort;
typedef struct MpiQueued {
    MpiQueuedSort sort;
    uint32_t rank; /* whose queue it is in, or to whom it goes */
    uint32_t from; /* rank of the world; of a receive from any source: UINT32_MAX */
    int tag;
    bool any_tag; /* of a receive */
    uint64_t bytes, order;
    uint64_t id;       /* of a message: its number in the network (MpiMessageInfo.id) */
    uint64_t since_ps; /* of a message: when it was given to the network; 0: it has not been */
    bool rendezvous;   /* its data come when the receive is there */
    bool claimed;      /* a matched probe has taken it */
    bool collective;   /* of a collective operation */
    char *comm, *call; /* name of the communicator; the call that made it, with its place */
} MpiQueued;
/* Returns the posted receives, unexpected messages and messages on their way of all ranks (MpiQueued), by rank, sort
 * and order. The caller frees the array with g_array_unref(). Like the two functions below, it may turn what the world
 * keeps in a short form into the long one: call them where that has no consequences, at the end or in a copy.
 * O(ranks + messages). */
GArray *mpi_world_queued(MpiWorld *world);
/* Appends why a rank cannot go on: what it waits for, who would have to act and where that rank is, and so on along the
 * chain of waits; where the chain leads nowhere, the cause and what mends it. Returns false if the rank does not
 * wait. */
bool mpi_world_why(MpiWorld *world, uint32_t rank, GString *out);
/* Appends what each blocked rank waits for, ranks with the same wait together, and the cycles. Returns false if no rank
 * waits. */
bool mpi_world_waits_for(MpiWorld *world, GString *out);
/* Explains a state in which nothing can move any more. For each blocked rank it gives source line, call, peer, tag and
 * communicator. Then it gives the cycle of ranks that wait for each other, or names the rank that waits for an ended
 * rank. `in_network` says that the messages are stuck in the network. In that case the ranks are not at fault, and the
 * second part is left out. */
void mpi_world_explain_deadlock(MpiWorld *world, bool in_network, GString *out);

/* Whether the call that a rank is about to make is a poll, and the first one at its source location since the rank
 * last did something else. Needs MpiParams.explore. */
bool mpi_world_first_poll(const MpiWorld *world, uint32_t rank);
/* Tells the world that the rank waits in a loop: its last poll found nothing and changed nothing in the rank. So the
 * time at which the poll finds something does not matter. Returns true if the result of that poll was forced; later
 * ones will not be forced. */
bool mpi_world_waits(MpiWorld *world, uint32_t rank);
/* Returns the source locations of such loops. Each is a number that is the same in every run of the program. */
size_t mpi_world_waiting_places(const MpiWorld *world, const uint64_t **places);
/* Returns the source location of the poll if the alternative is that it finds nothing, and 0 otherwise. */
uint64_t mpi_world_alternative_place(const MpiWorld *world, size_t i, size_t alternative);
/* Completes the list of choices at the end of a run. Needs MpiParams.explore. The functions below then return the
 * choices that were made, in an order in which no choice depends on a later one, and the alternatives of each. */
void mpi_world_conclude(MpiWorld *world);
size_t mpi_world_choices(const MpiWorld *world);
MpiChoice mpi_world_choice(const MpiWorld *world, size_t i);
size_t mpi_world_alternatives(const MpiWorld *world, size_t i);
int64_t mpi_world_alternative(const MpiWorld *world, size_t i, size_t alternative);
/* Adds to `forced`, an array of MpiChoice, what has to be forced besides the alternative so that others keep their
 * places. */
void mpi_world_companions(const MpiWorld *world, size_t i, size_t alternative, GArray *forced);
/* Returns whether choice j depends directly on choice i < j. */
bool mpi_world_choice_after(const MpiWorld *world, size_t i, size_t j);
/* Appends for example "rank 0's MPI_Recv at sum.c:14 takes the message of rank 2 sent at sum.c:20". */
void mpi_world_describe_choice(const MpiWorld *world, size_t i, GString *out);
/* Appends where the rank is in the program, and in which call, if any: "at x.c:12 in MPI_Recv". */
void mpi_world_append_place(const MpiWorld *world, uint32_t rank, GString *out);
/* Stores the first choice of MpiParams.choices that could not be made as forced. Returns false if there is none. */
bool mpi_world_missed_choice(const MpiWorld *world, MpiChoice *choice);

/* A function of MPI, for `orrery mpi --list` and the linker's catalogue. */
typedef struct MpiFunctionInfo {
    const char *name;     /* "MPI_Send" */
    const char *standard; /* version of the standard that introduced it, "1.0" */
    bool local;           /* LOCAL or GLOBAL, see above */
} MpiFunctionInfo;
const MpiFunctionInfo *mpi_functions(size_t *count);
/* Returns the functions of the standard that are missing (absent.def). They are among the externs, but calling one is
 * a fault. */
const MpiFunctionInfo *mpi_functions_absent(size_t *count);

/* What functions mean, for people (manual/). Returns what one does, for the caller to free, or NULL of a name that is
 * no function of MPI. `name` may begin with MPI_, PMPI_, MPIX_ or PMPIX_. Forms such as MPI_Isend or MPI_Send_c are
 * told from the text of the plain one. O(functions). */
char *mpi_manual_function(const char *name);
/* Returns what a parameter of a function means, static, or NULL if nothing is known. The parameter's name is that of
 * the standard; `function` is named as above. O(parameters). */
const char *mpi_manual_parameter(const char *function, const char *parameter);

#endif
