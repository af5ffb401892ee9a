/* made.h - traces that tests write event by event and then read. */
#ifndef ORRERY_TEST_MADE_H
#define ORRERY_TEST_MADE_H

#include "base/random.h"
#include "trace/trace.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>

typedef struct Made {
    char *path;
    TraceWriter *writer;
    TraceReader *reader;
} Made;

static inline Made made_new(uint32_t locations)
{
    Made made = {0};
    int file = g_file_open_tmp("states-XXXXXX", &made.path, NULL);
    made.writer = trace_writer_new_on(file, made.path, locations);
    return made;
}

static inline TraceReader *made_read(Made *made)
{
    GError *error = NULL;
    cr_assert(trace_writer_end(made->writer, &error), "%s", error ? error->message : "");
    made->reader = trace_reader_new(made->path, &error);
    cr_assert(made->reader, "%s", error ? error->message : "");
    return made->reader;
}

static inline void made_free(Made *made)
{
    trace_reader_free(made->reader);
    g_remove(made->path);
    g_free(made->path);
}

static inline uint32_t site(Made *made, uint32_t line)
{
    return trace_writer_site(made->writer, &(TraceSite){"a.c", "main", line});
}

static inline void call(Made *made, uint32_t at, uint64_t from, uint64_t to, uint64_t blocked, const char *name,
                        uint32_t line)
{
    TraceEvent event = {.kind = TRACE_CALL, .location = at, .time_ps = to};
    event.fields[TRACE_CALL_FROM] = from;
    event.fields[TRACE_CALL_BLOCKED] = blocked;
    event.fields[TRACE_CALL_FUNCTION] = trace_writer_text(made->writer, name);
    event.fields[TRACE_CALL_SITE] = site(made, line);
    trace_writer_add(made->writer, &event);
}

static inline void message(Made *made, uint32_t from, uint32_t to, uint64_t sent, uint64_t delivered, uint64_t id,
                           int tag)
{
    TraceEvent event = {.kind = TRACE_MESSAGE, .location = to, .time_ps = delivered};
    event.fields[TRACE_MESSAGE_SENDER] = from;
    event.fields[TRACE_MESSAGE_SENT] = sent;
    event.fields[TRACE_MESSAGE_ID] = id;
    event.fields[TRACE_MESSAGE_TAG] = (uint64_t)(int64_t)tag;
    trace_writer_add(made->writer, &event);
}

static inline void waited(Made *made, uint32_t at, uint64_t from, uint64_t to, const char *cause, uint32_t peer,
                          uint64_t id)
{
    TraceEvent event = {.kind = TRACE_WAIT, .location = at, .time_ps = to};
    event.fields[TRACE_WAIT_FROM] = from;
    event.fields[TRACE_WAIT_CAUSE] = trace_writer_text(made->writer, cause);
    event.fields[TRACE_WAIT_PEER] = peer;
    event.fields[TRACE_WAIT_MESSAGE] = id;
    trace_writer_add(made->writer, &event);
}

static inline void simple(Made *made, TraceKind kind, uint32_t at, uint64_t time, uint64_t first)
{
    TraceEvent event = {.kind = kind, .location = at, .time_ps = time, .fields = {first}};
    trace_writer_add(made->writer, &event);
}

/* Returns drawn numbers, the same in every run. */
static inline uint64_t draw(uint64_t *drawn, uint64_t below)
{
    return base_random_mix(5, ++*drawn, 0) % below;
}

#endif
