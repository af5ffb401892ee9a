/* cmd_mpi.c - `orrery mpi --list`: the functions of the MPI standard, and which of them programs may call; --explain:
 * what they do (explain_mpi.c).
 *
 * The functions that are provided are the rows of mpi/functions.def, the others are those of mpi/absent.def.
 */
#include "base/choice.h"
#include "base/write_file.h"
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/commands/explain_mpi.h"
#include "mpi/mpi_world.h"

#include <jansson.h>
#include <string.h>

typedef struct MpiTarget {
    gboolean list, explain;
    char *state, *json;
} MpiTarget;

#define STATES(CHOICE) CHOICE(STATE_PROVIDED, "provided") CHOICE(STATE_MISSING, "missing")
BASE_CHOICE_ENUM(MpiState, STATES);
static const char *const states[] = BASE_CHOICE_NAMES(STATES);

const CliOption cli_mpi_options[] = {
    {"list", 'l', CLI_FLAG, NULL, offsetof(MpiTarget, list), "print the table", "--list"},
    {"explain", 'e', CLI_FLAG, NULL, offsetof(MpiTarget, explain),
     "print what the named functions do, and what their parameters mean", "--explain MPI_Send"},
    {"state", 's', CLI_CHOICE, BASE_CHOICE_ALTERNATIVES(STATES), offsetof(MpiTarget, state),
     "only the functions of that state", "--state missing"},
    {"json", 0, CLI_RESULT, "FILE", offsetof(MpiTarget, json), "write the same as JSON", "--json mpi.json"},
    {0}};

static const CliUsage mpi_usage = {
    .command = "mpi",
    .synopsis = "[--list] [PATTERN...] | --explain NAME...",
    .text = "Lists the functions of the MPI standard with the version that introduced each, and whether Orrery "
            "provides it:\n"
            "then it is local or takes part in communication. A program may mention the others; a call of one ends\n"
            "the run. A PATTERN is part of a name, or a name with * and ?; upper and lower case are the same.\n\n"
            "  orrery mpi --list\n"
            "  orrery mpi --list --state provided 'MPI_Win_*'\n"
            "  orrery mpi --explain MPI_Sendrecv",
    .options = cli_mpi_options,
    .mixed = true,
};

typedef struct MpiRow {
    const char *name, *standard; /* version that introduced it, like "4.0" */
    MpiState state;
    bool local; /* of functions that are provided: it does not communicate */
} MpiRow;

/* -- the table --------------------------------------------------------------------------------- */

static int compare_rows(const void *a, const void *b)
{
    const MpiRow *x = a, *y = b;
    int order = g_ascii_strcasecmp(x->name, y->name);
    return order ? order : strcmp(x->name, y->name);
}

/* Returns whether a name matches a pattern: the whole name if the pattern has wildcards, else a part of it. */
static bool matches(const char *pattern, const char *name)
{
    g_autofree char *wanted = g_ascii_strdown(pattern, -1), *text = g_ascii_strdown(name, -1);
    if (!strpbrk(wanted, "*?"))
        return strstr(text, wanted);
    return g_pattern_match_simple(wanted, text) || g_pattern_match_simple(wanted, text + strlen("mpi_"));
}

static bool is_wanted(const MpiRow *row, const char *state, int n_patterns, char **patterns)
{
    bool wanted = n_patterns == 0;
    for (int i = 0; i < n_patterns && !wanted; i++)
        wanted = matches(patterns[i], row->name);
    return wanted && (!state || g_str_equal(state, states[row->state]));
}

static GArray *make_table(const char *state, int n_patterns, char **patterns)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(MpiRow));
    size_t n;
    const MpiFunctionInfo *provided = mpi_functions(&n);
    for (size_t i = 0; i < n; i++) {
        MpiRow row = {provided[i].name, provided[i].standard, STATE_PROVIDED, provided[i].local};
        if (is_wanted(&row, state, n_patterns, patterns))
            g_array_append_val(rows, row);
    }
    const MpiFunctionInfo *absent = mpi_functions_absent(&n);
    for (size_t i = 0; i < n; i++) {
        MpiRow row = {absent[i].name, absent[i].standard, STATE_MISSING, false};
        if (is_wanted(&row, state, n_patterns, patterns))
            g_array_append_val(rows, row);
    }
    g_array_sort(rows, compare_rows);
    return rows;
}

static size_t count_missing(const GArray *rows)
{
    size_t n = 0;
    for (guint i = 0; i < rows->len; i++)
        n += g_array_index(rows, MpiRow, i).state == STATE_MISSING;
    return n;
}

/* -- printing ---------------------------------------------------------------------------------- */

static void append_text(GString *out, const GArray *rows)
{
    int width = 0;
    for (guint i = 0; i < rows->len; i++)
        width = MAX(width, (int)strlen(g_array_index(rows, MpiRow, i).name));
    for (guint i = 0; i < rows->len; i++) {
        const MpiRow *row = &g_array_index(rows, MpiRow, i);
        g_string_append_printf(out, "%-*s  MPI-%s  %s", width, row->name, row->standard, states[row->state]);
        if (row->state == STATE_PROVIDED)
            g_string_append(out, row->local ? "  local" : "  communicates");
        g_string_append_c(out, '\n');
    }
    size_t missing = count_missing(rows);
    g_string_append_printf(out, "%zu functions provided, each also under its PMPI_ name; %zu missing\n",
                           rows->len - missing, missing);
}

static bool write_json(const char *path, const GArray *rows, GError **error)
{
    json_t *list = json_array();
    for (guint i = 0; i < rows->len; i++) {
        const MpiRow *row = &g_array_index(rows, MpiRow, i);
        json_t *object =
            json_pack("{s:s, s:s, s:s}", "name", row->name, "standard", row->standard, "state", states[row->state]);
        if (row->state == STATE_PROVIDED)
            json_object_set_new(object, "local", json_boolean(row->local));
        json_array_append_new(list, object);
    }
    json_t *whole = json_pack("{s:i, s:o}", "orrery", 1, "functions", list);
    char *text = json_dumps(whole, JSON_INDENT(1));
    json_decref(whole);
    g_autofree char *line = g_strconcat(text, "\n", NULL);
    free(text);
    return base_write_report(path, line, strlen(line), error);
}

static bool check_state(const char *state, GError **error)
{
    if (!state || g_strv_contains(states, state))
        return true;
    return cli_error_usage(error, "--state %s: a function is provided or missing", state);
}

static bool list(const MpiTarget *target, int n_patterns, char **patterns, GError **error)
{
    g_autoptr(GArray) rows = make_table(target->state, n_patterns, patterns);
    g_autoptr(GString) out = g_string_new(NULL);
    append_text(out, rows);
    return (!target->json || write_json(target->json, rows, error)) && cli_say_output(out->str);
}

static bool explain(int n_names, char **names, GError **error)
{
    g_autoptr(GString) out = g_string_new(NULL);
    if (n_names == 0)
        return cli_error_usage(error, "--explain needs the name of a function, as in --explain MPI_Send");
    return cli_explain_mpi(out, n_names, names, error) && cli_say_output(out->str);
}

int cli_mpi(int argc, char **argv)
{
    MpiTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false, good = true;
    if (cli_option_parse(&mpi_usage, &target, &argc, argv, &done, &error) && !done && check_state(target.state, &error))
        good = target.explain ? explain(argc - 1, argv + 1, &error) : list(&target, argc - 1, argv + 1, &error);
    cli_option_clear(cli_mpi_options, &target);
    if (error)
        return cli_error_report(error);
    return good ? 0 : CLI_STATUS_USAGE;
}
