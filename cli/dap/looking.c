/* looking.c - where ranks are: threads, stacks, sources; and what only Orrery has: queues, who waits for whom. */
#include "cli/dap/server.h"

#include <string.h>

/* -- ranks ------------------------------------------------------------------------------------- */

static void add_thread(json_t *all, uint32_t rank, uint64_t thread, const char *name)
{
    json_array_append_new(all, json_pack("{s:I, s:s}", "id", cli_dap_running_thread(rank, thread), "name", name));
}

json_t *cli_dap_threads(DapServer *server, const json_t *arguments, GError **error)
{
    (void)arguments;
    json_t *ranks = cli_dap_values_ask(server, MON_QUERY_DATA_RANKS, &(MonPlace){0}, NULL, error), *one, *id;
    json_t *all = json_array();
    size_t i, k;
    json_array_foreach(ranks, i, one)
    {
        g_autofree char *name = g_strdup_printf("rank %zu%s", i, cli_dap_flag(one, "ended") ? " (ended)" : "");
        add_thread(all, (uint32_t)i, 0, name);
        json_array_foreach(json_object_get(one, "threads"), k, id)
        {
            g_autofree char *further =
                g_strdup_printf("rank %zu thread %" JSON_INTEGER_FORMAT, i, json_integer_value(id));
            if (k > 0)
                add_thread(all, (uint32_t)i, (uint64_t)json_integer_value(id), further);
        }
    }
    bool good = ranks;
    json_decref(ranks);
    if (good)
        return json_pack("{s:o}", "threads", all);
    json_decref(all);
    return NULL;
}

json_t *cli_dap_ranks(DapServer *server, const json_t *arguments, GError **error)
{
    (void)arguments;
    json_t *ranks = cli_dap_values_ask(server, MON_QUERY_DATA_RANKS, &(MonPlace){0}, NULL, error);
    return ranks ? json_pack("{s:o}", "ranks", ranks) : NULL;
}

/* What a client may ask for by a word, in the console too. */
static const struct {
    const char *word;
    MonQuery query;
} looks[] = {
    {"why", MON_QUERY_WHY},         {"waits", MON_QUERY_WAITS},   {"queues", MON_QUERY_QUEUES},
    {"stacks", MON_QUERY_STACKS},   {"where", MON_QUERY_WHERE},   {"findings", MON_QUERY_FINDINGS},
    {"load", MON_QUERY_LOAD},       {"ranks", MON_QUERY_RANKS},   {"threads", MON_QUERY_THREADS},
    {"locks", MON_QUERY_LOCKS},     {"locals", MON_QUERY_LOCALS}, {"backtrace", MON_QUERY_BACKTRACE},
    {"objects", MON_QUERY_OBJECTS}, {"x", MON_QUERY_MEMORY},      {"whatis", MON_QUERY_WHATIS},
    {"ptype", MON_QUERY_PTYPE},
};

/* Answers "queues 0-3" and the like. NULL with an error, or without one if it is no such word. */
static json_t *look(DapServer *server, const char *text, const MonPlace *place, GError **error)
{
    size_t length = strcspn(text, " /");
    const char *rest = text + length + strspn(text + length, " ");
    for (size_t i = 0; i < G_N_ELEMENTS(looks); i++)
        if (strlen(looks[i].word) == length && strncmp(looks[i].word, text, length) == 0) {
            g_autoptr(GString) out = g_string_new(NULL);
            return mon_session_ask(server->core, looks[i].query, place, rest, out, error)
                       ? cli_dap_text(g_strchomp(out->str))
                       : NULL;
        }
    return NULL;
}

json_t *cli_dap_look(DapServer *server, const json_t *arguments, GError **error)
{
    MonPlace place = {0};
    const char *what = cli_dap_string(arguments, "what");
    if (!what || !cli_dap_values_frame(server, arguments, &place, error))
        return what ? NULL : cli_dap_refuse(error, "look: what is missing, such as queues");
    json_t *text = look(server, what, &place, error);
    if (!text && error && !*error)
        return cli_dap_refuse(error, "look: there is no '%s'", what);
    return text ? json_pack("{s:o}", "text", text) : NULL;
}

/* -- stacks ------------------------------------------------------------------------------------ */

static json_t *describe_source(const DapServer *server, const char *name)
{
    g_autofree char *path = cli_dap_launch_path(server, name), *base = g_path_get_basename(name);
    return json_pack("{s:o, s:o}", "name", cli_dap_text(base), "path", cli_dap_text(path));
}

