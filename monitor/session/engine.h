/* engine.h - shared by the files of the engine: the process that has the machine.
 *
 *   engine.c   the process: machine, requests, the end of the run       hook.c      what happens before each statement
 *   points.c   breakpoints and watchpoints: where, and whether          places.c    lines and functions to instructions
 *   steps.c    steps, forwards and back                                 copies.c    snapshots and other forks
 *   ahead.c    ranks that run ahead, to stand with others               queries.c   answers
 *   changes.c  variables that the user has changed                      events.c    stops at what is no place
 *   watches.c  watchpoints                                              filters.c   which messages, faults, checks
 *
 * The engine waits in mon_engine_serve() for requests, mostly deep within mach_run(), in the hook: the run stands in
 * the middle of a piece of a rank and goes on when the hook returns.
 */
#ifndef ORRERY_MONITOR_SESSION_ENGINE_H
#define ORRERY_MONITOR_SESSION_ENGINE_H

#include "monitor/debug/debug.h"
#include "monitor/debugger.h"
#include "monitor/look.h"
#include "monitor/session/wire.h"

typedef enum MonMode {
    MON_FORWARD, /* to the next stop */
    MON_SCAN,    /* to a moment, noting stops on the way; then the process ends */
    MON_REACH,   /* to a moment */
} MonMode;

typedef enum MonFlag { /* of breakpoints */
                       MON_FLAG_TEMPORARY = 1,
                       MON_FLAG_LOG = 2,
                       MON_FLAG_WATCH = 4,
                       MON_FLAG_DISABLED = 8,
                       MON_FLAG_READS = 16,
                       MON_FLAG_WRITES = 32,
} MonFlag;

typedef enum MonStepKind {
    MON_STEP_NONE,
    MON_STEP_INTO,
    MON_STEP_OVER,
    MON_STEP_OUT,
    MON_STEP_PC,
    MON_STEP_FAR,   /* goes on until something else stops the rank */
    MON_STEP_COUNT, /* until it has begun so many statements */
} MonStepKind;

typedef struct MonStep { /* MON_STEP_TYPE */
    uint32_t kind, rank;
    uint64_t thread, depth, outer_depth; /* outer_depth: of the nearest caller in the program itself; 0: none */
    uint32_t line, file;
    uint64_t count; /* the step begins when the rank has begun so many statements */
} MonStep;

typedef struct MonStopPoint MonStopPoint;
typedef struct MonWatchFrame {    /* a call of a function */
    uint64_t depth;               /* 0: none */
    uint32_t function, return_pc; /* return_pc: VCODE_NONE for the outermost */
} MonWatchFrame;
typedef struct MonWatchSpot { /* MON_SPOT_TYPE */
    uint32_t rank;
    uint64_t address, bytes; /* 0 bytes: the value of the expression */
    uint64_t thread;
    char *type;                 /* of an element of the memory; "": none that has a name */
    MonWatchFrame owner, scope; /* the frame that it ends with; the one in which names are meant */
    MonStopPoint *point;
    GArray *areas;    /* MonArea: the memory that is watched */
    uint8_t *before;  /* the watched bytes as they were */
    char *value;      /* the value as it was */
    bool touched;     /* written since the last statement */
    bool alive, gone; /* its frame is there; it has been, and has ended */
    const char *by;   /* the function of the library that wrote it; NULL: the rank's own code */
} MonWatchSpot;

typedef struct MonFilter MonFilter; /* which messages, faults, errors, findings a breakpoint stops at */

struct MonStopPoint { /* a breakpoint in the engine */
    unsigned number;
    MonPointKind kind;
    char *where, *condition, *message;
    MonFilter *filter;   /* NULL: none is needed */
    char *unread;        /* why the condition could not be evaluated the last time; NULL: it could */
    MonExpression *read; /* the condition, for the place where it was met last; NULL: it was not yet */
    GPtrArray *modules;  /* VcodeModule: those that have places ... */
    GPtrArray *places;   /* ... and these: GArray of uint32_t, instructions */
    GArray *ranks;       /* uint32_t; NULL: all */
    GArray *seen;        /* uint64_t by rank: stops up to that many statements have been told; NULL: none */
    uint64_t ignore, hits;
    uint32_t flags;
    GPtrArray *spots; /* MonWatchSpot; NULL: it is no watchpoint */
    bool gone;        /* what it watched is no more */
};

typedef struct MonPending { /* something that has happened, told when the next statement begins */
    unsigned number;        /* of the breakpoint */
    uint32_t rank;
    char *text;
} MonPending;

