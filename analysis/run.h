/* run.h - all intervals and messages of a run in memory, for the files that search them. */
#ifndef ORRERY_ANALYSIS_RUN_H
#define ORRERY_ANALYSIS_RUN_H

#include "analysis/analysis.h"

/* An interval of a location; it begins where the one before ends. */
typedef struct RunSlot {
    uint64_t to_ps;
    uint32_t message; /* number; 0: none */
    uint32_t peer;
    uint32_t line; /* index in AnalysisRun.lines */
    uint8_t state; /* AnalysisState */
    bool told;
    bool loose; /* it waits for a message or another location: with less to wait for it would be shorter */
} RunSlot;

typedef struct RunMessage {
    uint64_t id, sent_ps, delivered_ps;
    uint64_t used_ps; /* when its receiver could not go on without it; UINT64_MAX: not known */
    uint64_t slack_ps;
    uint32_t sender, receiver;
    uint32_t hops, n_hops; /* in AnalysisRun.hops: those of its last packet */
} RunMessage;

typedef struct RunHop {
    uint64_t from_ps;
    uint32_t message, packet; /* numbers */
    const char *link;
} RunHop;

typedef struct RunLocation {
    GArray *slots;    /* RunSlot */
    uint64_t from_ps; /* where its first interval begins */
    uint32_t parent;  /* who made it; ANALYSIS_NOBODY: it begins with the run */
    uint32_t home;
    GArray *arrivals; /* uint32_t: messages by time of delivery; those of the home location */
    GArray *sends;    /* uint32_t: by time of sending */
    GArray *uses;     /* uint32_t: by time of use */
} RunLocation;

typedef struct AnalysisRun {
    RunLocation *locations;
    uint32_t n;
    GArray *messages;    /* RunMessage, by number */
    GArray *hops;        /* RunHop, by message, packet and time */
    GArray *lines;       /* AnalysisLine */
    GPtrArray *keys;     /* RunLineKey of each line */
    GHashTable *numbers; /* RunLineKey -> 1 + index in `lines` */
    TraceReader *reader;
} AnalysisRun;

/* Reads a run. Returns NULL with an error. */
AnalysisRun *analysis_run_new(TraceReader *reader, GError **error);
void analysis_run_free(AnalysisRun *run);
/* Returns the number of a line in this role. `kind` and `function` are texts that stay. */
uint32_t analysis_run_line(AnalysisRun *run, const char *kind, const char *function, uint32_t site);
/* Returns the place of a line, for trace_reader_site(). */
uint32_t analysis_run_line_site(const AnalysisRun *run, uint32_t line);
/* Returns the number of the same line in another role. */
uint32_t analysis_run_line_as(AnalysisRun *run, uint32_t line, const char *kind);
/* Returns the message of this number; NULL: the trace does not tell it. O(log messages). */
RunMessage *analysis_run_message(const AnalysisRun *run, uint64_t id);
/* Whether a cause of waiting (mpi/waits.def) says that a message was in the network or its protocol at work, so that
 * the time belongs to it and not to somebody who was late. */
bool analysis_run_in_network(const char *cause);
/* Works out the slack of all lines and locations (slack.c). */
void analysis_run_slack(AnalysisRun *run, uint64_t makespan_ps, AnalysisPathLocation *locations);

static inline RunSlot *run_slot(const RunLocation *location, uint32_t i)
{
    return &g_array_index(location->slots, RunSlot, i);
}
static inline uint64_t run_slot_from(const RunLocation *location, uint32_t i)
{
    return i ? run_slot(location, i - 1)->to_ps : location->from_ps;
}
static inline AnalysisLine *run_line(const AnalysisRun *run, uint32_t i)
{
    return &g_array_index(run->lines, AnalysisLine, i);
}

#endif