static json_t *describe_frame(DapServer *server, const MonPlace *place, const json_t *frame)
{
    DapFrame shown = {place->rank, (uint32_t)cli_dap_integer(frame, "level", 0), place->thread};
    const char *file = cli_dap_string(frame, "file");
    g_array_append_val(server->frames, shown);
    g_autofree char *pc = g_strdup_printf("0x%llx", (long long)cli_dap_integer(frame, "pc", 0));
    json_t *one =
        json_pack("{s:i, s:O, s:I, s:i, s:s}", "id", (int)server->frames->len, "name", json_object_get(frame, "name"),
                  "line", file ? cli_dap_integer(frame, "line", 0) - !server->first_line : (json_int_t)0, "column",
                  server->first_column ? 1 : 0, "instructionPointerReference", pc);
    if (file)
        json_object_set_new(one, "source", describe_source(server, file));
    if (cli_dap_flag(frame, "library"))
        json_object_set_new(one, "presentationHint", json_string("subtle"));
    return one;
}

json_t *cli_dap_stackTrace(DapServer *server, const json_t *arguments, GError **error)
{
    MonPlace place = {0};
    if (!cli_dap_running_place(server, arguments, &place, error))
        return NULL;
    json_t *frames = cli_dap_values_ask(server, MON_QUERY_DATA_STACK, &place, NULL, error), *frame;
    if (!frames)
        return NULL;
    json_int_t first = MAX(cli_dap_integer(arguments, "startFrame", 0), 0),
               count = cli_dap_integer(arguments, "levels", 0);
    json_t *all = json_array();
    size_t i, skipped = 0; /* the library's own functions at the top are of no use to anybody */
    while (skipped < json_array_size(frames) && cli_dap_flag(json_array_get(frames, skipped), "library"))
        skipped++;
    skipped = skipped < json_array_size(frames) ? skipped : 0;
    json_array_foreach(frames, i,
                       frame) if (i >= skipped + (size_t)first && (count <= 0 || i < skipped + (size_t)(first + count)))
        json_array_append_new(all, describe_frame(server, &place, frame));
    int total = (int)(json_array_size(frames) - skipped);
    json_decref(frames);
    return json_pack("{s:o, s:i}", "stackFrames", all, "totalFrames", total);
}

/* -- sources ----------------------------------------------------------------------------------- */

json_t *cli_dap_loadedSources(DapServer *server, const json_t *arguments, GError **error)
{
    (void)arguments;
    json_t *names = cli_dap_values_ask(server, MON_QUERY_DATA_SOURCES, &(MonPlace){0}, NULL, error), *name;
    json_t *all = json_array();
    size_t i;
    json_array_foreach(names, i, name) json_array_append_new(all, describe_source(server, json_string_value(name)));
    json_decref(names);
    return json_pack("{s:o}", "sources", all);
}

json_t *cli_dap_source(DapServer *server, const json_t *arguments, GError **error)
{
    const char *path = cli_dap_string(json_object_get(arguments, "source"), "path");
    g_autofree char *text = NULL;
    json_t *known = cli_dap_loadedSources(server, NULL, NULL), *one;
    bool own = false;
    size_t i;
    json_array_foreach(json_object_get(known, "sources"), i, one) own =
        own || g_strcmp0(cli_dap_string(one, "path"), path) == 0;
    json_decref(known);
    if (!path || !own || !g_file_get_contents(path, &text, NULL, NULL))
        return cli_dap_refuse(error, "source: that is no source of the program, or it cannot be read");
    return json_pack("{s:o, s:s}", "content", cli_dap_text(text), "mimeType", "text/x-c");
}

json_t *cli_dap_modules(DapServer *server, const json_t *arguments, GError **error)
{
    (void)arguments;
    (void)error;
    const char *path = cli_dap_launch_program(server);
    g_autofree char *name = g_path_get_basename(path);
    return json_pack("{s:[{s:i, s:o, s:o, s:b, s:s}], s:i}", "modules", "id", 1, "name", cli_dap_text(name), "path",
                     cli_dap_text(path), "isUserCode", 1, "symbolStatus", "line tables and types", "totalModules", 1);
}

/* -- what is typed ------------------------------------------------------------------------------ */

