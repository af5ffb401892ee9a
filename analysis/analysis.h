/* analysis.h - what a trace says when it is put together: states of locations, messages with both calls, the critical
 * path.
 *
 *   states.c    what each location did at each time      messages.c  each message, the call that sent it, and the one
 *   run.c       both of a whole run, in memory                       that took it
 *   critical.c  the critical path                        slack.c     how much later everything else could be
 *
 * Traces tell events; these are told in the order in which things ended. Here are intervals without gaps, and pairs.
 * All times are virtual, in ps. Nothing depends on the host.
 */
#ifndef ORRERY_ANALYSIS_H
#define ORRERY_ANALYSIS_H

#include "trace/trace.h"

/* -- states of locations (states.c) ------------------------------------------------------------ */

typedef enum AnalysisState {
#define ANALYSIS_STATE(identifier, name, help) ANALYSIS_##identifier,
#include "analysis/states.def"
    ANALYSIS_STATES
} AnalysisState;

/* Returns the name of a state: "computing". */
const char *analysis_state_name(AnalysisState state);

enum { ANALYSIS_NOBODY = UINT32_MAX }; /* no peer */

/* What a location does for some time. Texts stay while the reader does. */
typedef struct AnalysisInterval {
    uint64_t from_ps, to_ps; /* from_ps < to_ps */
    uint32_t location;
    AnalysisState state;
    /* Overhead, waiting: the call. Computing, paused: the call that follows, or, where it runs functions of the
     * program, the call itself; "" and 0 at the end. */
    const char *function;
    uint32_t site;  /* for trace_reader_site() */
    uint32_t after; /* computing, paused: place of the call before, 0 at the beginning */
    /* Waiting: a name of mpi/waits.def; paused: "sleep" or "core"; otherwise NULL. */
    const char *cause;
    uint32_t peer;    /* location that it waited for; ANALYSIS_NOBODY: none, or unknown */
    uint64_t message; /* number of the message that it waited for; 0: none, or unknown */
    bool told;        /* waiting: the trace tells this wait. Otherwise it is worked out from the call and messages */
} AnalysisInterval;

typedef struct AnalysisStates AnalysisStates;
/* Goes through the intervals of all selected locations in the order of their ends, then of locations. Those of a
 * location follow each other without a gap from 0 (a thread, a rank that was spawned: from its beginning) to its end,
 * or are cut to the selected time. Of the selection, times and locations count; kinds do not. Memory holds the
 * intervals between the location that is behind and the one that is ahead. O(log locations) for each event.
 *
 * A call of which the trace tells no waits has waited in one piece, up to the arrival of the last message in it, or to
 * its end. Calls within calls (functions of the program that a call ran) are cut out of the outer one. */
AnalysisStates *analysis_states_new(TraceReader *reader, const TraceSelection *selection);
void analysis_states_free(AnalysisStates *states);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AnalysisStates, analysis_states_free)
/* Before the first interval: gives them as soon as they are known. Those of a location are in order, and only these.
 * Takes less time where there are many locations. */
void analysis_states_any_order(AnalysisStates *states);
/* Gives the next interval. Returns false at the end, or if the trace cannot be read. */
bool analysis_states_next(AnalysisStates *states, AnalysisInterval *interval);
/* Returns whether the trace could be read; otherwise false with an error. */
bool analysis_states_end(const AnalysisStates *states, GError **error);

/* -- messages (messages.c) --------------------------------------------------------------------- */

typedef struct AnalysisCall {
    uint64_t from_ps, to_ps;
    const char *function; /* NULL: the trace does not tell */
    uint32_t site;
} AnalysisCall;

/* A message. It is told when the call that took it is known, or at the end. */
typedef struct AnalysisMessage {
    uint64_t id;
    uint32_t sender, receiver; /* locations */
    uint64_t sent_ps, delivered_ps;
    uint64_t bytes;
    int32_t tag; /* < 0: of a collective operation */
    uint32_t context;
    AnalysisCall send;    /* the call in which it went, or the last one before */
    AnalysisCall receive; /* the call that took it: the first one that ended after its arrival and can have done that */
} AnalysisMessage;

typedef struct AnalysisMessages AnalysisMessages;
/* Goes through the selected messages, by the times at which both calls are known; same order in every run. Memory holds
 * those on their way. Messages whose calls lie outside the selected time have no such call. */
AnalysisMessages *analysis_messages_new(TraceReader *reader, const TraceSelection *selection);
void analysis_messages_free(AnalysisMessages *messages);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AnalysisMessages, analysis_messages_free)
bool analysis_messages_next(AnalysisMessages *messages, AnalysisMessage *message);
bool analysis_messages_end(const AnalysisMessages *messages, GError **error);

/* -- the critical path (run.c, critical.c, slack.c) -------------------------------------------- */

/* A line of the program, in one of its roles on the path. */
typedef struct AnalysisLine {
    const char *kind;     /* as AnalysisPiece.kind */
    const char *function; /* the call at the line (computing, pauses: the call that follows; "" at the end) */
    TraceSite site;
    uint64_t time_ps;  /* in all locations together; of messages on the path only that */
    uint64_t path_ps;  /* of that on the path */
    uint64_t slack_ps; /* by how much the line could take longer at one of its executions, whichever has least, without
                        * the run ending later; UINT64_MAX: it waits for others, whose slack counts */
    uint64_t times;    /* pieces on the path */
} AnalysisLine;

/* A part of the critical path. Parts follow each other without a gap. */
typedef struct AnalysisPiece {
    uint64_t from_ps, to_ps;
    uint32_t location; /* who computes, works or waits; of a message in the network, its receiver */
    uint32_t peer;     /* its sender; ANALYSIS_NOBODY: no message */
    uint64_t message;  /* 0: no message */
    const char *link;  /* where the trace tells the message's way; otherwise NULL */
    /* "computing", "overhead", "transfer", "contention", or the cause of a wait (mpi/waits.def) or pause that no other
     * rank and no message ended. */
    const char *kind;
    const char *function;
    uint32_t site;
    uint32_t line; /* index in AnalysisPath.lines */
} AnalysisPiece;

typedef struct AnalysisPathLocation {
    uint64_t end_ps, path_ps, slack_ps; /* end; time on the path; the least slack of anything there */
} AnalysisPathLocation;

typedef struct AnalysisPath {
    uint64_t makespan_ps;
    GArray *pieces;    /* AnalysisPiece, in the order of time; they add up to the makespan */
    GArray *lines;     /* AnalysisLine: all of the program, and messages on the path; most of the path first */
    GArray *locations; /* AnalysisPathLocation */
} AnalysisPath;

/* Finds the critical path of a run: back from the end of the location that ended last (the first of several), over what
 * it computed and worked. Where it waited for a message, the path goes through the network to the moment at which the
 * sender sent it; where it waited for another location that was late, on to that one. Lengthening anything on it
 * lengthens the run. Memory: some 30 bytes an interval, 80 a message. O(events log locations). Returns NULL with an
 * error if the trace cannot be read or tells no call. */
AnalysisPath *analysis_critical_path(TraceReader *reader, GError **error);
void analysis_critical_path_free(AnalysisPath *path);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AnalysisPath, analysis_critical_path_free)

#endif
