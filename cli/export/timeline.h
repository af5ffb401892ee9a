/* timeline.h - what locations did, from the events of a trace. */
#ifndef ORRERY_CLI_EXPORT_TIMELINE_H
#define ORRERY_CLI_EXPORT_TIMELINE_H

#include "cli/export/export.h"

typedef struct ExportWait { /* a part of the time that a call was blocked */
    uint64_t from_ps, to_ps;
    const char *cause;
} ExportWait;

typedef struct ExportCall {
    uint32_t location;
    uint64_t from_ps, to_ps, blocked_ps;
    uint64_t computing_ps; /* before it, since the call before, without pauses */
    const char *function;
    uint64_t site;
    const int64_t *arguments;
    unsigned n_arguments;
    const ExportWait *waits; /* its waiting by cause, where the trace tells; in the order of time */
    unsigned n_waits;
} ExportCall;

typedef struct ExportMessage {
    uint32_t from, to;
    uint64_t sent_ps, delivered_ps, id, context, bytes;
    int64_t tag; /* negative: of a collective operation */
} ExportMessage;

/* Whom to tell. Any may be NULL. Calls and pauses of a location come in the order of their ends. */
typedef struct ExportTimeline {
    void *user;
    void (*computing)(void *user, uint32_t location, uint64_t from_ps, uint64_t to_ps);
    void (*pause)(void *user, uint32_t location, uint64_t from_ps, uint64_t to_ps, const char *why);
    void (*call)(void *user, const ExportCall *call);
    void (*message)(void *user, const ExportMessage *message);
    void (*ended)(void *user, uint32_t location, uint64_t time_ps, uint64_t computing_ps);
    void (*other)(void *user, const TraceEvent *event); /* all other events */
} ExportTimeline;

/* Goes through the selected events. Memory is that of the locations. Returns false with an error. */
bool export_timeline(const ExportJob *job, const ExportTimeline *timeline, GError **error);

/* Return the name of a location, like "rank 3", or "rank 3 thread 2"; for g_free(). */
char *export_timeline_name(const ExportJob *job, uint32_t location);
/* Return which locations are selected, in ascending order; for g_array_unref(). */
GArray *export_timeline_locations(const ExportJob *job);
/* The last part of a path. */
const char *export_timeline_base_name(const char *path);

#endif
