/* what_if.c - `orrery run --what-if`: what a run would gain if something were otherwise.
 *
 * Each hypothesis is a run of its own on a machine of its own, with the input that the run itself had. What it prints
 * is dropped. imbalance=none needs what ranks computed in the run itself.
 */
#include "base/nearest.h"
#include "base/units.h"
#include "cli/base/base.h"
#include "cli/why/why.h"
#include "vcode/vcode.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Hypothesis { /* one run */
    const char *text;       /* as it was given */
    MachWhatIf what_if;
    GArray *links, *lines;
    GPtrArray *settings; /* assignments to keys */
    bool level;          /* imbalance=none */
    GPtrArray *texts;    /* own strings */
    GPtrArray *names;    /* what it is about: each once */
} Hypothesis;

typedef struct Program {
    char *bytes;
    gsize size;
} Program;

struct CliWhatIf {
    const CliRunOptions *options;
    GPtrArray *hypotheses;
    CliRun *run;
    Program *programs;
    MachPace *pace; /* NULL: nobody needs it */
    GString *input; /* what has been read of standard input */
    bool input_ended;
    size_t at; /* what the present run has read of it */
};

/* -- hypotheses -------------------------------------------------------------------------------- */

/* Parses "4x", "0.5x". */
static bool parse_factor(const char *what, const char *text, uint64_t *num, uint64_t *den, GError **error)
{
    uint64_t digits = 0;
    unsigned places = 0, n = 0;
    bool point = false;
    const char *at = text;
    for (; g_ascii_isdigit(*at) || (*at == '.' && !point); at++) {
        point |= *at == '.';
        if (*at == '.')
            continue;
        digits = digits * 10 + (uint64_t)(*at - '0');
        places += point;
        n++;
    }
    if (n == 0 || n > 9 || strcmp(at, "x") != 0 || digits == 0)
        return cli_error_usage(error, "--what-if %s=%s: a factor above 0 is needed, such as 2x or 0.5x", what, text);
    *num = digits;
    for (*den = 1; places; places--)
        *den *= 10;
    return true;
}

static bool want_value(const char *what, const char *text, const char *only, GError **error)
{
    return strcmp(text, only) == 0 || cli_error_usage(error, "--what-if %s=%s: it can only be %s", what, text, only);
}

static bool set_network(Hypothesis *hypothesis, const char *subject, const char *value, GError **error)
{
    (void)subject;
    hypothesis->what_if.network_free = true;
    return want_value("network", value, "free", error);
}

static bool set_cpu(Hypothesis *hypothesis, const char *subject, const char *value, GError **error)
{
    (void)subject;
    return parse_factor("cpu", value, &hypothesis->what_if.cpu_num, &hypothesis->what_if.cpu_den, error);
}

static bool set_imbalance(Hypothesis *hypothesis, const char *subject, const char *value, GError **error)
{
    (void)subject;
    hypothesis->level = true;
    return want_value("imbalance", value, "none", error);
}

static bool set_link(Hypothesis *hypothesis, const char *subject, const char *value, GError **error)
{
    NetLinkSpeed speed = {.name = subject};
    if (!strchr(subject, '-'))
        return cli_error_usage(error, "--what-if link:%s=%s: a link is named by both ends, such as link:0-1=4x",
                               subject, value);
    g_autofree char *what = g_strconcat("link:", subject, NULL);
    if (!parse_factor(what, value, &speed.num, &speed.den, error))
        return false;
    g_array_append_val(hypothesis->links, speed);
    return true;
}

/* "12" or "file.c:12". */
static bool set_wait(Hypothesis *hypothesis, const char *subject, const char *value, GError **error)
{
    const char *colon = strrchr(subject, ':'), *digits = colon ? colon + 1 : subject;
    guint64 number;
    MachLine line = {.file = NULL};
    if (!g_ascii_string_to_unsigned(digits, 10, 1, UINT32_MAX, &number, NULL) || colon == subject)
        return cli_error_usage(error, "--what-if wait:%s=%s: a line is needed, such as wait:12=0 or wait:file.c:12=0",
                               subject, value);
    if (colon) {
        char *file = g_strndup(subject, (gsize)(colon - subject));
        g_ptr_array_add(hypothesis->texts, file);
        line.file = file;
    }
    line.line = (uint32_t)number;
    g_array_append_val(hypothesis->lines, line);
    g_autofree char *what = g_strconcat("wait:", subject, NULL);
    return want_value(what, value, "0", error);
}

