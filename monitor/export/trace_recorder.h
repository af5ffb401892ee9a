/* trace_recorder.h - what the files of the recorder share: trace.c has what is always recorded, trace_detail.c what
 * --trace-detail asks for, trace_encode.c the thread that writes. */
#ifndef ORRERY_MONITOR_EXPORT_TRACE_RECORDER_H
#define ORRERY_MONITOR_EXPORT_TRACE_RECORDER_H

#include "monitor/export/export.h"
#include "monitor/export/trace_records.h"

#include <string.h>

/* Names of what --trace-detail may ask for, as bits. */
#define TRACE_DETAILS(DETAIL)                                                                                          \
    DETAIL(WAITS, "waits")                                                                                             \
    DETAIL(QUEUES, "queues")                                                                                           \
    DETAIL(LINKS, "links")                                                                                             \
    DETAIL(HOPS, "hops")
enum {
#define TRACE_DETAIL_INDEX(identifier, name) TRACE_DETAIL_INDEX_##identifier,
    TRACE_DETAILS(TRACE_DETAIL_INDEX)
#undef TRACE_DETAIL_INDEX
#define TRACE_DETAIL_BIT(identifier, name) TRACE_DETAIL_##identifier = 1 << TRACE_DETAIL_INDEX_##identifier,
        TRACE_DETAILS(TRACE_DETAIL_BIT)
#undef TRACE_DETAIL_BIT
};

typedef struct TraceName { /* of a constant: the same address is the same text */
    const char *constant;
    uint32_t text;
} TraceName;

typedef struct TraceDetail TraceDetail;

typedef struct Recorder {
    BaseFeed feed;
    Machine *machine;
    TraceWriter *writer; /* the thread's as long as it runs */
    TraceEncoder encoder;
    GHashTable *texts;  /* text -> its number */
    GStringChunk *own;  /* all texts that records speak of */
    uint32_t ranks;     /* those of the beginning: their locations have their numbers */
    GHashTable *others; /* rank << 32 | thread -> 1 + location */
    uint32_t locations; /* next number */
    GHashTable *phases; /* rank -> Phase, of ranks that have called MPI_Pcontrol */
    uint32_t sleep_text, core_text, phase_text, file_text, window_text;
    TraceName collective, algorithm, access; /* that were recorded last */
    uint32_t window_context, window_name;    /* the window that was accessed last; 0: none yet */
    TraceDetail *detail;                     /* NULL: none is asked for */
} Recorder;

/* Adds a record of so many words and returns it, its head set. */
static inline uint64_t *mon_trace_put(Recorder *recorder, uint64_t head, unsigned words)
{
    uint64_t *record = base_feed_room(&recorder->feed);
    recorder->feed.at = record + words;
    record[0] = head;
    return record;
}

/* Adds an event without a list, and returns its record. */
static inline uint64_t *mon_trace_put_event(Recorder *recorder, TraceKind kind, uint32_t location, uint64_t time_ps,
                                            const uint64_t *fields, unsigned n)
{
    uint64_t *record = mon_trace_put(recorder, record_head(RECORD_EVENT, kind, n, location), RECORD_EVENT_WORDS + n);
    record[1] = time_ps;
    record[2] = 0;
    memcpy(record + RECORD_EVENT_WORDS, fields, n * sizeof *fields);
    return record;
}
/* The same for one that speaks of places in the source, which are in this program. */
static inline void mon_trace_put_event_of(Recorder *recorder, const VcodeModule *program, TraceKind kind,
                                          uint32_t location, uint64_t time_ps, const uint64_t *fields, unsigned n)
{
    mon_trace_put_event(recorder, kind, location, time_ps, fields, n)[2] = (uint64_t)(uintptr_t)program;
}

/* Returns the number of a text, which is defined at its first use. */
uint32_t mon_trace_text(Recorder *recorder, const char *text);

uint32_t mon_trace_other_location(Recorder *recorder, uint32_t rank, uint32_t thread);
/* Returns the location of a thread. */
static inline uint32_t mon_trace_location(Recorder *recorder, uint32_t rank, uint32_t thread)
{
    return G_LIKELY(rank < recorder->ranks && !thread) ? rank : mon_trace_other_location(recorder, rank, thread);
}

/* -- details (trace_detail.c) ------------------------------------------------------------------ */

/* Reads "waits,hops" or "all" into bits. NULL: none. */
bool mon_trace_detail_parse(const char *text, unsigned *detail, GError **error);
/* Begins what is asked for in these bits. `network` is needed for links and hops. */
void mon_trace_detail_begin(Recorder *recorder, unsigned detail, MonNetwork *network);
void mon_trace_detail_end(Recorder *recorder);
/* Adds what is still kept, at the end of a run. */
void mon_trace_detail_finish(Recorder *recorder);
/* Add what there is to tell beside a call that is over, and beside a message that has arrived. */
void mon_trace_detail_call(Recorder *recorder, uint32_t location, const MpiCallInfo *info);
void mon_trace_detail_message(Recorder *recorder, uint32_t location, const MpiMessageInfo *message);

#endif