typedef struct MonReceived {  /* the last message that a rank has received */
    uint64_t id, sent_moment; /* 0: none. The moment at which the statement that sent it began */
    uint32_t from;
} MonReceived;

/* What stands at an instruction, a byte for each. */
enum { MON_MARK_STOP = 1, MON_MARK_LIBRARY = 2, MON_MARK_STATEMENT = 4 };

struct MonEngine {
    int socket;
    const MonSessionOptions *options;
    Machine *machine;
    MonDebugger *debugger;
    MonTracker *tracker; /* where messages are in the network; NULL: the model does not tell */
    uint64_t input_at;

    /* where it is */
    uint64_t moment, latest_ps;
    uint64_t *counts; /* statements begun, by rank */
    uint64_t *depths; /* by rank: depth at its last statement in the program itself */
    uint32_t *pcs;    /* by rank: that statement */
    uint64_t *begun;  /* by rank: the moment of its last statement */
    uint64_t *clocks; /* by rank: its clock there */
    bool between;     /* the last stop was before an instruction that starts no statement */
    bool ended;       /* mach_run() has returned */
    MachStop end;
    bool standing; /* mach_run_stand() is in effect */

    /* what to do */
    MonMode mode;
    uint64_t until;       /* MON_SCAN, MON_REACH: that moment ... */
    bool beyond;          /* ... and then on to breakpoint 0, without a statement in between */
    uint64_t time_ps;     /* stop when a rank is there; 0: not */
    bool keeps;           /* makes snapshots */
    MonStep step;         /* the first of those that step; kind MON_STEP_NONE: nobody does */
    MonStep *steps;       /* by rank; NULL: nobody steps */
    unsigned goal;        /* MON_REACH: the breakpoint whose event at the moment is told */
    uint32_t shown;       /* the rank to look at, if that is not the one that the run stands at; else MON_NO_RANK */
    GArray *also;         /* unsigned: other breakpoints at this moment */
    GPtrArray *points;    /* MonStopPoint */
    GArray *pending;      /* MonPending */
    GPtrArray **watching; /* by rank: MonWatchSpot; NULL: nothing is watched */
    bool framed, touched; /* some of them need a frame; some have been written since the last statement */
    char *goal_text;      /* MON_REACH: what was told there */
    bool has_starts, has_times; /* there are such breakpoints */
    GHashTable *sent;           /* number of a message -> the moment at which the statement that sent it began */
    MonReceived *received;      /* by rank */
    GHashTable *marks;          /* VcodeModule -> bytes by instruction */
    uint8_t **marked;           /* by rank */
    GHashTable *extra;          /* VcodeModule -> bits of statements and other places; NULL: there are no others */
    uint64_t *all_bits;         /* for steps by instruction */
    bool fine;                  /* the hook is asked before other instructions, too */
    GArray *hits;               /* MonHit: of a scan */
    uint64_t hits_made;

    /* what the user has changed */
    GArray *changes;    /* MonChange: those that are still to be made */
    GArray *changed;    /* unsigned: numbers of those that have been made */
    uint64_t change_at; /* the moment of the next one; 0: all statements are looked at; UINT64_MAX: there is none */

    /* output */
    uint64_t printed, told; /* bytes since the start; of these, those that have been handed out */

    /* looking at the host */
    uint64_t attention; /* the next moment at which it looks */
    int64_t due_us;     /* when the next snapshot is due */
    uint64_t due_moment;
    uint32_t ahead_point;    /* in a copy: ranks that run ahead stop at this breakpoint (0: none) ... */
    uint64_t *ahead_counts;  /* ... or at so many statements, by rank; 0: not there */
    uint32_t ahead_wanted;   /* so many ranks have not come to these */
    uint64_t ahead_left;     /* ends when so many statements have begun */
    GArray *ahead_reached;   /* MonReached: who has come where */
    bool ahead, ahead_looks; /* it is such a copy; one to look at, when those that were wanted have come */
    bool ahead_alone;        /* those that nothing is wanted of stand */
};

typedef struct MonChange { /* MON_CHANGE_TYPE */
    unsigned number;
    bool by_rank; /* made when the rank begins its statement `at`; else when moment `at` is reached */
    uint64_t at;
    MonPlace place;
    char *assignment;
} MonChange;

typedef struct MonHit {
    uint64_t moment;
    uint32_t breakpoint, rank; /* breakpoint 0: a step */
    uint64_t count;
    uint32_t pc; /* if this instruction starts no statement, but comes after it; else VCODE_NONE */
} MonHit;

