/* trace.h - event files: what happened in a run, written while it runs, and read again.
 *
 * A trace is a file of blocks. Blocks of events hold those of a range of locations (ranks, and threads of ranks) over
 * some virtual time, so a reader that asks for a few ranks or a short time reads a few blocks. Blocks of definitions
 * hold texts, places in the source and locations, each before the first event that speaks of it. Each block has a
 * checksum. An index is at the end; where it is missing because the writer ended early, the reader makes it from the
 * blocks that are whole. docs/trace.md describes the bytes.
 *
 * The library knows no simulator: what the fields of events mean is said in events.def.
 */
#ifndef ORRERY_TRACE_H
#define ORRERY_TRACE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_ERROR (trace_error_quark())
GQuark trace_error_quark(void);
typedef enum TraceError {
    TRACE_ERROR_IO,      /* the file cannot be read or written */
    TRACE_ERROR_FORMAT,  /* no trace, or a damaged one */
    TRACE_ERROR_VERSION, /* made by an Orrery whose traces are of another version */
    TRACE_ERROR_EARLY,   /* the file could not grow: it is a trace of what came before */
} TraceError;

#define TRACE_NOTE_ENDED_EARLY "ended_early" /* key of a note: why the file could not grow */

enum {
    TRACE_VERSION = 3, /* readers know all up to this */
    TRACE_FIELDS = 8,  /* most fields of an event */
    TRACE_LIST = 24    /* most numbers of a list; those beyond are left out */
};

typedef enum TraceKind {
#define TRACE_KIND(identifier, name, fields) TRACE_##identifier,
#include "trace/events.def"
    TRACE_KINDS
} TraceKind;
#define TRACE_FIELD(kind, identifier, name, form) TRACE_##kind##_##identifier,
#define TRACE_KIND(identifier, name, fields)      enum { fields TRACE_##identifier##_FIELDS };
#include "trace/events.def"

typedef enum TraceForm {
    TRACE_FORM_NUMBER,
    TRACE_FORM_SIGNED,
    TRACE_FORM_TIME_SIGNED, /* of version 1; now it is TIME */
    TRACE_FORM_PLACE,
    TRACE_FORM_TEXT,
    TRACE_FORM_SITE,
    TRACE_FORM_COUNTER,
    TRACE_FORM_LIST,
    TRACE_FORM_TIME,
    TRACE_FORM_SIGNED_COUNTER,
    TRACE_FORMS
} TraceForm;

typedef struct TraceFieldInfo {
    const char *name;
    TraceForm form;
} TraceFieldInfo;
typedef struct TraceKindInfo {
    const char *name;
    unsigned n_fields;
    TraceFieldInfo fields[TRACE_FIELDS];
} TraceKindInfo;
extern const TraceKindInfo trace_kinds[TRACE_KINDS];

typedef struct TraceEvent {
    TraceKind kind;
    uint32_t location;
    uint64_t time_ps;
    uint64_t fields[TRACE_FIELDS]; /* SIGNED: two's complement; LIST: how many numbers */
    const uint64_t *list;          /* these, in two's complement; NULL if the kind has no such field */
} TraceEvent;

typedef struct TraceSite { /* a place in the source, or rather in what the debug information says of it */
    const char *file, *function;
    uint32_t line;
} TraceSite;

typedef struct TraceLocation { /* where events happen: a rank, or a thread of one */
    uint32_t rank, thread;
    const char *node; /* name of its node; "": unknown */
} TraceLocation;

/* -- writing (writer.c) ------------------------------------------------------------------------ */

typedef struct TraceWriter TraceWriter;

/* Begins a trace of so many locations (more may come) and replaces the file, unless another writer is at it. The writer
 * keeps some 2 MiB in memory, and what it has defined. Returns NULL with an error. */
