/* session.h - shared by the files of the session: the front end's side.
 *
 *   session.c   starting, asking, stops                  points_kept.c  breakpoints as the user knows them
 *   history.c   snapshots, going back                    going.c        steps and stops, for several ranks at once
 *   branches.c  variables that are changed: branches of history
 *   together.c  ranks that run ahead in copies
 */
#ifndef ORRERY_MONITOR_SESSION_SESSION_H
#define ORRERY_MONITOR_SESSION_SESSION_H

#include "monitor/debugger.h"
#include "monitor/session/engine.h"
#include "monitor/session/wire.h"

typedef struct MonSnapshot {
    int socket, process;
    uint64_t moment, latest_ps, printed;
    int64_t made_us;
    uint64_t bytes; /* memory of its own, about */
    bool pinned;    /* never thinned: the beginning */
} MonSnapshot;

typedef struct MonSeen {       /* a stop of a rank that was told while the engine had not come there yet */
    uint32_t breakpoint, rank; /* breakpoint 0: it has stepped there, past all of them */
    uint64_t count;
    bool alone; /* while the others stood */
} MonSeen;

struct MonSession {
    MonSessionOptions options;
    int engine;       /* socket; -1: none */
    int process;      /* the engine that was forked here; 0: none */
    int view;         /* socket of a copy to look at, in which ranks have run ahead; -1: the engine itself */
    gint interrupted; /* atomic */
    uint32_t ranks;
    GPtrArray *points; /* MonBreakpoint */
    unsigned next_number;
    GArray *snapshots; /* MonSnapshot, in the order of their moments */
    uint64_t printed;  /* output that was handed out */
    GArray *seen;      /* MonSeen */
    GPtrArray *passed, *logged, *lost;
    MonStop *last;  /* where the session stands; NULL: not started */
    bool between;   /* it stands behind the beginning of the statement `last->moment` */
    uint64_t count; /* statements of the rank there */
    uint64_t printed_here;
    GPtrArray *lines;      /* MonLine; the first one is what the program does by itself */
    unsigned line, number; /* the branch that the session is in; number of the last change */
};

typedef struct MonLine { /* a branch of history */
    MonBranch told;
    GArray *changes;  /* MonKeptChange: all that make it what it is, oldest first */
    uint64_t printed; /* output that was handed out */
} MonLine;

typedef struct MonKeptChange {
    MonChange change;
    uint64_t set_at; /* the moment at which the user stood */
} MonKeptChange;

typedef struct MonOrder { /* what GO says */
    MonMode mode;
    uint64_t until, time_ps;
    bool beyond; /* from that moment on to `until_where`, without a statement in between */
    bool keeps;
    const GArray *steps;       /* MonStep; NULL: nobody steps */
    unsigned goal;             /* MON_REACH: the breakpoint whose event there is wanted */
    const MonBreakpoint *only; /* MON_SCAN: stop at this one instead of those that there are */
    const char *until_where;   /* stop these ranks there, too; NULL: nowhere */
    GArray *until_ranks;
} MonOrder;

typedef struct MonHalt { /* what STOPPED says */
    MonStop stop;        /* ranks, passed and lost are NULL */
    bool between;
    uint64_t latest_ps, count, printed;
    GArray *hits; /* MonHit; NULL: none */
} MonHalt;

/* -- session.c --------------------------------------------------------------------------------- */

/* Sends a request to where it is looked at, or to `socket`, and receives its answer. Returns NULL with an error. */
GVariant *mon_session_request(MonSession *session, int socket, MonWireKind kind, GVariant *value, MonWireKind expected,
                              int *descriptor, GError **error);
/* Receives from a copy that FORKED told of, until a message of this kind comes. Returns its value; or NULL if the copy
 * has gone, or finds no end: then it is ended. */