static bool set_algorithm(Hypothesis *hypothesis, const char *subject, const char *value, GError **error)
{
    const char *const *names = mpi_collectives();
    const char *near = base_nearest(subject, names);
    if (!g_strv_contains(names, subject))
        return cli_error_usage(error, "--what-if algorithm:%s=%s: there is no collective operation %s%s%s%s", subject,
                               value, subject, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    char *assignment = g_strdup_printf("collectives.%s=%s", subject, value);
    g_ptr_array_add(hypothesis->texts, assignment);
    g_ptr_array_add(hypothesis->settings, assignment);
    return true;
}

static const struct {
    const char *name;
    bool subject; /* "name:SUBJECT=" */
    bool (*set)(Hypothesis *hypothesis, const char *subject, const char *value, GError **error);
} kinds[] = {
    {"network", false, set_network}, {"cpu", false, set_cpu},  {"imbalance", false, set_imbalance},
    {"link", true, set_link},        {"wait", true, set_wait}, {"algorithm", true, set_algorithm},
};

static bool refuse_kind(const char *part, const char *name, GError **error)
{
    const char *names[G_N_ELEMENTS(kinds) + 1] = {NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        names[i] = kinds[i].name;
    const char *near = base_nearest(name, names);
    return cli_error_usage(error, "--what-if %s: %s%s%s%s", part, near ? "did you mean " : "", near ? near : "",
                           near ? "? " : "",
                           "There are network=free, cpu=2x, imbalance=none, link:A-B=4x, wait:LINE=0 and "
                           "algorithm:bcast=chain");
}

static bool add_part(Hypothesis *hypothesis, const char *part, GError **error)
{
    const char *equals = strrchr(part, '=');
    g_autofree char *what = g_strndup(part, equals ? (gsize)(equals - part) : strlen(part));
    size_t length = strcspn(what, ":"), kind = 0;
    g_autofree char *name = g_strndup(what, length);
    while (kind < G_N_ELEMENTS(kinds) && strcmp(kinds[kind].name, name) != 0)
        kind++;
    if (!equals || kind == G_N_ELEMENTS(kinds) || kinds[kind].subject != (what[length] == ':'))
        return refuse_kind(part, name, error);
    for (guint i = 0; i < hypothesis->names->len; i++)
        if (strcmp(hypothesis->names->pdata[i], what) == 0)
            return cli_error_usage(error, "--what-if %s: %s is said twice in one run", hypothesis->text, what);
    char *own = g_steal_pointer(&what);
    g_ptr_array_add(hypothesis->texts, own);
    g_ptr_array_add(hypothesis->names, own);
    return kinds[kind].set(hypothesis, own[length] ? own + length + 1 : "", equals + 1, error);
}

static void hypothesis_free(gpointer user)
{
    Hypothesis *hypothesis = user;
    g_array_unref(hypothesis->links);
    g_array_unref(hypothesis->lines);
    g_ptr_array_unref(hypothesis->settings);
    g_ptr_array_unref(hypothesis->names);
    g_ptr_array_unref(hypothesis->texts);
    g_free(hypothesis);
}

static bool add_hypothesis(CliWhatIf *asked, const char *text, GError **error)
{
    Hypothesis *hypothesis = g_new0(Hypothesis, 1);
    hypothesis->text = text;
    hypothesis->links = g_array_new(FALSE, FALSE, sizeof(NetLinkSpeed));
    hypothesis->lines = g_array_new(FALSE, FALSE, sizeof(MachLine));
    hypothesis->settings = g_ptr_array_new();
    hypothesis->names = g_ptr_array_new();
    hypothesis->texts = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(asked->hypotheses, hypothesis);
    for (guint i = 0; i + 1 < asked->hypotheses->len; i++)
        if (strcmp(((Hypothesis *)asked->hypotheses->pdata[i])->text, text) == 0)
            return cli_error_usage(error, "--what-if %s is given twice", text);
    g_auto(GStrv) parts = g_strsplit(text, "+", -1);
    for (char **part = parts; *part; part++)
        if (!add_part(hypothesis, *part, error))
            return false;
    if (!*parts)
        return refuse_kind(text, text, error);
    if (hypothesis->what_if.network_free && (hypothesis->links->len || hypothesis->lines->len))
        return cli_error_usage(error, "--what-if %s: where the network is free, no link or wait for messages is left",
                               text);
    hypothesis->what_if.lines = (const MachLine *)(const void *)hypothesis->lines->data;
    hypothesis->what_if.n_lines = hypothesis->lines->len;
    return true;
}

CliWhatIf *cli_what_if_new(char **texts, const CliRunOptions *options, GError **error)
{
    CliWhatIf *asked = g_new0(CliWhatIf, 1);
    asked->options = options;
    asked->hypotheses = g_ptr_array_new_with_free_func(hypothesis_free);
    asked->input = g_string_new(NULL);
    for (char **text = texts; *text; text++)
        if (!add_hypothesis(asked, *text, error)) {
            cli_what_if_free(asked);
            return NULL;
        }
    return asked;
}

void cli_what_if_free(CliWhatIf *asked)
{
    if (!asked)
        return;
    for (size_t i = 0; asked->programs && i < asked->run->n_programs; i++)
        g_free(asked->programs[i].bytes);
    g_free(asked->programs);
    g_ptr_array_unref(asked->hypotheses);
    g_string_free(asked->input, TRUE);
    mach_what_if_forget(asked->pace);
    g_free(asked);
}

/* -- before the run ---------------------------------------------------------------------------- */

/* Returns the machine as the hypothesis has it. */
static MachConfig *configure(const CliWhatIf *asked, const Hypothesis *hypothesis, GError **error)
{
    g_autoptr(MachConfig) config = cli_run_config(asked->options, error);
    for (guint i = 0; config && i < hypothesis->settings->len; i++)
        if (!mach_config_set(config, hypothesis->settings->pdata[i], error)) {
            g_prefix_error(error, "--what-if %s: ", hypothesis->text);
            return NULL;
        }
    if (!config)
        return NULL;
    config->net.speeds = (const NetLinkSpeed *)(const void *)hypothesis->links->data;
    config->net.n_speeds = hypothesis->links->len;
    return g_steal_pointer(&config);
}

static bool has_line(const VcodeModule *module, const MachLine *line)
{
    for (uint32_t i = 0; i < module->lines.count; i++) {
        const VcodeLine *there = &module->lines.items[i];
        const char *file = vcode_source_name(module, there->file);
        if (there->line == line->line &&
            (!line->file || strcmp(file, line->file) == 0 ||
             (g_str_has_suffix(file, line->file) && file[strlen(file) - strlen(line->file) - 1] == '/')))
            return true;
    }
    return false;
}

static bool check_lines(const CliWhatIf *asked, const Hypothesis *hypothesis, GError **error)
{
    for (guint i = 0; i < hypothesis->lines->len; i++) {
        const MachLine *line = &g_array_index(hypothesis->lines, MachLine, i);
        bool found = false;
        for (size_t k = 0; k < asked->run->n_programs; k++)
            found |= has_line(asked->run->programs[k].module, line);
        if (!found)
            return cli_error_usage(error, "--what-if %s: the program has no code at line %u%s%s", hypothesis->text,
                                   line->line, line->file ? " of " : "", line->file ? line->file : "");
    }
    return true;
}

/* What is wrong with a link is not wrong with the machine file, whose place the error begins with. */
static bool check_links(const Hypothesis *hypothesis, const MachConfig *config, uint32_t ranks, GError **error)
{
    g_autoptr(GError) wrong = NULL;
    Network *network = mach_config_network(config, ranks, &wrong);
    net_network_free(network);
    if (network)
        return true;
    const char *text = g_strrstr(wrong->message, "error: ");
    return cli_error_usage(error, "--what-if %s: %s", hypothesis->text,
                           text ? text + strlen("error: ") : wrong->message);
}

static bool check(const CliWhatIf *asked, const Hypothesis *hypothesis, GError **error)
{
    uint64_t ranks = 0;
    for (size_t i = 0; i < asked->run->n_programs; i++)
        ranks += asked->run->programs[i].count;
    g_autoptr(MachConfig) config = configure(asked, hypothesis, error);
    if (!config || !check_lines(asked, hypothesis, error))
        return false;
    return hypothesis->links->len == 0 || check_links(hypothesis, config, (uint32_t)ranks, error);
}

static size_t give_input(void *user, char *bytes, size_t size)
{
    CliWhatIf *asked = user;
    while (asked->at == asked->input->len && !asked->input_ended) {
        char piece[4096];
        ssize_t count = read(STDIN_FILENO, piece, sizeof piece);
        asked->input_ended = count <= 0;
        if (count > 0)
            g_string_append_len(asked->input, piece, count);
    }
    size_t given = MIN(size, asked->input->len - asked->at);
    memcpy(bytes, asked->input->str + asked->at, given);
    asked->at += given;
    return given;
}

bool cli_what_if_prepare(CliWhatIf *asked, CliRun *run, GError **error)
{
    asked->run = run;
    for (guint i = 0; i < asked->hypotheses->len; i++)
        if (!check(asked, asked->hypotheses->pdata[i], error))
            return false;
    asked->programs = g_new0(Program, run->n_programs);
    for (size_t i = 0; i < run->n_programs; i++)
        asked->programs[i].bytes = cli_build_program_bytes(run->programs[i].module, &asked->programs[i].size);
    run->options.input = give_input;
    run->options.user = asked;
    return true;
}

void cli_what_if_watch(CliWhatIf *asked, Machine *machine)
{
    for (guint i = 0; i < asked->hypotheses->len && !asked->pace; i++)
        if (((Hypothesis *)asked->hypotheses->pdata[i])->level)
            asked->pace = mach_what_if_record(machine);
}

/* -- the runs ---------------------------------------------------------------------------------- */

static void say_nothing(void *user, const char *text)
{
    (void)user, (void)text;
}

static Machine *machine_for(CliWhatIf *asked, Hypothesis *hypothesis, const MachConfig *config, GError **error)
{
    CliRun *run = asked->run;
    MachOptions options = run->options;
    options.what_if = &hypothesis->what_if;
    options.output = cli_why_drop_output;
    options.line = NULL;
    options.note = options.finding = say_nothing;
    options.progress = NULL;
    options.before_output = NULL;
    hypothesis->what_if.pace = hypothesis->level ? asked->pace : NULL;
    asked->at = 0;
    for (size_t i = 0; i < run->n_programs; i++) {
        run->programs[i].module =
            vcode_file_read_bytes(asked->programs[i].bytes, asked->programs[i].size, run->arguments[i][0], error);
        if (!run->programs[i].module)
            return NULL;
    }
    return mach_run_new(config, run->programs, run->n_programs, &options, error);
}

static uint64_t makespan_of(const Machine *machine)
{
    MachRankReport totals;
    mach_run_totals(machine, &totals);
    return totals.finish_ps;
}

static void append_row(const char *text, uint64_t ps, uint64_t before_ps, bool first, GString *out)
{
    g_autofree char *time = base_units_format_time(ps);
    g_string_append_printf(out, "  %-32s %15s", text, time);
    if (!first) {
        bool gain = ps <= before_ps;
        uint64_t change = gain ? before_ps - ps : ps - before_ps;
        unsigned per_mille = before_ps ? (unsigned)((unsigned __int128)change * 1000 / before_ps) : 0;
        g_autofree char *text_of = base_units_format_time(change);
        g_string_append_printf(out, " %s%15s %s%u.%u %%", gain ? " " : "-", text_of, gain ? "" : "-", per_mille / 10,
                               per_mille % 10);
    }
    g_string_append_c(out, '\n');
}

static void run_one(CliWhatIf *asked, Hypothesis *hypothesis, uint64_t before_ps, GString *out, json_t *row)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(MachConfig) config = configure(asked, hypothesis, &error);
    Machine *machine = config ? machine_for(asked, hypothesis, config, &error) : NULL;
    if (!machine) {
        g_string_append_printf(out, "  %-32s cannot be run: %s\n", hypothesis->text, error->message);
        json_object_set_new(row, "note", json_string(error->message));
        return;
    }
    CliInterrupt *interrupt = cli_interrupt_watch(machine, true, false);
    MachStop stop = mach_run(machine);
    cli_interrupt_end(interrupt);
    if (stop == MACH_STOP_FINISHED) {
        uint64_t ps = makespan_of(machine);
        append_row(hypothesis->text, ps, before_ps, false, out);
        json_object_set_new(row, "makespan_ps", json_integer((json_int_t)ps));
        json_object_set_new(row, "gain_ps", json_integer((json_int_t)(before_ps - ps)));
    } else {
        g_autoptr(GString) why = g_string_new(NULL);
        mach_explain(machine, why);
        why->str[strcspn(why->str, "\n")] = '\0';
        g_string_append_printf(out, "  %-32s did not come to its end: %s\n", hypothesis->text, why->str);
        json_object_set_new(row, "note", json_string(why->str));
    }
    mach_run_free(machine);
}

char *cli_what_if_run(CliWhatIf *asked, const Machine *baseline, GString *out)
{
    uint64_t before_ps = makespan_of(baseline);
    json_t *rows = json_array();
    if (asked->pace)
        mach_what_if_level(asked->pace);
    g_string_append(out, "\n  what if                                 makespan             gain\n");
    append_row("as it is", before_ps, before_ps, true, out);
    for (guint i = 0; i < asked->hypotheses->len; i++) {
        Hypothesis *hypothesis = asked->hypotheses->pdata[i];
        json_t *row = json_object();
        json_object_set_new(row, "what", json_string(hypothesis->text));
        run_one(asked, hypothesis, before_ps, out, row);
        json_array_append_new(rows, row);
    }
    char *bare = json_dumps(rows, JSON_INDENT(1) | JSON_PRESERVE_ORDER), *text = g_strdup(bare ? bare : "[]");
    free(bare);
    json_decref(rows);
    return text;
}
