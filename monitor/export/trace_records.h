/* trace_records.h - what the run hands to the thread that writes its trace: records of words in a BaseFeed.
 *
 * Calls and messages are records of mpi/ (MpiRecord), with locations instead of ranks. Texts that are made during the
 * run are numbered from 1 on as they appear, and defined before their first use.
 */
#ifndef ORRERY_MONITOR_EXPORT_TRACE_RECORDS_H
#define ORRERY_MONITOR_EXPORT_TRACE_RECORDS_H

#include "mpi/mpi_world.h"
#include "trace/trace.h"

typedef enum RecordSort {
    RECORD_EVENT = MPI_RECORDS, /* of `kind`: its time, its program, then n fields, none of which is a list */
    RECORD_TEXT,                /* address of a text that stays */
    RECORD_LOCATION,            /* rank | thread << 32, node */
    RECORD_SORTS
} RecordSort;

/* In fields of an event, a place in the source is 1 + the pc in the record's program, 0: none. */
enum { RECORD_EVENT_WORDS = 3 };

/* Word 0. `n`: see RECORD_EVENT. */
static inline uint64_t record_head(RecordSort sort, unsigned kind, unsigned n, uint32_t location)
{
    return mpi_record_head(sort, n, location) | (uint64_t)kind << 16;
}

/* Returns a place in the source as a field; VCODE_NONE: none. */
static inline uint64_t record_site(uint32_t pc)
{
    return pc == VCODE_NONE ? 0 : (uint64_t)pc + 1;
}

/* A program, and the places from which it calls, by pc. */
typedef struct TraceProgram {
    const VcodeModule *module;
    struct TraceCallSite *sites;
} TraceProgram;

/* What turns records into events of a trace (trace_encode.c). */
typedef struct TraceEncoder {
    TraceWriter *writer;
    GArray *texts;       /* of uint32_t: numbers that the writer gave, by number - 1 */
    GArray *programs;    /* TraceProgram */
    TraceProgram caller; /* the program that called last */
    GPtrArray *callers;  /* VcodeModule *, by location: its program */
    const MpiFunctionInfo *functions;
    uint64_t flushed; /* number of events at the last flush */
} TraceEncoder;
void mon_trace_encoder_begin(TraceEncoder *encoder, TraceWriter *writer);
void mon_trace_encoder_end(TraceEncoder *encoder);
/* A BaseFeedTake. */
void mon_trace_encode(void *encoder, const uint64_t *words, size_t n);

#endif
