/* debugger.h - a debugging session: a program that runs, stops, steps, and goes back.
 *
 * The machine runs in a process of its own, the *engine*. Requests go to it over a socket and results come back as
 * structures: nothing here prints. From time to time the engine forks, and the copy sleeps: a *snapshot*. To go back, a
 * snapshot before the wanted place forks again, and that copy executes the same once more, up to the place. That is
 * exact, because the order in which everything happens is a function of program, input and machine. A place in history
 * is a *moment*: the number of statements, of all ranks together, that have begun. Stopping takes no part in that
 * order, so moments and virtual times are those of any other session, and of the run without a debugger.
 *
 * What has been printed once is not handed out again when it is executed again.
 *
 * The functions must be called on one thread. mon_session_start() forks, so no other thread may run then.
 */
#ifndef ORRERY_MONITOR_DEBUGGER_H
#define ORRERY_MONITOR_DEBUGGER_H

#include "machine/machine.h"

/* -- a session --------------------------------------------------------------------------------- */

typedef struct MonSession MonSession;
typedef struct MonEngine MonEngine; /* the other side, which has the machine */

typedef struct MonSessionOptions {
    /* Makes the machine, in the engine's process, each time that the program starts. It must call mon_engine_prepare()
     * on the options that it gives to mach_run_new(). Returns NULL with an error. */
    Machine *(*make)(void *user, MonEngine *engine, GError **error);
    /* What ranks print, in the order of virtual time. `rank` is MON_NO_RANK unless `by_rank`: then each call brings
     * whole lines of one rank. */
    void (*output)(void *user, uint32_t rank, int stream, const char *bytes, size_t size);
    /* Remarks of the simulator, and findings of checks. */
    void (*note)(void *user, const char *text);
    /* How far a run has come that takes long, while it looks for a finding; NULL: nobody wants to know. */
    void (*progress)(void *user, uint64_t moment, uint64_t time_ps);
    /* In the engine's process: what the machine was made of, for a checkpoint; NULL: there can be none. */
    GVariant *(*made_of)(void *user);
    /* While a run goes on: called when `incoming`, a descriptor, can be read (`ready`), and now and then besides. It
     * may call mon_session_interrupt(), and nothing else of the session. Returns whether it wants to be called again.
     * NULL: nobody waits. */
    bool (*waiting)(void *user, bool ready);
    int incoming;
    void *user; /* of all */
    bool by_rank;
    int input;              /* descriptor of a file that is the ranks' standard input; -1: it is empty */
    uint64_t history_bytes; /* about how much memory snapshots may take; 0: MON_HISTORY_BYTES */
    /* Another session that lives while this one starts for the first time; NULL: there is none. */
    const MonSession *beside;
    uint64_t snapshot_every; /* for tests: a snapshot after so many moments; 0: as host time passes */
} MonSessionOptions;
#define MON_HISTORY_BYTES ((uint64_t)1 << 30)
#define MON_NO_RANK       UINT32_MAX

/* Makes a session that has not started. `options` is copied. */
MonSession *mon_session_new(const MonSessionOptions *options);
void mon_session_free(MonSession *session);
/* Makes options fit for an engine: one thread of the host, no native code, output and input by way of the session. */
void mon_engine_prepare(MonEngine *engine, MachOptions *options);

/* Makes the machine anew and stands before the first statement, with the breakpoints set that there are. Breakpoints
 * that do not fit the program any more are told as stops are (MonStop.lost). Returns false with an error of make(). */
bool mon_session_start(MonSession *session, GError **error);
/* After the start: so much of what the program tells has been told before, and is not handed out again: bytes of
 * output, and 1 for each remark (mach_run_told()). */
void mon_session_heard(MonSession *session, uint64_t told);
/* From now on, going forwards stops where a check finds something, as MON_ARRIVED with the rank that it found it at and
 * what it is in `text`: before the statement in which the rank did it, if no other rank's has begun since; else before
 * the next statement of any rank. */
void mon_session_stop_at_findings(MonSession *session, bool stops);
/* Number of ranks now. */
uint32_t mon_session_ranks(const MonSession *session);
/* Asks a mon_session_go() that is running to stop soon. Safe on any thread, but not in a
 * signal handler. */
void mon_session_interrupt(MonSession *session);

/* -- breakpoints ------------------------------------------------------------------------------- */

/* What a breakpoint stops at: the rows of session/kinds.def. */
typedef enum MonPointKind {
#define MON_POINT_KIND(name, word, form, meaning) MON_POINT_##name,
#include "monitor/session/kinds.def"
} MonPointKind;
typedef struct MonPointKindInfo {
    const char *word, *form, *meaning;
} MonPointKindInfo;
/* Returns the row of a kind, or NULL if there is none such. */
const MonPointKindInfo *mon_point_kind(MonPointKind kind);