TraceWriter *trace_writer_new(const char *path, uint32_t locations, GError **error);
/* The same in a file that is open for writing and empty; the writer closes it. Errors call it `path`. */
TraceWriter *trace_writer_new_on(int file, const char *path, uint32_t locations);
/* Notes something about the run, such as "program"; the last value of a key counts. */
void trace_writer_note(TraceWriter *writer, const char *key, const char *value);
/* Return the number of a text or a place, and define it at its first use. NULL: 0. O(1). */
uint32_t trace_writer_text(TraceWriter *writer, const char *text);
uint32_t trace_writer_site(TraceWriter *writer, const TraceSite *site);
void trace_writer_location(TraceWriter *writer, uint32_t number, const TraceLocation *location);
/* Adds an event. Those of one location come in the order of their times, or nearly so. Each takes some 4 to 16 bytes.
 * After a failure of the file nothing is written any more. */
void trace_writer_add(TraceWriter *writer, const TraceEvent *event);
/* Writes what is in memory, so that a reader finds all events so far. */
void trace_writer_flush(TraceWriter *writer);
/* Returns the number of events that have been added. */
uint64_t trace_writer_events(const TraceWriter *writer);
/* Writes the index and frees the writer. Returns false with TRACE_ERROR_EARLY if not all could be written; the trace
 * then has a note TRACE_NOTE_ENDED_EARLY with the reason, or, if there is no room even for that, ends with its last
 * whole block. Either can be read. */
bool trace_writer_end(TraceWriter *writer, GError **error);

/* -- reading (reader.c) ------------------------------------------------------------------------ */

typedef struct TraceReader TraceReader;

/* Opens a trace. Errors name the file and say what is wrong. */
TraceReader *trace_reader_new(const char *path, GError **error);
void trace_reader_free(TraceReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceReader, trace_reader_free)

/* What is known of a trace without its events. */
typedef struct TraceSummary {
    uint64_t events, bytes;
    uint64_t from_ps, to_ps; /* times of the first and the last event */
    uint32_t locations;      /* all numbers are below */
    bool whole;              /* false: the writer ended early; what it had not written is missing */
    uint64_t lost_bytes;     /* at the end of such a file, behind its last whole block; 0 also if the writer knew */
} TraceSummary;
void trace_reader_summary(const TraceReader *reader, TraceSummary *summary);
/* Return what a number stands for; an unknown one is "", or has no file, or is rank `number` itself. The texts stay
 * while the reader does. */
const char *trace_reader_text(const TraceReader *reader, uint64_t number);
TraceSite trace_reader_site(const TraceReader *reader, uint64_t number);
TraceLocation trace_reader_location(const TraceReader *reader, uint32_t number);
/* Returns the value of a note, or NULL. */
const char *trace_reader_note(const TraceReader *reader, const char *key);
/* Calls `each` with all notes, in the order in which their keys came. */
void trace_reader_notes(const TraceReader *reader, void (*each)(void *user, const char *key, const char *value),
                        void *user);

/* Which events are wanted. */
typedef struct TraceSelection {
    uint64_t from_ps, to_ps; /* events from `from_ps` to `to_ps`, both included; those with a field `from` (states,
                              * calls) where any of their time is within */
    uint64_t kinds;          /* bits 1 << TraceKind */
    const GArray *locations; /* of uint32_t, ascending; NULL: all */
} TraceSelection;
/* Selects all events. */
static inline TraceSelection trace_selection_all(void)
{
    return (TraceSelection){.to_ps = UINT64_MAX, .kinds = UINT64_MAX};
}

typedef struct TraceCursor TraceCursor;
/* Goes through the selected events of a trace, in the order of time and then location; those of one location stay in
 * the order in which they were written. Reads only blocks that may have some. O(log groups) each. */
TraceCursor *trace_cursor_new(TraceReader *reader, const TraceSelection *selection);
void trace_cursor_free(TraceCursor *cursor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceCursor, trace_cursor_free)
/* Gives the next event, whose list stays until the next call. Returns false at the end, or if a block cannot be read or
 * is damaged. */
bool trace_cursor_next(TraceCursor *cursor, TraceEvent *event);
/* Returns whether the cursor has met no such block; otherwise false with an error. */
bool trace_cursor_end(const TraceCursor *cursor, GError **error);

#endif
