/* test_schema.c - schemas/events.schema.json has the rows of events.def. After a change of the table run:
 * ORRERY_UPDATE=1 test_trace --filter schema/events */
#include "../page.h"
#include "trace/trace.h"

#include <criterion/criterion.h>

static void print_field(const TraceFieldInfo *field, GString *out)
{
    static const char natural[] = "{\"type\": \"integer\", \"minimum\": 0}", integer[] = "{\"type\": \"integer\"}",
                      text[] = "{\"type\": \"string\"}",
                      list[] = "{\"type\": \"array\", \"items\": {\"type\": \"integer\"}}";
    static const char *const types[TRACE_FORMS] = {
        [TRACE_FORM_NUMBER] = natural, [TRACE_FORM_SIGNED] = integer,
        [TRACE_FORM_TIME] = natural,   [TRACE_FORM_PLACE] = natural,
        [TRACE_FORM_TEXT] = text,      [TRACE_FORM_COUNTER] = natural,
        [TRACE_FORM_LIST] = list,      [TRACE_FORM_SIGNED_COUNTER] = integer};
    if (field->form == TRACE_FORM_SITE)
        g_string_append_printf(out, ",\n        \"file\": %s,\n        \"line\": %s,\n        \"caller\": %s", text,
                               natural, text);
    else
        g_string_append_printf(out, ",\n        \"%s%s\": %s", field->name, field->form == TRACE_FORM_TIME ? "_ps" : "",
                               types[field->form]);
}

/* An object of this kind: its own keys beside those that all have. */
static void print_kind(const TraceKindInfo *kind, GString *out)
{
    g_string_append_printf(out,
                           "\n    {\n      \"type\": \"object\",\n      \"properties\": {\n"
                           "        \"kind\": {\"const\": \"%s\"},\n"
                           "        \"rank\": {\"type\": \"integer\", \"minimum\": 0},\n"
                           "        \"thread\": {\"type\": \"integer\", \"minimum\": 0},\n"
                           "        \"time_ps\": {\"type\": \"integer\", \"minimum\": 0}",
                           kind->name);
    for (unsigned i = 0; i < kind->n_fields; i++)
        print_field(&kind->fields[i], out);
    g_string_append(out, "\n      },\n      \"required\": [\"kind\", \"rank\", \"thread\", \"time_ps\"]\n    }");
}

Test(schema, events)
{
    g_autoptr(GString) out =
        g_string_new("{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
                     "  \"$id\": \"events.schema.json\",\n"
                     "  \"title\": \"A line that orrery trace convert --json writes: an event\",\n  \"oneOf\": [");
    for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
        g_string_append(out, kind ? "," : "");
        print_kind(&trace_kinds[kind], out);
    }
    g_string_append(out, "\n  ]\n}\n");
    page_check_file("schemas/events.schema.json", out->str, "test_trace");
}
