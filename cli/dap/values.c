/* values.c - scopes, variables and their parts. What has parts gets a number, by which a client asks for them. */
#include "cli/dap/server.h"

#include <string.h>

json_t *cli_dap_values_ask(DapServer *server, MonQuery query, const MonPlace *place, const char *argument,
                           GError **error)
{
    g_autoptr(GString) out = g_string_new(NULL);
    if (!mon_session_ask(server->core, query, place, argument, out, error))
        return NULL;
    json_t *answer = json_loads(out->str, JSON_DECODE_ANY, NULL);
    return answer ? answer : cli_dap_refuse(error, "the answer cannot be read");
}

bool cli_dap_values_frame(const DapServer *server, const json_t *arguments, MonPlace *place, GError **error)
{
    json_int_t id = cli_dap_integer(arguments, "frameId", 0);
    if (id < 0 || id > server->frames->len)
        return cli_dap_refuse(error, "there is no frame %" JSON_INTEGER_FORMAT " any more", id) != NULL;
    if (id > 0) {
        const DapFrame *frame = &g_array_index(server->frames, DapFrame, id - 1);
        *place = (MonPlace){.rank = frame->rank, .frame = frame->level, .thread = frame->thread};
        return true;
    }
    return cli_dap_running_place(server, arguments, place, error);
}

void cli_dap_values_free(gpointer data)
{
    DapReference *reference = data;
    g_free(reference->scope);
    g_free(reference->expression);
    g_clear_pointer(&reference->names, g_hash_table_unref);
    g_free(reference);
}

static DapReference *reference_of(const DapServer *server, json_int_t number)
{
    return number >= 1 && number <= server->references->len ? g_ptr_array_index(server->references, number - 1) : NULL;
}

json_int_t cli_dap_values_add(DapServer *server, const DapFrame *frame, const char *scope, const char *expression,
                              bool indexed)
{
    DapReference *reference = g_new0(DapReference, 1);
    reference->frame = *frame;
    reference->scope = g_strdup(scope);
    reference->expression = g_strdup(expression);
    reference->indexed = indexed;
    reference->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_ptr_array_add(server->references, reference);
    return (json_int_t)server->references->len;
}

const char *cli_dap_values_expression(const DapServer *server, json_int_t number, const char *name, MonPlace *place)
{
    const DapReference *reference = reference_of(server, number);
    if (!reference)
        return NULL;
    *place = (MonPlace){reference->frame.rank, reference->frame.level, reference->frame.thread};
    return g_hash_table_lookup(reference->names, name);
}

/* -- scopes ------------------------------------------------------------------------------------ */

static const struct {
    const char *name, *scope, *hint;
    bool expensive;
} scopes[] = {{"Locals", "locals", "locals", false},
              {"Arguments", "arguments", "arguments", false},
              {"Globals", "globals", NULL, true},
              {"MPI", "mpi", NULL, true}};

json_t *cli_dap_scopes(DapServer *server, const json_t *arguments, GError **error)
{
    MonPlace place = {0};
    if (!cli_dap_values_frame(server, arguments, &place, error))
        return NULL;
    json_t *all = json_array();
    DapFrame frame = {place.rank, place.frame, place.thread};
    for (size_t i = 0; i < G_N_ELEMENTS(scopes); i++) {
        json_t *one = json_pack("{s:s, s:I, s:b}", "name", scopes[i].name, "variablesReference",
                                cli_dap_values_add(server, &frame, scopes[i].scope, NULL, false), "expensive",
                                scopes[i].expensive);
        if (scopes[i].hint)
            json_object_set_new(one, "presentationHint", json_string(scopes[i].hint));
        json_array_append_new(all, one);
    }
    return json_pack("{s:o}", "scopes", all);
}

/* -- variables --------------------------------------------------------------------------------- */

static json_t *describe_variable(DapServer *server, DapReference *within, const json_t *value)
{
    const char *name = cli_dap_string(value, "name"), *expression = cli_dap_string(value, "expression"),
               *problem = cli_dap_string(value, "error"), *type = cli_dap_string(value, "type");
    json_int_t parts = cli_dap_integer(value, "parts", 0);
    DapFrame frame = within->frame;
    g_hash_table_insert(within->names, g_strdup(name), g_strdup(expression));
    g_autofree char *why = problem ? g_strdup_printf("<%.*s>", (int)strcspn(problem, "\n"), problem) : NULL;
    json_t *one = json_pack(
        "{s:s, s:o, s:s, s:I}", "name", name, "value", cli_dap_text(why ? why : cli_dap_string(value, "value")),
        "evaluateName", expression, "variablesReference",
        parts ? cli_dap_values_add(server, &frame, NULL, expression, cli_dap_flag(value, "indexed")) : (json_int_t)0);
    if (type && *type)
        json_object_set_new(one, "type", json_string(type));
    if (parts)
        json_object_set_new(one, cli_dap_flag(value, "indexed") ? "indexedVariables" : "namedVariables",
                            json_integer(parts));
    if (json_object_get(value, "address") && server->takes_memory) {
        g_autofree char *reference = g_strdup_printf("0x%llx", (long long)cli_dap_integer(value, "address", 0));
        json_object_set_new(one, "memoryReference", json_string(reference));
    }
    return one;
}

