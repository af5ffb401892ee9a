/* copy.c - events go into another trace, where texts, sites and perhaps locations have other numbers. */
#include "cli/trace/trace_command.h"

void cli_trace_copy_note(void *user, const char *key, const char *value)
{
    trace_writer_note(user, key, value);
}

/* Returns where the new number of an old one is kept. */
static uint32_t *known(GArray **numbers, uint64_t old)
{
    if (!*numbers)
        *numbers = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    if (old >= (*numbers)->len)
        g_array_set_size(*numbers, (guint)old + 1);
    return &g_array_index(*numbers, uint32_t, old);
}

/* A forged number beyond all that are defined is that of nothing. */
static uint32_t translate_text(TraceCopy *copy, uint64_t old)
{
    const char *text = trace_reader_text(copy->reader, old);
    if (!old || !*text)
        return 0;
    uint32_t *number = known(&copy->texts, old);
    if (!*number)
        *number = trace_writer_text(copy->writer, text);
    return *number;
}

static uint32_t translate_site(TraceCopy *copy, uint64_t old)
{
    TraceSite site = trace_reader_site(copy->reader, old);
    if (!site.file)
        return 0;
    uint32_t *number = known(&copy->sites, old);
    if (!*number)
        *number = trace_writer_site(copy->writer, &site);
    return *number;
}

static uint32_t translate_location(const TraceCopy *copy, uint32_t old)
{
    return copy->locations && old < copy->n_locations ? copy->locations[old] : old;
}

void cli_trace_copy_translate(TraceCopy *copy, TraceEvent *event)
{
    const TraceKindInfo *info = &trace_kinds[event->kind];
    event->location = translate_location(copy, event->location);
    for (unsigned i = 0; i < info->n_fields; i++) {
        uint64_t *field = &event->fields[i];
        switch (info->fields[i].form) {
        case TRACE_FORM_TEXT: *field = translate_text(copy, *field); break;
        case TRACE_FORM_SITE: *field = translate_site(copy, *field); break;
        case TRACE_FORM_PLACE: *field = translate_location(copy, (uint32_t)*field); break;
        default: break;
        }
    }
}

void cli_trace_copy_clear(TraceCopy *copy)
{
    if (copy->texts)
        g_array_unref(copy->texts);
    if (copy->sites)
        g_array_unref(copy->sites);
}
