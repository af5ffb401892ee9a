/* breakpoints.c - breakpoints of all kinds. A request of the protocol replaces all that the same request set before:
 * those of a file, of functions, of data. Which is whose stands in server->points.
 */
#include "base/choice.h"
#include "cli/base/base.h"
#include "cli/dap/server.h"
#include "mpi/mpi_world.h"

#include <stdlib.h>
#include <string.h>

/* -- one breakpoint ----------------------------------------------------------------------------- */

/* "5" and ">= 5": from the fifth time on; "> 5": from the sixth. Sets how often it does not stop. */
static bool read_hits(const char *text, uint64_t *ignore, GError **error)
{
    uint64_t more = 0;
    char *end;
    text += strspn(text, " ");
    if (g_str_has_prefix(text, ">="))
        text += 2;
    else if (*text == '>') {
        more = 1;
        text++;
    }
    text += strspn(text, " ");
    uint64_t n = g_ascii_strtoull(text, &end, 10);
    if (end == text || *(end + strspn(end, " ")) || n + more == 0 || *text == '-')
        return cli_dap_refuse(error, "a hit count is like 5, >= 5 or > 5") != NULL;
    *ignore = n + more - 1;
    return true;
}

/* Sets a breakpoint with what the protocol says of it besides its place. Returns its number, or 0 with an error. */
static unsigned set_one(DapServer *server, MonBreakpoint *wanted, const json_t *item, uint32_t frame, const char *owner,
                        GError **error)
{
    const char *condition = cli_dap_string(item, "condition"), *hits = cli_dap_string(item, "hitCondition"),
               *message = cli_dap_string(item, "logMessage");
    wanted->condition = (char *)(condition && *condition ? condition : NULL);
    wanted->log = message && *message;
    wanted->message = (char *)(wanted->log ? message : NULL);
    if (hits && *hits && !read_hits(hits, &wanted->ignore, error))
        return 0;
    unsigned number = mon_session_break(server->core, wanted, frame, error);
    if (number)
        g_hash_table_insert(server->points, GUINT_TO_POINTER(number), g_strdup(owner));
    return number;
}

/* Takes away what this request has set before. */
static void take_back(DapServer *server, const char *owner)
{
    GHashTableIter iter;
    gpointer number, by;
    g_hash_table_iter_init(&iter, server->points);
    while (g_hash_table_iter_next(&iter, &number, &by))
        if (strcmp(by, owner) == 0) {
            mon_session_break_remove(server->core, GPOINTER_TO_UINT(number));
            g_hash_table_iter_remove(&iter);
        }
}

static json_t *failed(const GError *error)
{
    return json_pack("{s:b, s:o}", "verified", 0, "message", cli_dap_text(error->message));
}

/* -- lines ------------------------------------------------------------------------------------- */

/* Returns the name that the program has for a file of the client's, for the caller to free. */
static char *name_of_file(DapServer *server, const char *path)
{
    json_t *known = cli_dap_values_ask(server, MON_QUERY_DATA_SOURCES, &(MonPlace){0}, NULL, NULL), *name;
    char *found = NULL;
    size_t i;
    json_array_foreach(known, i, name)
    {
        g_autofree char *whole = cli_dap_launch_path(server, json_string_value(name));
        if (!found && strcmp(whole, path) == 0)
            found = g_strdup(json_string_value(name));
    }
    json_decref(known);
    return found ? found : g_strdup(path);
}

/* The line that it has got: "a.c:12 (line 11 has no code)". */
static json_int_t line_of(const char *described, json_int_t otherwise)
{
    g_autofree char *place = g_strndup(described, strcspn(described, " ("));
    const char *colon = strrchr(place, ':');
    return colon && g_ascii_isdigit(colon[1]) ? strtol(colon + 1, NULL, 10) : otherwise;
}

json_t *cli_dap_setBreakpoints(DapServer *server, const json_t *arguments, GError **error)
{
    const json_t *source = json_object_get(arguments, "source"), *items = json_object_get(arguments, "breakpoints");
    const char *path = cli_dap_string(source, "path");
    size_t i;
    json_t *item, *all;
    if (!path)
        return cli_dap_refuse(error, "setBreakpoints: source.path is missing");
    g_autofree char *name = name_of_file(server, path);
    take_back(server, path);
    all = json_array();
    json_array_foreach(items, i, item)
    {
        g_autoptr(GError) why = NULL;
        json_int_t line = cli_dap_integer(item, "line", 0) + !server->first_line;
        g_autofree char *where = g_strdup_printf("%s:%" JSON_INTEGER_FORMAT, name, line);
        MonBreakpoint wanted = {.where = where};
        unsigned number = set_one(server, &wanted, item, 0, path, &why);
        json_t *told;
        if (number) {
            const char *described = mon_session_breakpoint(server->core, number)->described;
            json_int_t got = line_of(described, line);
            told = json_pack("{s:i, s:b, s:I, s:O}", "id", (int)number, "verified", 1, "line",
                             got - !server->first_line, "source", source);
            if (got != line)
                json_object_set_new(told, "message", cli_dap_text(described));
        } else {
            told = failed(why);
            json_object_set_new(told, "line", json_integer(line - !server->first_line));
        }
        json_array_append_new(all, told);
    }
    return json_pack("{s:o}", "breakpoints", all);
}

