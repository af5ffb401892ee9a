/* definitions.c - what a trace says of texts, places, locations, kinds of events. The file may be forged: every number
 * is checked before it is used. */
#include "trace/blocks.h"

#include <string.h>

static char *take_text(TraceInput *input)
{
    uint64_t length = trace_input_number(input);
    if (input->damaged || length > (uint64_t)(input->end - input->at)) {
        input->damaged = true;
        return g_strdup("");
    }
    char *text = g_strndup((const char *)input->at, length);
    input->at += length;
    return text;
}

static void take_site(TraceReader *reader, TraceInput *input)
{
    uint64_t file = trace_input_number(input), function = trace_input_number(input), line = trace_input_number(input);
    TraceSite site = {trace_reader_text(reader, file), trace_reader_text(reader, function), (uint32_t)line};
    input->damaged = input->damaged || line > UINT32_MAX;
    g_array_append_val(reader->sites, site);
}

static void take_location(TraceReader *reader, TraceInput *input)
{
    enum { MOST = 1 << 22 };
    uint64_t number = trace_input_number(input), rank = trace_input_number(input), thread = trace_input_number(input),
             node = trace_input_number(input);
    if (input->damaged || number >= MOST || rank > UINT32_MAX || thread > UINT32_MAX) {
        input->damaged = true;
        return;
    }
    if (number >= reader->locations->len)
        g_array_set_size(reader->locations, (guint)number + 1);
    g_array_index(reader->locations, TraceLocation, number) =
        (TraceLocation){(uint32_t)rank, (uint32_t)thread, trace_reader_text(reader, node)};
}

static void take_note(TraceReader *reader, TraceInput *input)
{
    char *key = take_text(input), *value = take_text(input);
    guint at;
    if (g_ptr_array_find_with_equal_func(reader->keys, key, g_str_equal, &at)) {
        g_free(key);
        g_free(reader->values->pdata[at]);
        reader->values->pdata[at] = value;
        return;
    }
    g_ptr_array_add(reader->keys, key);
    g_ptr_array_add(reader->values, value);
}

static TraceKind kind_named(const char *name)
{
    unsigned kind = 0;
    while (kind < TRACE_KINDS && strcmp(trace_kinds[kind].name, name) != 0)
        kind++;
    return (TraceKind)kind;
}

static bool is_counter(uint64_t form)
{
    return form == TRACE_FORM_COUNTER || form == TRACE_FORM_SIGNED_COUNTER;
}

/* Numbers are stored in one of several forms, which differ in how long they become. */
static bool is_number(uint64_t form)
{
    return form == TRACE_FORM_NUMBER || form == TRACE_FORM_SIGNED || is_counter(form);
}

static bool same_form(uint64_t form, TraceForm known)
{
    return form == known || (is_number(form) && is_number(known)) ||
           (form == TRACE_FORM_TIME_SIGNED && known == TRACE_FORM_TIME);
}

/* A field is known if its name is, and its form is what this Orrery takes it for. */
static unsigned field_named(TraceKind kind, const char *name, uint64_t form)
{
    if (kind < TRACE_KINDS)
        for (unsigned i = 0; i < trace_kinds[kind].n_fields; i++)
            if (strcmp(trace_kinds[kind].fields[i].name, name) == 0 &&
                same_form(form, trace_kinds[kind].fields[i].form))
                return i;
    return TRACE_FIELDS;
}

static void take_kind(TraceReader *reader, TraceInput *input)
{
    uint64_t number = trace_input_number(input);
    g_autofree char *name = take_text(input);
    uint64_t n_fields = trace_input_number(input);
    if (input->damaged || number >= TRACE_SAME || reader->kinds[number] ||
        n_fields > G_N_ELEMENTS(reader->kinds[0]->fields)) {
        input->damaged = true;
        return;
    }
    TraceFileKind *kind = g_new0(TraceFileKind, 1);
    reader->kinds[number] = kind;
    kind->kind = kind_named(name);
    kind->n_fields = (unsigned)n_fields;
    unsigned counters = 0;
    for (unsigned i = 0; i < n_fields && !input->damaged; i++) {
        g_autofree char *field = take_text(input);
        uint64_t form = trace_input_number(input);
        if (is_counter(form))
            kind->fields[i].counter = counters++;
        input->damaged = input->damaged || form >= TRACE_FORMS || counters > TRACE_COUNTERS;
        kind->fields[i].form = (TraceForm)form;
        kind->fields[i].to = field_named(kind->kind, field, form);
    }
}

static void take_definition(TraceReader *reader, TraceInput *input)
{
    uint8_t definition = *input->at++;
    switch (definition) {
    case TRACE_DEFINES_TEXT: g_ptr_array_add(reader->texts, take_text(input)); break;
    case TRACE_DEFINES_SITE: take_site(reader, input); break;
    case TRACE_DEFINES_LOCATION: take_location(reader, input); break;
    case TRACE_DEFINES_NOTE: take_note(reader, input); break;
    case TRACE_DEFINES_KIND: take_kind(reader, input); break;
    default: input->damaged = true; break;
    }
}

bool trace_definitions_read(TraceReader *reader, const TraceIndexEntry *entry, GError **error)
{
    g_autofree uint8_t *payload = trace_blocks_read(reader, entry, error);
    if (!payload)
        return false;
    TraceInput input = trace_input_of(reader, payload, entry->block.bytes);
    for (uint32_t i = 0; i < entry->block.events && input.at < input.end && !input.damaged; i++)
        take_definition(reader, &input);
    if (input.damaged || input.at != input.end)
        return trace_blocks_damaged(reader, entry->offset, "a definition that cannot be", error);
    return true;
}