static json_t *describe_result(DapServer *server, const json_t *value, const MonPlace *place)
{
    json_t *body = json_pack("{s:O, s:i}", "result", json_object_get(value, "value"), "variablesReference", 0);
    const char *type = cli_dap_string(value, "type");
    json_int_t parts = cli_dap_integer(value, "parts", 0);
    if (type && *type)
        json_object_set_new(body, "type", json_string(type));
    if (json_object_get(value, "address") && server->takes_memory) {
        g_autofree char *reference = g_strdup_printf("0x%llx", (long long)cli_dap_integer(value, "address", 0));
        json_object_set_new(body, "memoryReference", json_string(reference));
    }
    if (parts) {
        DapFrame frame = {place->rank, place->frame, place->thread};
        bool indexed = cli_dap_flag(value, "indexed");
        json_object_set_new(
            body, "variablesReference",
            json_integer(cli_dap_values_add(server, &frame, NULL, cli_dap_string(value, "expression"), indexed)));
        json_object_set_new(body, indexed ? "indexedVariables" : "namedVariables", json_integer(parts));
    }
    return body;
}

static json_t *answer_text(json_t *text)
{
    return json_pack("{s:o, s:i}", "result", text, "variablesReference", 0);
}

/* "@all x": over ranks. */
static json_t *over_ranks(DapServer *server, const char *text, const MonPlace *place, GError **error)
{
    g_autoptr(GString) out = g_string_new(NULL);
    g_autofree char *asked = g_strconcat("\n", text + 1, NULL); /* no names of sets */
    return mon_session_ask(server->core, MON_QUERY_PRINT_OVER, place, asked, out, error)
               ? answer_text(cli_dap_text(g_strchomp(out->str)))
               : NULL;
}

static json_t *change(DapServer *server, const char *text, const MonPlace *place, GError **error)
{
    g_autoptr(GString) out = g_string_new(NULL);
    if (!mon_session_set(server->core, place, text, out, error))
        return NULL;
    return answer_text(cli_dap_text(g_strchomp(out->str)));
}

json_t *cli_dap_evaluate(DapServer *server, const json_t *arguments, GError **error)
{
    MonPlace place = {0};
    const char *given = cli_dap_string(arguments, "expression"), *context = cli_dap_string(arguments, "context");
    bool typed = g_strcmp0(context, "repl") == 0;
    if (!given)
        return cli_dap_refuse(error, "evaluate: expression is missing");
    if (!cli_dap_values_frame(server, arguments, &place, error))
        return NULL;
    g_autofree char *text = g_strstrip(g_strdup(given));
    if (*text == '@')
        return over_ranks(server, text, &place, error);
    g_autoptr(GError) no_word = NULL;
    json_t *told = typed ? look(server, text, &place, &no_word) : NULL;
    if (told)
        return answer_text(told);
    json_t *value = cli_dap_values_ask(server, MON_QUERY_DATA_VALUE, &place, text, error), *body = NULL;
    if (value && cli_dap_flag(value, "changes") && typed)
        body = change(server, text, &place, error);
    else if (cli_dap_string(value, "error"))
        (void)cli_dap_refuse(error, "%s", no_word ? no_word->message : cli_dap_string(value, "error"));
    else if (value)
        body = describe_result(server, value, &place);
    json_decref(value);
    return body;
}

static size_t start_of_word(const char *text, size_t end)
{
    while (end > 0 && (g_ascii_isalnum(text[end - 1]) || text[end - 1] == '_'))
        end--;
    return end;
}

json_t *cli_dap_completions(DapServer *server, const json_t *arguments, GError **error)
{
    MonPlace place = {0};
    const char *text = cli_dap_string(arguments, "text");
    if (!text)
        return cli_dap_refuse(error, "completions: text is missing");
    if (!cli_dap_values_frame(server, arguments, &place, error))
        return NULL;
    json_int_t column = cli_dap_integer(arguments, "column", 1) - server->first_column;
    size_t end = (size_t)CLAMP(column, 0, (json_int_t)strlen(text)), start = start_of_word(text, end);
    g_autofree char *word = g_strndup(text + start, end - start);
    json_t *names = cli_dap_values_ask(server, MON_QUERY_DATA_NAMES, &place, word, error), *one, *all = json_array();
    size_t i;
    json_array_foreach(names, i, one) json_array_append_new(
        all, json_pack("{s:O, s:O, s:I, s:I}", "label", json_object_get(one, "name"), "type",
                       json_object_get(one, "kind"), "start", (json_int_t)start, "length", (json_int_t)(end - start)));
    for (i = 0; i < G_N_ELEMENTS(looks) && start == 0; i++)
        if (*word && g_str_has_prefix(looks[i].word, word))
            json_array_append_new(all, json_pack("{s:s, s:s}", "label", looks[i].word, "type", "keyword"));
    json_decref(names);
    return json_pack("{s:o}", "targets", all);
}
