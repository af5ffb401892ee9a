/* trace_encode.c - the thread that writes a trace: makes events of the run's records (trace_records.h). */
#include "monitor/export/trace_records.h"

/* So many events may be lost when the simulator is killed. */
enum { EVENTS_OF_A_FLUSH = 1 << 18 };

void mon_trace_encoder_begin(TraceEncoder *encoder, TraceWriter *writer)
{
    *encoder = (TraceEncoder){.writer = writer,
                              .texts = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                              .sites = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
}

void mon_trace_encoder_end(TraceEncoder *encoder)
{
    g_array_unref(encoder->texts);
    g_array_unref(encoder->sites);
}

static inline uint32_t number_of(const GArray *numbers, uint64_t number)
{
    return number ? g_array_index(numbers, uint32_t, number - 1) : 0;
}

/* Each of these takes a record and returns how many words it has. */

static size_t take_call(TraceEncoder *encoder, const uint64_t *words)
{
    unsigned n = words[0] >> 8 & 0xff;
    TraceEvent event = {.kind = TRACE_CALL,
                        .location = (uint32_t)(words[0] >> 32),
                        .time_ps = words[1],
                        .list = words + RECORD_CALL_WORDS};
    event.fields[TRACE_CALL_FROM] = words[2];
    event.fields[TRACE_CALL_BLOCKED] = words[3];
    event.fields[TRACE_CALL_FUNCTION] = number_of(encoder->texts, words[4] >> 32);
    event.fields[TRACE_CALL_SITE] = number_of(encoder->sites, (uint32_t)words[4]);
    event.fields[TRACE_CALL_ARGUMENTS] = n;
    trace_writer_add(encoder->writer, &event);
    return RECORD_CALL_WORDS + n;
}

static size_t take_message(TraceEncoder *encoder, const uint64_t *words)
{
    TraceEvent event = {.kind = TRACE_MESSAGE, .location = (uint32_t)(words[0] >> 32), .time_ps = words[1]};
    event.fields[TRACE_MESSAGE_SENT] = words[2];
    event.fields[TRACE_MESSAGE_ID] = words[3];
    event.fields[TRACE_MESSAGE_SENDER] = (uint32_t)words[4];
    event.fields[TRACE_MESSAGE_TAG] = (uint64_t)(int64_t)(int32_t)(words[4] >> 32);
    event.fields[TRACE_MESSAGE_CONTEXT] = words[5];
    event.fields[TRACE_MESSAGE_BYTES] = words[6];
    trace_writer_add(encoder->writer, &event);
    return RECORD_MESSAGE_WORDS;
}

static size_t take_event(TraceEncoder *encoder, const uint64_t *words)
{
    unsigned n = words[0] >> 8 & 0xff;
    TraceEvent event = {
        .kind = (TraceKind)(words[0] >> 16 & 0xff), .location = (uint32_t)(words[0] >> 32), .time_ps = words[1]};
    const TraceKindInfo *info = &trace_kinds[event.kind];
    for (unsigned i = 0; i < n; i++) {
        uint64_t field = words[RECORD_EVENT_WORDS + i];
        if (info->fields[i].form == TRACE_FORM_TEXT)
            field = number_of(encoder->texts, field);
        else if (info->fields[i].form == TRACE_FORM_SITE)
            field = number_of(encoder->sites, field);
        event.fields[i] = field;
    }
    trace_writer_add(encoder->writer, &event);
    return RECORD_EVENT_WORDS + n;
}

static size_t take_text(TraceEncoder *encoder, const uint64_t *words)
{
    uint32_t number = trace_writer_text(encoder->writer, (const char *)(uintptr_t)words[1]);
    g_array_append_val(encoder->texts, number);
    return 2;
}

static size_t take_site(TraceEncoder *encoder, const uint64_t *words)
{
    TraceSite site = {(const char *)(uintptr_t)words[1], (const char *)(uintptr_t)words[2], (uint32_t)words[3]};
    uint32_t number = trace_writer_site(encoder->writer, &site);
    g_array_append_val(encoder->sites, number);
    return 4;
}

static size_t take_location(TraceEncoder *encoder, const uint64_t *words)
{
    g_autofree char *node = g_strdup_printf("%" G_GUINT64_FORMAT, words[2]);
    TraceLocation location = {.rank = (uint32_t)words[1], .thread = (uint32_t)(words[1] >> 32), .node = node};
    trace_writer_location(encoder->writer, (uint32_t)(words[0] >> 32), &location);
    return 3;
}

void mon_trace_encode(void *user, const uint64_t *words, size_t n)
{
    TraceEncoder *encoder = user;
    static size_t (*const take[RECORD_SORTS])(TraceEncoder * encoder, const uint64_t *words) = {
        [RECORD_CALL] = take_call, [RECORD_MESSAGE] = take_message, [RECORD_EVENT] = take_event,
        [RECORD_TEXT] = take_text, [RECORD_SITE] = take_site,       [RECORD_LOCATION] = take_location,
    };
    for (const uint64_t *end = words + n; words < end;)
        words += take[words[0] & 0xff](encoder, words);
    if (trace_writer_events(encoder->writer) - encoder->flushed >= EVENTS_OF_A_FLUSH) {
        trace_writer_flush(encoder->writer);
        encoder->flushed = trace_writer_events(encoder->writer);
    }
}