/* -- engine.c ---------------------------------------------------------------------------------- */

/* Begins the process: makes the machine and waits for requests. Does not return. */
void mon_engine_begin(int socket, const MonSessionOptions *options) G_GNUC_NORETURN;
/* Tells why the run stands, and waits until it shall go on. `rank`: the one that is at a statement; MON_NO_RANK: the
 * run has not begun, or is over. */
void mon_engine_stop(MonEngine *engine, MonReason reason, uint32_t rank, unsigned breakpoint, const char *text);
/* Takes what is to be done (MON_ORDER_TYPE). */
void mon_engine_take_order(MonEngine *engine, GVariant *value);
/* Waits for requests, until one of them is GO. */
void mon_engine_serve(MonEngine *engine);
void mon_engine_leave(void) G_GNUC_NORETURN;
/* Sends a message to the session, and ends the process if that has gone. */
void mon_engine_send(const MonEngine *engine, MonWireKind kind, GVariant *value, int descriptor);
void mon_engine_fail(const MonEngine *engine, const GError *error);

/* -- hook.c ------------------------------------------------------------------------------------ */

bool mon_engine_hook(VmRank *vm, uint32_t pc, void *engine);
/* Notes a stop for the way back. */
void mon_hook_note_hit(MonEngine *engine, uint32_t rank, uint32_t pc, unsigned breakpoint);
/* Tells that a rank has come to a breakpoint that does not stop the run now. */
void mon_hook_tell_passed(MonEngine *engine, uint32_t rank, const MonStopPoint *point, const char *why);
/* Whether stops of this rank end the run now: no other rank steps. */
bool mon_hook_belongs(const MonEngine *engine, uint32_t rank);
/* Finds what is marked in the program of a rank. Does nothing for one that has not begun, or has ended. */
void mon_hook_meet(MonEngine *engine, uint32_t rank);

/* -- places.c ---------------------------------------------------------------------------------- */

/* Appends the instructions at FILE:LINE, LINE, a function, a function of MPI, or *ADDRESS. Returns whether some stand
 * at no start of a statement. */
bool mon_places_find(Machine *machine, const VcodeModule *module, const char *where, GArray *places);
/* Describes a place of a module: "a.c:12 (line 11 has no code)". */
void mon_places_describe(const VcodeModule *module, const char *where, const GArray *places, GString *out);
/* Sets the error that there is no such place, with what is near. */
void mon_places_refuse(Machine *machine, const char *where, GError **error);
bool mon_places_in_library(const VcodeModule *module, uint32_t pc);

/* -- points.c ---------------------------------------------------------------------------------- */

void mon_points_take(MonEngine *engine, GVariant *points, GVariant *seen);
/* The bytes by instruction of a rank's program. */
uint8_t *mon_points_marks(MonEngine *engine, const VcodeModule *module);
/* Returns the breakpoint that stops the rank at this instruction, or NULL. */
MonStopPoint *mon_points_at(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc);
/* The same without counting, for ranks that run ahead. */
bool mon_points_would_stop(MonEngine *engine, unsigned number, uint32_t rank, VmRank *vm, uint32_t pc);
/* Returns the ranks (uint32_t) of a message, for g_array_unref(); NULL: there are none. */
GArray *mon_points_ranks(GVariant *ranks);
/* Counts that it was come to. Returns whether it stops, or is told. */
bool mon_points_count(MonEngine *engine, MonStopPoint *point);
/* Whether the breakpoint is for this rank, and its condition holds there. */
bool mon_points_concern(MonEngine *engine, MonStopPoint *point, uint32_t rank);
MonStopPoint *mon_points_find(const MonEngine *engine, unsigned number);

/* -- watches.c --------------------------------------------------------------------------------- */

/* Finds what a watchpoint on an expression watches, of these ranks, or of this one if there are none; `frame` is that
 * of the rank. Returns a GPtrArray of MonWatchSpot; NULL with an error. */
GPtrArray *mon_watches_find(MonEngine *engine, uint32_t rank, uint32_t frame, const char *text, const GArray *ranks,
                            GError **error);
void mon_watches_describe(const GPtrArray *spots, const char *text, uint32_t flags, GString *out);
GVariant *mon_watches_pack(const GPtrArray *spots);
GPtrArray *mon_watches_unpack(GVariant *value);
/* Begin and end to watch what the points of the engine say. */
void mon_watches_begin(MonEngine *engine);
void mon_watches_end(MonEngine *engine);
/* Before a statement: looks what has been written, and whether frames have ended; goes to engine->pending. */
void mon_watches_look(MonEngine *engine, uint32_t rank, VmRank *vm);
/* The frame, as users count, in which conditions of a watchpoint on this spot are meant; UINT32_MAX: none. */
uint32_t mon_watches_frame(MonEngine *engine, const MonWatchSpot *spot);

