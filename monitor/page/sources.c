/* sources.c - what events speak of: functions, causes, places in the source; the texts of the source, and the time of
 * each line. Everything gets numbers in the order in which it comes, so the page does not depend on hashes.
 *
 * All time goes to lines: by the profile of the run, else as in `orrery trace diff`, where work and waiting of a call
 * belong to its line, and computing to the line of the call that follows.
 */
#include "analysis/analysis.h"
#include "monitor/page/parts.h"

#include <string.h>

enum { STATES_OF_LINES = 3, MOST_BYTES = 1 << 20 /* of a source text */ };

typedef struct Names {
    GHashTable *numbers; /* text -> number + 1 */
    GPtrArray *texts;
} Names;

typedef struct Line {
    uint32_t file, line;
    uint64_t ps[STATES_OF_LINES];
} Line;

struct MonPageSources {
    const TraceReader *trace;
    Names functions, causes, files;
    GHashTable *activities; /* text of the four numbers -> number + 1 */
    json_t *activity_list, *site_list;
    GHashTable *sites; /* place of the trace -> number + 1 */
    GHashTable *lines; /* file << 32 | line -> index + 1 in line_list */
    GArray *line_list;
    const MonProfileData *profile; /* NULL: none */
};

/* -- names ------------------------------------------------------------------------------------- */

static void names_init(Names *names)
{
    names->numbers = g_hash_table_new(g_str_hash, g_str_equal);
    names->texts = g_ptr_array_new_with_free_func(g_free);
}

static void names_clear(Names *names)
{
    g_hash_table_unref(names->numbers);
    g_ptr_array_unref(names->texts);
}

static uint32_t name_number(Names *names, const char *text)
{
    gpointer number = g_hash_table_lookup(names->numbers, text ? text : "");
    if (number)
        return GPOINTER_TO_UINT(number) - 1;
    char *own = g_strdup(text ? text : "");
    g_ptr_array_add(names->texts, own);
    g_hash_table_insert(names->numbers, own, GUINT_TO_POINTER(names->texts->len));
    return names->texts->len - 1;
}

static json_t *text_json(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    return json_string(valid);
}

static json_t *names_json(const Names *names)
{
    json_t *list = json_array();
    for (guint i = 0; i < names->texts->len; i++)
        json_array_append_new(list, text_json(names->texts->pdata[i]));
    return list;
}

/* -- places ------------------------------------------------------------------------------------ */

static json_t *numbers_json(const int64_t *numbers, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_integer(numbers[i]));
    return list;
}

static uint32_t site_number(MonPageSources *sources, uint32_t site)
{
    gpointer number = g_hash_table_lookup(sources->sites, GUINT_TO_POINTER(site));
    if (number)
        return GPOINTER_TO_UINT(number) - 1;
    TraceSite place = trace_reader_site(sources->trace, site);
    int64_t file = place.file ? (int64_t)name_number(&sources->files, place.file) : -1;
    int64_t numbers[] = {file, place.line, name_number(&sources->functions, place.function)};
    json_array_append_new(sources->site_list, numbers_json(numbers, G_N_ELEMENTS(numbers)));
    guint n = (guint)json_array_size(sources->site_list);
    g_hash_table_insert(sources->sites, GUINT_TO_POINTER(site), GUINT_TO_POINTER(n));
    return n - 1;
}

uint32_t mon_page_activity(MonPageSources *sources, unsigned state, const char *function, uint32_t site,
                           const char *cause)
{
    int64_t numbers[] = {state, name_number(&sources->functions, function), site_number(sources, site),
                         name_number(&sources->causes, cause)};
    char key[96];
    g_snprintf(key, sizeof key, "%d %d %d %d", (int)numbers[0], (int)numbers[1], (int)numbers[2], (int)numbers[3]);
    gpointer number = g_hash_table_lookup(sources->activities, key);
    if (number)
        return GPOINTER_TO_UINT(number) - 1;
    json_array_append_new(sources->activity_list, numbers_json(numbers, G_N_ELEMENTS(numbers)));
    guint n = (guint)json_array_size(sources->activity_list);
    g_hash_table_insert(sources->activities, g_strdup(key), GUINT_TO_POINTER(n));
    return n - 1;
}

static void add_to_line(MonPageSources *sources, uint32_t file, uint32_t number, unsigned state, uint64_t time_ps)
{
    gint64 key = (gint64)((uint64_t)file << 32 | number);
    guint index = GPOINTER_TO_UINT(g_hash_table_lookup(sources->lines, &key));
    if (!index) {
        Line line = {.file = file, .line = number};
        g_array_append_val(sources->line_list, line);
        index = sources->line_list->len;
        g_hash_table_insert(sources->lines, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(index));
    }
    g_array_index(sources->line_list, Line, index - 1).ps[state] += time_ps;
}