typedef struct MonBreakpoint {
    unsigned number;
    MonPointKind kind;
    char *where;     /* PLACE: FILE:LINE, LINE, FUNCTION, *ADDRESS (an instruction), or a function of MPI by its name;
                      * a watchpoint: its expression; else what kinds.def says */
    char *described; /* where that is: "a.c:12", "a.c:12 (line 11 has no code)"; NULL before the first start */
    GArray *ranks;   /* uint32_t, ascending: those that it stops, or whose memory it watches; NULL: all, or that of
                      * watch_rank */
    char *condition; /* stops only where this C expression is not 0; NULL: always */
    uint64_t ignore; /* how many more times it does not stop */
    uint64_t hits;
    bool each;      /* stops for each rank by itself, instead of once for all that come there */
    bool temporary; /* is gone after its first stop */
    bool disabled;
    bool watch; /* a watchpoint: `where` is an expression whose value is watched, of the rank and frame that were
                 * looked at when it was set; of other ranks in their innermost frame of the program */
    bool reads, writes; /* ... stops when that memory is read, or at any write; neither: when the value changes */
    uint32_t watch_rank;
    GArray *spots; /* what is watched; the session's own */
    bool log;      /* does not stop, but tells `where` it was passed (MonStop.passed) */
    char *message; /* of such a log point: text with {EXPRESSION}s instead; NULL: who came where */
} MonBreakpoint;

/* Sets a breakpoint or watchpoint. The engine must be there. All fields of `wanted` count but number, described and
 * hits; it is copied. Returns the number, or 0 with an error that says where it could be, or why its condition cannot
 * be read. `frame` is that of wanted->watch_rank in which a watchpoint's expression is meant. */
unsigned mon_session_break(MonSession *session, const MonBreakpoint *wanted, uint32_t frame, GError **error);
/* Returns the breakpoint, whose fields ignore, ranks, each, temporary, disabled, log and message may be changed; NULL:
 * there is none. Texts are replaced with g_free() and g_strdup(). */
MonBreakpoint *mon_session_breakpoint(MonSession *session, unsigned number);
/* Gives it a condition; NULL: none. Returns false with an error, which shows the place in the text, if there is no such
 * breakpoint or the condition cannot be read there. */
bool mon_session_condition(MonSession *session, unsigned number, const char *condition, GError **error);
bool mon_session_break_remove(MonSession *session, unsigned number);
/* MonBreakpoint, in the order of their numbers. The session owns it. */
const GPtrArray *mon_session_breakpoints(const MonSession *session);

/* Where something is asked or meant: thread 0 is the one that is looked at. */
typedef struct MonPlace {
    uint32_t rank, frame;
    uint64_t thread;
} MonPlace;

/* -- going on, and back ------------------------------------------------------------------------ */

typedef enum MonGoKind {
    MON_GO_CONTINUE,    /* to a breakpoint or watchpoint, or to the end (back: to the beginning) */
    MON_GO_STEP,        /* the rank to another line, into calls */
    MON_GO_NEXT,        /* ... over calls */
    MON_GO_FINISH,      /* out of the function; back: to the call of it */
    MON_GO_INSTRUCTION, /* one instruction of the rank; forwards only */
    MON_GO_UNTIL,       /* the rank to a place (`where`), or out of the function */
    MON_GO_ADVANCE,     /* the rank to a place (`where`), wherever its function ends */
    MON_GO_TIME,        /* all ranks to a virtual time, from either side */
    MON_GO_MOMENT,      /* to a moment, from either side */
} MonGoKind;

typedef struct MonGo {
    MonGoKind kind;
    bool backwards;
    uint32_t rank;     /* that steps: the thread of it that is looked at. The others go on as virtual time demands */
    GArray *ranks;     /* uint32_t: these step instead, each until its step ends; NULL: only `rank` */
    bool alone;        /* forwards: all others stand. CONTINUE: only `rank`, or these ranks, go on */
    const char *where; /* MON_GO_UNTIL, MON_GO_ADVANCE */
    uint64_t to;       /* MON_GO_TIME: picoseconds; MON_GO_MOMENT */
} MonGo;

typedef enum MonReason {
    MON_BEGINNING,   /* nothing has run yet; or nothing that was asked for lies before */
    MON_BREAKPOINT,  /* `ranks` are at breakpoint number `breakpoint` */
    MON_WATCHPOINT,  /* `text`: what was written, and by whom */
    MON_STEP,        /* the rank has stepped */
    MON_ARRIVED,     /* the time or moment is reached */
    MON_INTERRUPTED, /* mon_session_interrupt() */
    MON_ENDED,       /* the run is over: `end` and `text` say how */
} MonReason;

