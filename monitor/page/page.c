/* page.c - puts the page together: fills the marks of the template with the data of the run. */
#include "monitor/page/parts.h"

#include "base/write_file.h"

#include <stdlib.h>
#include <string.h>

/* A mark of the template, such as @DATA@, and what stands there. */
typedef struct Mark {
    const char *name;
    const char *text;
} Mark;

static void add_text(BaseWriting *writing, const char *text, size_t length)
{
    base_write_add(writing, text, length);
}

/* Writes the template up to the end, with the texts of the marks, which come in the order of `marks` and then again as
 * often as the template has them. */
static void fill(BaseWriting *writing, const Mark *marks, size_t n)
{
    for (const char *at = mon_page_template; *at;) {
        const char *next = NULL;
        size_t which = 0;
        for (size_t i = 0; i < n; i++) {
            const char *found = strstr(at, marks[i].name);
            if (found && (!next || found < next)) {
                next = found;
                which = i;
            }
        }
        add_text(writing, at, next ? (size_t)(next - at) : strlen(at));
        if (!next)
            return;
        add_text(writing, marks[which].text, strlen(marks[which].text));
        at = next + strlen(marks[which].name);
    }
}

/* Returns JSON that may stand in a page: a < could begin the end of the element. */
static char *print_json(json_t *data)
{
    char *text = json_dumps(data, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9));
    g_auto(GStrv) pieces = g_strsplit(text, "<", -1);
    free(text);
    return g_strjoinv("\\u003c", pieces);
}

static json_t *rows_json(const TraceReader *trace, const GArray *rows)
{
    json_t *list = json_array();
    for (guint i = 0; i < rows->len; i++) {
        TraceLocation at = trace_reader_location(trace, g_array_index(rows, uint32_t, i));
        json_array_append_new(list, json_pack("{s:i, s:i}", "rank", (int)at.rank, "thread", (int)at.thread));
    }
    return list;
}

static void add_events(const MonPage *page, const MonPageEvents *events, json_t *data)
{
    json_t *totals = json_array();
    for (size_t i = 0; i < G_N_ELEMENTS(events->totals_ps); i++)
        json_array_append_new(totals, json_integer((json_int_t)events->totals_ps[i]));
    json_object_set_new(data, "rows", rows_json(page->trace, events->rows));
    json_object_set_new(data, "totals", totals);
    json_object_set_new(data, "messages_total", json_integer((json_int_t)events->n_messages));
    if (events->left_out)
        json_object_set_new(data, "left_out", json_string(events->left_out));
}

static bool write_page(const MonPage *page, const MonPageEvents *events, json_t *data, const char *path, GError **error)
{
    g_autofree char *name = g_path_get_basename(json_string_value(json_object_get(data, "program")));
    g_autofree char *title = g_markup_escape_text(name, -1);
    g_autofree char *text = print_json(data), *intervals = mon_page_pack(events->intervals),
                    *messages = mon_page_pack(events->messages);
    g_autoptr(GByteArray) numbers = mon_page_use(page);
    g_autofree char *use = mon_page_pack(numbers);
    const Mark marks[] = {
        {"@TITLE@", title}, {"@DATA@", text}, {"@INTERVALS@", intervals}, {"@MESSAGES@", messages}, {"@USE@", use}};
    BaseWriting *writing = base_write_begin(path, error);
    if (!writing)
        return false;
    fill(writing, marks, G_N_ELEMENTS(marks));
    return base_write_end(writing, true, error);
}

bool mon_page_write(const MonPage *page, const char *path, GError **error)
{
    MonPageSources *sources = mon_page_sources_new(page->trace);
    MonPageRoutes *routes = mon_page_routes_new(page->machine);
    MonPageEvents events;
    json_t *data = json_object();
    bool good = mon_page_events_read(page, sources, routes, &events, error);
    if (good) {
        mon_page_facts(page, sources, data);
        add_events(page, &events, data);
        mon_page_routes_json(routes, data);
        mon_page_sources_json(sources, data);
        good = write_page(page, &events, data, path, error);
    }
    mon_page_events_clear(&events);
    mon_page_routes_free(routes);
    mon_page_sources_free(sources);
    json_decref(data);
    return good;
}