void mon_page_add_time(MonPageSources *sources, uint32_t site, unsigned state, uint64_t time_ps)
{
    TraceSite place = trace_reader_site(sources->trace, site);
    if (!place.file || state >= STATES_OF_LINES)
        return;
    uint32_t file = name_number(&sources->files, place.file); /* events have it, whether its lines have time or not */
    if (!sources->profile)
        add_to_line(sources, file, place.line, state, time_ps);
}

/* Files that the page does not show have no lines: those of the C library. */
static void add_profile(MonPageSources *sources)
{
    const MonProfileData *profile = sources->profile;
    for (guint i = 0; profile && i < profile->all_lines->len; i++) {
        const MonProfileLine *line = &g_array_index(profile->all_lines, MonProfileLine, i);
        gpointer number = g_hash_table_lookup(sources->files.numbers, line->file);
        uint64_t ps[STATES_OF_LINES] = {line->times.compute_ps, line->times.overhead_ps,
                                        mon_profile_times_waiting(&line->times)};
        for (unsigned state = 0; number && line->line && state < STATES_OF_LINES; state++)
            add_to_line(sources, GPOINTER_TO_UINT(number) - 1, line->line, state, ps[state]);
    }
}

void mon_page_add_program(MonPageSources *sources, const VcodeModule *module)
{
    for (uint32_t i = 0; i < module->functions.count; i++) {
        const VcodeFunction *function = &module->functions.items[i];
        if (function->file != VCODE_NONE && !(function->flags & VCODE_FUNCTION_LIBRARY))
            name_number(&sources->files, vcode_source_name(module, function->file));
    }
}

json_t *mon_page_place(MonPageSources *sources, uint32_t site)
{
    TraceSite place = trace_reader_site(sources->trace, site);
    return place.file
               ? json_pack("{s:i, s:i}", "file", (int)name_number(&sources->files, place.file), "line", (int)place.line)
               : NULL;
}

/* -- as JSON ----------------------------------------------------------------------------------- */

static json_t *file_json(const char *name)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    gsize length = 0;
    json_t *object = json_object();
    json_object_set_new(object, "name", text_json(name));
    bool read = g_file_get_contents(name, &text, &length, &error);
    if (read && length <= MOST_BYTES) {
        json_object_set_new(object, "text", text_json(text));
        return object;
    }
    json_object_set_new(object, "text", json_null());
    json_object_set_new(object, "why", text_json(read ? "it is larger than 1 MiB" : error->message));
    return object;
}

static json_t *lines_json(const GArray *lines)
{
    json_t *list = json_array();
    for (guint i = 0; i < lines->len; i++) {
        const Line *line = &g_array_index(lines, Line, i);
        int64_t numbers[] = {line->file, line->line, (int64_t)line->ps[0], (int64_t)line->ps[1], (int64_t)line->ps[2]};
        json_array_append_new(list, numbers_json(numbers, G_N_ELEMENTS(numbers)));
    }
    return list;
}

void mon_page_sources_json(MonPageSources *sources, json_t *data)
{
    json_t *files = json_array();
    add_profile(sources);
    for (guint i = 0; i < sources->files.texts->len; i++)
        json_array_append_new(files, file_json(sources->files.texts->pdata[i]));
    json_object_set(data, "activities", sources->activity_list);
    json_object_set(data, "sites", sources->site_list);
    json_object_set_new(data, "functions", names_json(&sources->functions));
    json_object_set_new(data, "causes", names_json(&sources->causes));
    json_object_set_new(data, "files", files);
    json_object_set_new(data, "lines", lines_json(sources->line_list));
}

/* -- beginning and ending ---------------------------------------------------------------------- */

MonPageSources *mon_page_sources_new(const MonPage *page)
{
    MonPageSources *sources = g_new0(MonPageSources, 1);
    sources->trace = page->trace;
    sources->profile = page->profile;
    names_init(&sources->functions);
    names_init(&sources->causes);
    names_init(&sources->files);
    sources->activities = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    sources->activity_list = json_array();
    sources->site_list = json_array();
    sources->sites = g_hash_table_new(NULL, NULL);
    sources->lines = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    sources->line_list = g_array_new(FALSE, FALSE, sizeof(Line));
    mon_page_activity(sources, MON_PAGE_MIXED, NULL, 0, NULL); /* the first one */
    return sources;
}

void mon_page_sources_free(MonPageSources *sources)
{
    names_clear(&sources->functions);
    names_clear(&sources->causes);
    names_clear(&sources->files);
    g_hash_table_unref(sources->activities);
    json_decref(sources->activity_list);
    json_decref(sources->site_list);
    g_hash_table_unref(sources->sites);
    g_hash_table_unref(sources->lines);
    g_array_unref(sources->line_list);
    g_free(sources);
}