json_t *cli_dap_breakpointLocations(DapServer *server, const json_t *arguments, GError **error)
{
    const char *path = cli_dap_string(json_object_get(arguments, "source"), "path");
    json_int_t first = cli_dap_integer(arguments, "line", 0) + !server->first_line,
               last = cli_dap_integer(arguments, "endLine", first - !server->first_line) + !server->first_line;
    if (!path)
        return cli_dap_refuse(error, "breakpointLocations: source.path is missing");
    g_autofree char *name = name_of_file(server, path);
    json_t *lines = cli_dap_values_ask(server, MON_QUERY_DATA_LINES, &(MonPlace){0}, name, error), *line;
    json_t *all = json_array();
    size_t i;
    json_array_foreach(lines, i, line) if (json_integer_value(line) >= first && json_integer_value(line) <= last)
        json_array_append_new(all, json_pack("{s:I}", "line", json_integer_value(line) - !server->first_line));
    bool good = lines;
    json_decref(lines);
    if (good)
        return json_pack("{s:o}", "breakpoints", all);
    json_decref(all);
    return NULL;
}

/* -- functions, instructions -------------------------------------------------------------------- */

/* Sets a breakpoint for each item; `place_of` says where, or NULL with an error. */
static json_t *set_all(DapServer *server, const json_t *items, const char *owner,
                       char *(*place_of)(const json_t *item, GError **error))
{
    json_t *all = json_array(), *item;
    size_t i;
    take_back(server, owner);
    json_array_foreach(items, i, item)
    {
        g_autoptr(GError) why = NULL;
        g_autofree char *where = place_of(item, &why);
        MonBreakpoint wanted = {.where = where};
        unsigned number = where ? set_one(server, &wanted, item, 0, owner, &why) : 0;
        json_array_append_new(all,
                              number ? json_pack("{s:i, s:b, s:o}", "id", (int)number, "verified", 1, "message",
                                                 cli_dap_text(mon_session_breakpoint(server->core, number)->described))
                                     : failed(why));
    }
    return json_pack("{s:o}", "breakpoints", all);
}

static char *function_of(const json_t *item, GError **error)
{
    const char *name = cli_dap_string(item, "name");
    if (!name || !*name)
        (void)cli_dap_refuse(error, "a function has a name");
    return name && *name ? g_strdup(name) : NULL;
}

json_t *cli_dap_setFunctionBreakpoints(DapServer *server, const json_t *arguments, GError **error)
{
    (void)error;
    return set_all(server, json_object_get(arguments, "breakpoints"), "*function", function_of);
}

static char *instruction_of(const json_t *item, GError **error)
{
    const char *reference = cli_dap_string(item, "instructionReference");
    char *end;
    uint64_t pc = reference ? g_ascii_strtoull(reference, &end, 0) : 0;
    if (!reference || end == reference || *end) {
        (void)cli_dap_refuse(error, "an instruction is named by its address, as disassemble tells it");
        return NULL;
    }
    return g_strdup_printf("*%lld", (long long)pc + cli_dap_integer(item, "offset", 0));
}

json_t *cli_dap_setInstructionBreakpoints(DapServer *server, const json_t *arguments, GError **error)
{
    (void)error;
    return set_all(server, json_object_get(arguments, "breakpoints"), "*instruction", instruction_of);
}

/* -- exceptions -------------------------------------------------------------------------------- */

typedef struct Filter {
    const char *id, *label, *help, *where;
    MonPointKind kind;
    bool on;
} Filter;

static const Filter filters[] = {
    {"fault", "Faults", "a rank faults or aborts", "", MON_POINT_FAULT, true},
    {"deadlock", "Deadlocks", "no rank can go on", "", MON_POINT_DEADLOCK, true},
    {"mpi-error", "Errors of MPI", "a call of MPI fails, whatever its error handler does", "", MON_POINT_ERROR, false},
    {"finding", "Findings of any check", "what --check looks for; see check of the launch request", "",
     MON_POINT_FINDING, false},
#define MPI_CHECK(identifier, name, when, sort, help)                                                                  \
    {"finding:" name, "Check " name, help, name, MON_POINT_FINDING, false},
#include "mpi/checks.def"
};