/* What a rank has in MPI, as texts. */
static json_t *describe_mpi(DapServer *server, const MonPlace *place)
{
    static const struct {
        const char *name;
        MonQuery query;
        bool of_rank;
    } rows[] = {
        {"queues", MON_QUERY_QUEUES, true}, {"why", MON_QUERY_WHY, false}, {"findings", MON_QUERY_FINDINGS, false}};
    json_t *all = json_array();
    g_autofree char *rank = g_strdup_printf("\n%u", place->rank);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GString) out = g_string_new(NULL);
        g_autoptr(GError) error = NULL;
        if (!mon_session_ask(server->core, rows[i].query, place, rows[i].of_rank ? rank : NULL, out, &error))
            g_string_assign(out, error->message);
        json_array_append_new(all, json_pack("{s:s, s:o, s:i}", "name", rows[i].name, "value",
                                             cli_dap_text(g_strchomp(out->str)), "variablesReference", 0));
    }
    return all;
}

static json_t *ask_for_parts(DapServer *server, const DapReference *reference, const json_t *arguments, GError **error)
{
    enum { MOST = 10000 };
    MonPlace place = {reference->frame.rank, reference->frame.level, reference->frame.thread};
    const char *filter = cli_dap_string(arguments, "filter");
    if (reference->scope)
        return cli_dap_values_ask(server, MON_QUERY_DATA_VARIABLES, &place, reference->scope, error);
    if (filter && reference->indexed != (strcmp(filter, "indexed") == 0))
        return json_array();
    json_int_t first = MAX(cli_dap_integer(arguments, "start", 0), 0), count = cli_dap_integer(arguments, "count", 0);
    g_autofree char *asked = g_strdup_printf("%" JSON_INTEGER_FORMAT " %" JSON_INTEGER_FORMAT " %s", first,
                                             count > 0 ? MIN(count, MOST) : MOST, reference->expression);
    return cli_dap_values_ask(server, MON_QUERY_DATA_PARTS, &place, asked, error);
}

json_t *cli_dap_variables(DapServer *server, const json_t *arguments, GError **error)
{
    json_int_t number = cli_dap_integer(arguments, "variablesReference", 0);
    DapReference *reference = reference_of(server, number);
    if (!reference)
        return cli_dap_refuse(error, "variables: there is no reference %" JSON_INTEGER_FORMAT " any more", number);
    if (g_strcmp0(reference->scope, "mpi") == 0) {
        MonPlace place = {reference->frame.rank, reference->frame.level, reference->frame.thread};
        return json_pack("{s:o}", "variables", describe_mpi(server, &place));
    }
    json_t *values = ask_for_parts(server, reference, arguments, error), *value, *all;
    size_t i;
    if (!values)
        return NULL;
    all = json_array();
    json_array_foreach(values, i, value) json_array_append_new(all, describe_variable(server, reference, value));
    json_decref(values);
    return json_pack("{s:o}", "variables", all);
}

/* -- changing ---------------------------------------------------------------------------------- */

static json_t *assign(DapServer *server, const MonPlace *place, const char *expression, const char *value,
                      GError **error)
{
    g_autofree char *text = g_strdup_printf("%s = %s", expression, value);
    g_autoptr(GString) out = g_string_new(NULL);
    if (!mon_session_set(server->core, place, text, out, error))
        return NULL;
    json_t *now = cli_dap_values_ask(server, MON_QUERY_DATA_VALUE, place, expression, NULL);
    const char *shown = cli_dap_string(now, "value");
    json_t *body = json_pack("{s:o, s:i}", "value", cli_dap_text(shown ? shown : value), "variablesReference", 0);
    json_decref(now);
    return body;
}

json_t *cli_dap_setVariable(DapServer *server, const json_t *arguments, GError **error)
{
    MonPlace place = {0};
    const char *name = cli_dap_string(arguments, "name"), *value = cli_dap_string(arguments, "value");
    if (!name || !value)
        return cli_dap_refuse(error, "setVariable: name and value are wanted");
    const char *expression =
        cli_dap_values_expression(server, cli_dap_integer(arguments, "variablesReference", 0), name, &place);
    if (!expression)
        return cli_dap_refuse(error, "setVariable: '%s' has not been shown there", name);
    g_autofree char *kept = g_strdup(expression);
    return assign(server, &place, kept, value, error);
}

json_t *cli_dap_setExpression(DapServer *server, const json_t *arguments, GError **error)
{
    MonPlace place = {0};
    const char *expression = cli_dap_string(arguments, "expression"), *value = cli_dap_string(arguments, "value");
    if (!expression || !value)
        return cli_dap_refuse(error, "setExpression: expression and value are wanted");
    return cli_dap_values_frame(server, arguments, &place, error) ? assign(server, &place, expression, value, error)
                                                                  : NULL;
}
