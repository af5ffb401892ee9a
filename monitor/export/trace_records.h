/* trace_records.h - what the run hands to the thread that writes its trace: records of words in a TraceFeed.
 *
 * The run numbers texts and sites from 1 on as they appear, and defines each before its first use. A record is as short
 * as its sort allows; word 0 of all of them says what it is.
 */
#ifndef ORRERY_MONITOR_EXPORT_TRACE_RECORDS_H
#define ORRERY_MONITOR_EXPORT_TRACE_RECORDS_H

#include "trace/trace.h"

typedef enum RecordSort {
    RECORD_CALL,     /* to, from, blocked, site | text of the function << 32, then n arguments */
    RECORD_MESSAGE,  /* delivered, sent, number, sender | tag << 32, context, bytes */
    RECORD_EVENT,    /* of `kind`: its time, then n fields, none of which is a list */
    RECORD_TEXT,     /* address of a text that stays */
    RECORD_SITE,     /* addresses of its file and of its function, which stay; line */
    RECORD_LOCATION, /* rank | thread << 32, node */
    RECORD_SORTS
} RecordSort;

enum { RECORD_CALL_WORDS = 5, RECORD_MESSAGE_WORDS = 7, RECORD_EVENT_WORDS = 2 };

/* Word 0. `n`: see RECORD_CALL and RECORD_EVENT. */
static inline uint64_t record_head(RecordSort sort, unsigned kind, unsigned n, uint32_t location)
{
    return (uint64_t)location << 32 | (uint64_t)kind << 16 | (uint64_t)n << 8 | (uint64_t)sort;
}
static inline uint64_t record_pair(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

/* What turns records into events of a trace (trace_encode.c). */
typedef struct TraceEncoder {
    TraceWriter *writer;
    GArray *texts, *sites; /* of uint32_t: numbers that the writer gave, by number - 1 */
    uint64_t flushed;      /* number of events at the last flush */
} TraceEncoder;
void mon_trace_encoder_begin(TraceEncoder *encoder, TraceWriter *writer);
void mon_trace_encoder_end(TraceEncoder *encoder);
/* A TraceTake. */
void mon_trace_encode(void *encoder, const uint64_t *words, size_t n);

#endif