static json_t *describe_filter(const Filter *filter)
{
    return json_pack("{s:s, s:s, s:s, s:b, s:b}", "filter", filter->id, "label", filter->label, "description",
                     filter->help, "default", filter->on, "supportsCondition", 1);
}

json_t *cli_dap_breakpoints_filters(void)
{
    json_t *all = json_array();
    for (size_t i = 0; i < G_N_ELEMENTS(filters); i++)
        json_array_append_new(all, describe_filter(&filters[i]));
    return all;
}

static json_t *set_filter(DapServer *server, const char *id, const json_t *item)
{
    g_autoptr(GError) why = NULL;
    for (size_t i = 0; id && i < G_N_ELEMENTS(filters); i++)
        if (strcmp(filters[i].id, id) == 0) {
            MonBreakpoint wanted = {.kind = filters[i].kind, .where = (char *)filters[i].where};
            unsigned number = set_one(server, &wanted, item, 0, "*exception", &why);
            return number ? json_pack("{s:i, s:b}", "id", (int)number, "verified", 1) : failed(why);
        }
    (void)cli_dap_refuse(&why, "there is no filter '%s'", id ? id : "");
    return failed(why);
}

void cli_dap_breakpoints_begin(DapServer *server)
{
    for (size_t i = 0; i < G_N_ELEMENTS(filters); i++)
        if (filters[i].on)
            json_decref(set_filter(server, filters[i].id, NULL));
}

json_t *cli_dap_setExceptionBreakpoints(DapServer *server, const json_t *arguments, GError **error)
{
    (void)error;
    size_t i;
    json_t *item, *all = json_array();
    take_back(server, "*exception");
    json_array_foreach(json_object_get(arguments, "filters"), i, item)
        json_array_append_new(all, set_filter(server, json_string_value(item), NULL));
    json_array_foreach(json_object_get(arguments, "filterOptions"), i, item)
        json_array_append_new(all, set_filter(server, cli_dap_string(item, "filterId"), item));
    return json_pack("{s:o}", "breakpoints", all);
}

/* -- data -------------------------------------------------------------------------------------- */

/* What is watched is named "RANK FRAME EXPRESSION". */
json_t *cli_dap_dataBreakpointInfo(DapServer *server, const json_t *arguments, GError **error)
{
    const char *name = cli_dap_string(arguments, "name");
    MonPlace place = {0};
    if (!name)
        return cli_dap_refuse(error, "dataBreakpointInfo: name is missing");
    json_int_t reference = cli_dap_integer(arguments, "variablesReference", 0);
    const char *expression = reference ? cli_dap_values_expression(server, reference, name, &place) : name;
    if (!reference && !cli_dap_values_frame(server, arguments, &place, error))
        return NULL;
    json_t *value = expression ? cli_dap_values_ask(server, MON_QUERY_DATA_VALUE, &place, expression, NULL) : NULL;
    bool there = json_object_get(value, "address") != NULL;
    json_decref(value);
    if (!there)
        return json_pack("{s:n, s:s}", "dataId", "description", "it is not in memory here: -O0 keeps variables there");
    g_autofree char *id = g_strdup_printf("%u %u %s", place.rank, place.frame, expression);
    g_autofree char *text = g_strdup_printf("%s of rank %u", expression, place.rank);
    return json_pack("{s:o, s:o, s:[s, s, s], s:b}", "dataId", cli_dap_text(id), "description", cli_dap_text(text),
                     "accessTypes", "read", "write", "readWrite", "canPersist", 0);
}

json_t *cli_dap_setDataBreakpoints(DapServer *server, const json_t *arguments, GError **error)
{
    (void)error;
    size_t i;
    json_t *item, *all = json_array();
    take_back(server, "*data");
    json_array_foreach(json_object_get(arguments, "breakpoints"), i, item)
    {
        g_autoptr(GError) why = NULL;
        const char *id = cli_dap_string(item, "dataId"), *access = cli_dap_string(item, "accessType");
        char *rest = (char *)(id ? id : "");
        uint32_t rank = (uint32_t)strtoul(rest, &rest, 10), frame = (uint32_t)strtoul(rest, &rest, 10);
        MonBreakpoint wanted = {.watch = true,
                                .watch_rank = rank,
                                .where = rest + strspn(rest, " "),
                                .reads = g_strcmp0(access, "read") == 0 || g_strcmp0(access, "readWrite") == 0,
                                .writes = g_strcmp0(access, "readWrite") == 0};
        unsigned number = 0;
        if (id && *wanted.where && rank < mon_session_ranks(server->core))
            number = set_one(server, &wanted, item, frame, "*data", &why);
        else
            (void)cli_dap_refuse(&why, "that is no dataId of dataBreakpointInfo");
        json_array_append_new(all, number ? json_pack("{s:i, s:b}", "id", (int)number, "verified", 1) : failed(why));
    }
    return json_pack("{s:o}", "breakpoints", all);
}