GVariant *mon_session_await(MonSession *session, GVariant *forked, int socket, MonWireKind expected);
/* Sends GO, and handles what comes until it stops. Returns false with an error if the engine has gone. */
bool mon_session_run(MonSession *session, int socket, const MonOrder *order, MonHalt *halt, GError **error);
/* The two halves of that: several copies can run at a time. */
bool mon_session_begin_run(MonSession *session, int socket, const MonOrder *order, GError **error);
bool mon_session_end_run(MonSession *session, int socket, const MonOrder *order, MonHalt *halt, GError **error);
void mon_session_clear_halt(MonHalt *halt);
/* The socket of what is looked at. */
int mon_session_looked_at(const MonSession *session);
void mon_session_drop(int *socket);
/* mon_session_ask() of the process at the other end of a socket. */
bool mon_session_ask_at(MonSession *session, int socket, MonQuery query, const MonPlace *place, const char *argument,
                        GString *out, GError **error);
MonStop *mon_session_copy_stop(const MonStop *stop);

/* -- history.c --------------------------------------------------------------------------------- */

void mon_history_add(MonSession *session, GVariant *value, int socket);
void mon_history_clear(MonSession *session);
/* Drops the snapshots behind a moment: they belong to another branch. */
void mon_history_drop_behind(MonSession *session, uint64_t moment);
/* Returns the socket of a copy of the last snapshot of this branch, or of those that it comes from, at or before the
 * moment (`strictly`: before it); -1 with an error. *from: its moment. */
int mon_history_wake(MonSession *session, uint64_t moment, bool strictly, uint64_t *from, GError **error);
int mon_history_wake_before_time(MonSession *session, uint64_t time_ps, GError **error);
/* Make a copy the engine: at the moment of this hit (`only`: of a breakpoint that is none of the session's, or NULL),
 * or when the first rank's clock has come to a time. */
bool mon_history_go_to(MonSession *session, const MonHit *hit, const MonBreakpoint *only, MonHalt *halt,
                       GError **error);
bool mon_history_go_to_time(MonSession *session, uint64_t time_ps, MonHalt *halt, GError **error);
/* Finds the last stops of this kind before the present. *hits: MonHit, the last of them last; NULL: there is none. */
bool mon_history_find(MonSession *session, const MonOrder *what, GArray **hits, GError **error);

/* -- together.c -------------------------------------------------------------------------------- */

/* Finds which other ranks come to the breakpoint where the engine stands now; they go to stop->ranks. */
void mon_together_gather(MonSession *session, MonStop *stop);
/* Lets the ranks of the steps come to their ends, in a copy, others standing if `alone`. Those that come there are
 * noted, and appended to `ranks`; *breakpoint: where the first of them is, 0: none. Returns why others do not, "" if
 * all do, for g_free(); NULL with an error. */
char *mon_together_step(MonSession *session, const MonOrder *order, bool alone, GArray *ranks, unsigned *breakpoint,
                        GError **error);
void mon_together_sort(GArray *ranks);
/* Lets the engine come to where a rank has been seen ahead of it, if it has. Returns false with an error. */
bool mon_together_catch_up(MonSession *session, uint32_t rank, GError **error);

/* -- going.c ----------------------------------------------------------------------------------- */

/* Makes the copy that is looked at, in which ranks are where they have been seen. */
void mon_session_look_again(MonSession *session, MonReason reason);
/* Goes to a moment of this branch, by way of a snapshot. Returns NULL with an error. */
MonStop *mon_session_go_back_to(MonSession *session, uint64_t moment, GError **error);

/* -- branches.c -------------------------------------------------------------------------------- */

void mon_branches_begin(MonSession *session);
/* Sends the changes of the present branch. */
bool mon_branches_send(const MonSession *session, int socket);
/* Notes where the session stands. */
void mon_branches_note(MonSession *session, uint64_t moment);

/* -- points_kept.c ----------------------------------------------------------------------------- */

/* Asks the engine where it is. A watchpoint that has its spots keeps them. */
bool mon_kept_find(MonSession *session, MonBreakpoint *point, const char *condition, uint32_t frame, GError **error);
GVariant *mon_kept_pack(const MonSession *session, const MonOrder *order);
void mon_kept_note(MonSession *session, GVariant *counts, bool forward);
/* Describes all again, after a start; those that fit no more go to session->lost. */
void mon_kept_find_again(MonSession *session);
void mon_kept_free(void *breakpoint);

#endif
