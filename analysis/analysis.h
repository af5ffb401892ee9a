/* analysis.h - what a trace says when it is put together: states of locations, messages with both calls.
 *
 *   states.c    what each location did at each time      messages.c  each message, the call that sent it, and the one
 *                                                                    that took it
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
    /* Overhead, waiting: the call. Computing, paused: the call that follows; "" and 0 at the end. */
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

#endif