typedef struct MonStop {
    MonReason reason;
    uint32_t rank;       /* the one to look at */
    GArray *ranks;       /* uint32_t, ascending: all that stand there together, `rank` among them */
    unsigned breakpoint; /* 0: none */
    uint64_t moment, time_ps;
    uint64_t over; /* MON_STEP: id of the thread that has ended instead of coming to a line; 0: none has */
    MachStop end;  /* MON_ENDED */
    int exit_status;
    uint64_t makespan_ps;
    char *text;        /* "": nothing more to say; at other breakpoints than of places: what has happened */
    GArray *also;      /* unsigned: other breakpoints that stop at the same moment */
    GPtrArray *passed; /* char *: stops of other ranks and log points on the way, oldest first */
    GPtrArray *logged; /* char *: what log points with a text have said on the way, oldest first */
    GPtrArray *lost;   /* char *: breakpoints that are gone, and why */
} MonStop;

/* Goes on until the next stop. Returns NULL with an error if that cannot be asked for now (the rank has ended, `where`
 * is no place). Steps: stops of other ranks do not end them, but are told in `passed`. The caller frees the stop. */
MonStop *mon_session_go(MonSession *session, const MonGo *go, GError **error);
void mon_session_free_stop(MonStop *stop);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MonStop, mon_session_free_stop)

/* Goes back to the last time that the value of an expression changed, whoever wrote it. `place`: whose, and in which
 * frame names are meant. Returns NULL with an error; nothing has moved then. */
MonStop *mon_session_go_to_write(MonSession *session, const MonPlace *place, const char *expression, GError **error);
/* Goes back to the statement that sent the message that the rank has received last; the stop is at its sender. Returns
 * NULL with an error. */
MonStop *mon_session_go_to_sender(MonSession *session, uint32_t rank, GError **error);

/* -- looking ----------------------------------------------------------------------------------- */

/* A question about the machine as it stands: the rows of session/queries.def. */
typedef enum MonQuery {
#define MON_QUERY(name, meaning) MON_QUERY_##name,
#include "monitor/session/queries.def"
} MonQuery;
/* Asks, and appends the answer as text. Returns false with an error that is meant for the user. */
bool mon_session_ask(MonSession *session, MonQuery query, const MonPlace *place, const char *argument, GString *out,
                     GError **error);

/* -- history ---------------------------------------------------------------------------------- */

/* -- changing what happens: branches of history -------------------------------------------------- */

typedef struct MonBranch {
    unsigned number, parent;  /* branch 0 is what the program does by itself; its parent is 0 */
    uint64_t begins, reached; /* moments: where it leaves its parent; the latest where the session has stood in it */
    char *change;             /* what was changed first; NULL for branch 0 */
} MonBranch;

/* Evaluates an assignment in the frame, and appends the value. From here on history is another branch, unless one
 * begins here already: what is gone back to and on again has the change. Returns false with an error. */
bool mon_session_set(MonSession *session, const MonPlace *place, const char *assignment, GString *out, GError **error);
unsigned mon_session_branches(const MonSession *session); /* their number */
unsigned mon_session_branch(const MonSession *session);   /* the one in which the session is */
/* Tells about a branch. Its texts live until the next start. */
MonBranch mon_session_branch_of(const MonSession *session, unsigned number);
/* Goes to where another branch was left. Returns NULL with an error. */
MonStop *mon_session_switch(MonSession *session, unsigned number, GError **error);

/* -- checkpoints -------------------------------------------------------------------------------- */

/* Returns all that a new session needs to come to this moment again: branches, breakpoints, where it stands, a hash of
 * all ranks there; *made_of is what MonSessionOptions.made_of() says. The caller frees both with g_variant_unref().
 * Returns NULL with an error. */
GVariant *mon_session_save(MonSession *session, GVariant **made_of, GError **error);
extern const char mon_session_saved_type[]; /* its type */
/* In a session that has just started, of a machine made of the same: comes to that moment, by executing all again, and
 * makes breakpoints and branches as they were. Returns NULL with an error if what is saved makes no sense, or the ranks
 * are not as they were. */
MonStop *mon_session_restore(MonSession *session, GVariant *saved, GError **error);

typedef struct MonHistory { /* what is kept to go back */
    uint64_t moment;        /* where the session stands */
    uint64_t bytes, limit;  /* memory of snapshots, about; most that they may take */
    unsigned snapshots;
} MonHistory;
void mon_session_history(const MonSession *session, MonHistory *history);

#endif