/* -- filters.c --------------------------------------------------------------------------------- */

/* Reads what follows the word of a kind of breakpoints. Returns NULL with an error. */
MonFilter *mon_filter_new(const MonEngine *engine, MonPointKind kind, const char *text, GError **error);
void mon_filter_free(MonFilter *filter);
bool mon_filter_takes(const MonFilter *filter, const MonEngine *engine, const MpiEvent *event);
bool mon_filter_takes_signal(const MonFilter *filter, int signal);
uint64_t mon_filter_time(const MonFilter *filter);

/* -- events.c ---------------------------------------------------------------------------------- */

/* Listens to the machine; before the first run. */
void mon_events_begin(MonEngine *engine);
/* Notes something for the next statement. Takes the text. */
void mon_events_add(MonEngine *engine, unsigned number, uint32_t rank, char *text);
void mon_events_clear(MonEngine *engine);
/* Before a statement: tells what has happened since the last one. Returns whether the run has stood for that. */
bool mon_events_tell(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc);
/* When the run is over: finds the breakpoint that stops there; NULL: none. *text is what happened, for g_free(). */
MonStopPoint *mon_events_end(MonEngine *engine, uint32_t *rank, char **text);
/* Appends what a log point says, or nothing. */
void mon_events_log(MonEngine *engine, const MonStopPoint *point, uint32_t rank, GString *out);

/* -- steps.c ----------------------------------------------------------------------------------- */

/* Where a step of the thread that is looked at begins. Returns false if the rank has ended. */
bool mon_steps_from(MonEngine *engine, uint32_t rank, uint32_t kind, MonStep *step);
GVariant *mon_steps_pack(const MonStep *step);
void mon_steps_unpack(GVariant *value, MonStep *step);
/* Whether this step of the rank ends before this instruction. *over: the thread that has ended instead. */
bool mon_steps_end(MonEngine *engine, const MonStep *step, VmRank *vm, uint32_t pc, uint64_t *over);
/* The step of the rank, or NULL. */
static inline const MonStep *mon_steps_of(const MonEngine *engine, uint32_t rank)
{
    return engine->steps && engine->steps[rank].kind ? &engine->steps[rank] : NULL;
}
/* Whether a step backwards could end before this statement. To be called before mon_steps_note(). */
bool mon_steps_could_begin(MonEngine *engine, VmRank *vm, uint32_t pc);
/* Notes the last statement of the rank in the program itself. */
void mon_steps_note(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc);

/* -- changes.c --------------------------------------------------------------------------------- */

void mon_changes_begin(MonEngine *engine);
/* Takes the list of all changes; those that this process has made are not made again. */
void mon_changes_take(MonEngine *engine, GVariant *value);
/* Makes those that are due, before a statement of the rank. */
void mon_changes_make(MonEngine *engine, uint32_t rank);
/* Makes one now, "NUMBER ASSIGNMENT", and appends the value. Returns false with an error. */
bool mon_changes_try(MonEngine *engine, const MonPlace *place, const char *text, GString *out, GError **error);

/* -- copies.c ---------------------------------------------------------------------------------- */

/* Makes a snapshot, if the process can be forked. Returns false in the engine, at once; and true in copies of the
 * snapshot, when they have been told where to go. */
bool mon_copies_keep(MonEngine *engine);
/* Forks. In the copy, which has a socket of its own, it returns 0; in the engine the number of the process, and the
 * session has been sent the socket in a message FORKED; -1: it failed, and the session has been told. */
int mon_copies_fork(MonEngine *engine);

/* -- ahead.c ----------------------------------------------------------------------------------- */

/* Prepare a copy. Then the hook returns true, and when mach_run() has returned, mon_ahead_run() does the rest. */
void mon_ahead_probe(MonEngine *engine, GVariant *value);
void mon_ahead_view(MonEngine *engine, GVariant *value);
void mon_ahead_run(MonEngine *engine) G_GNUC_NORETURN;
bool mon_ahead_hook(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc);

/* -- queries.c --------------------------------------------------------------------------------- */

bool mon_queries_answer(MonEngine *engine, MonQuery query, const MonPlace *place, const char *argument, GString *out,
                        GError **error);

#endif
