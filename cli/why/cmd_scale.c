/* cmd_scale.c - `orrery scale`: how a program scales with its ranks, from one command. */
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/why/scale.h"

#include <string.h>

enum { MOST_POINTS = 1000 };

typedef struct ScaleTarget {
    CliRunOptions run;
    gboolean weak;
    char *arguments, *json, *csv, *by;
} ScaleTarget;

const CliOption cli_scale_options[] = {
    {"weak", 0, CLI_FLAG, NULL, offsetof(ScaleTarget, weak),
     "the problem grows with the ranks (--args); otherwise it stays the same: strong scaling", "--weak"},
    {"args", 0, CLI_TEXT, "ARGUMENTS", offsetof(ScaleTarget, arguments),
     "further arguments of the program, with {ranks} or sums and products of it", "--args '{ranks}*1000'"},
    {"json", 0, CLI_RESULT, "FILE", offsetof(ScaleTarget, json), "write all of it as JSON", "--json scale.json"},
    {"csv", 0, CLI_RESULT, "FILE", offsetof(ScaleTarget, csv), "write a row for each run, or each of --by, as a table",
     "--csv scale.csv"},
    {"by", 'b', CLI_TEXT, SCALE_TABLE_NAMES, offsetof(ScaleTarget, by),
     "what the rows of --csv are: run, or a function or call in a run (default: run)", "--by function --csv scale.csv"},
    CLI_RUN_OPTIONS(ScaleTarget),
    {0}};

static const CliUsage scale_usage = {
    .command = "scale",
    .synopsis = "[OPTION...] PROGRAM [ARGUMENT...]",
    .text = "Runs a program with several numbers of ranks (-n, a list; default 1 2 4 8 16) and says how it scales:\n"
            "time, speed-up, efficiency, the serial fraction of Karp and Flatt, what the laws of Amdahl and Gustafson\n"
            "make of it, and which functions and calls lose most from the first run to the last, by a profile of each\n"
            "run. The first run is what the others are compared with. What the program prints is dropped. --jobs is\n"
            "how many runs go on at a time.\n\n"
            "  orrery scale -n '1 2 4 8 16' samples/jacobi.c\n"
            "  orrery scale --weak --args '{ranks}*1000' -n 1,4,16,64 heat.c",
    .options = cli_scale_options,
};

static bool add_points(Scale *scale, const char *list, GError **error)
{
    g_auto(GStrv) items = g_strsplit_set(list, " ,;\t", -1);
    scale->points = g_new0(ScalePoint, g_strv_length(items) + 1);
    for (char **item = items; *item; item++) {
        uint64_t ranks;
        if (!**item)
            continue;
        if (strcmp(*item, "0") == 0)
            return cli_error_usage(error, "-n 0: a program needs at least one rank");
        if (!cli_option_number("-n", *item, 1, INT32_MAX, &ranks, error))
            return false;
        if (scale->n && ranks <= scale->points[scale->n - 1].ranks)
            return cli_error_usage(error, "-n %s: numbers of ranks grow, each once; %s comes too late", list, *item);
        if (scale->n == MOST_POINTS)
            return cli_error_usage(error, "-n: more than %d numbers of ranks", MOST_POINTS);
        scale->points[scale->n++].ranks = (uint32_t)ranks;
    }
    return scale->n || cli_error_usage(error, "-n: a list of numbers of ranks is needed, such as '1 2 4 8'");
}

static void clear_site(gpointer user)
{
    ScaleSite *site = user;
    g_free(site->text);
}

static void begin_points(Scale *scale)
{
    scale->texts = g_string_chunk_new(4096);
    scale->functions = g_array_new(FALSE, FALSE, sizeof(ScaleFunction));
    g_mutex_init(&scale->lock);
    scale->sites = g_array_new(FALSE, FALSE, sizeof(ScaleSite));
    g_array_set_clear_func(scale->sites, clear_site);
    for (uint32_t i = 0; i < scale->n; i++) {
        scale->points[i].times = g_array_new(FALSE, FALSE, sizeof(ScaleTime));
        scale->points[i].raw = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
        scale->points[i].profile =
            g_hash_table_new_full(cli_scale_function_hash, cli_scale_function_equal, g_free, g_free);
        scale->points[i].own_ps = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    }
}

static void clear(Scale *scale)
{
    for (uint32_t i = 0; i < scale->n; i++) {
        g_free(scale->points[i].note);
        g_clear_pointer(&scale->points[i].times, g_array_unref);
        g_clear_pointer(&scale->points[i].profile, g_hash_table_unref);
        g_clear_pointer(&scale->points[i].own_ps, g_array_unref);
        g_clear_pointer(&scale->points[i].raw, g_hash_table_unref);
    }
    g_clear_pointer(&scale->sites, g_array_unref);
    g_clear_pointer(&scale->functions, g_array_unref);
    g_string_chunk_free(scale->texts);
    g_mutex_clear(&scale->lock);
    g_free(scale->points);
}

/* Checks the arguments that go by the ranks: those of --args, and others that speak of {ranks}. */
static bool check(const ScaleTarget *target, const Scale *scale, int argc, char **argv, GError **error)
{
    bool grows = target->arguments;
    for (int k = 1; k < argc; k++) {
        bool fills = strstr(argv[k], "{ranks");
        for (uint32_t i = 0; fills && i < scale->n; i++) {
            g_autofree char *filled = cli_scale_fill_in(argv[k], scale->points[i].ranks, error);
            if (!filled)
                return false;
        }
        grows |= fills;
    }
    if (target->weak && !grows)
        return cli_error_usage(error,
                               "--weak: the problem must grow with the ranks; for example --args '{ranks}*1000'");
    for (uint32_t i = 0; i < scale->n; i++) {
        g_auto(GStrv) words = cli_scale_arguments(target->arguments, scale->points[i].ranks, error);
        if (!words)
            return false;
    }
    return true;
}

/* Returns 0, or 1 if a run has no result. */
static int report(const ScaleTarget *target, const Scale *scale, GError **error)
{
    int table = target->by ? cli_option_choice("--by", SCALE_TABLE_NAMES, target->by, error) : SCALE_RUNS;
    g_autofree char *text = cli_scale_text(scale),
                    *csv = target->csv ? cli_scale_csv(scale, (ScaleTable)MAX(table, 0)) : NULL,
                    *json = target->json ? cli_scale_json(scale) : NULL;
    bool aside = g_strcmp0(target->csv, "-") == 0 || g_strcmp0(target->json, "-") == 0, whole = true;
    for (uint32_t i = 0; i < scale->n; i++) {
        whole &= scale->points[i].done;
        if (scale->points[i].done && scale->points[i].note)
            cli_say("%u ranks: %s", scale->points[i].ranks, scale->points[i].note);
    }
    bool good = (aside || cli_why_write("-", text, error)) && (!csv || cli_why_write(target->csv, csv, error)) &&
                (!json || cli_why_write(target->json, json, error));
    return !good ? CLI_STATUS_USAGE : whole ? 0 : 1;
}

static bool check_table(const ScaleTarget *target, GError **error)
{
    if (target->by && !target->csv)
        return cli_error_usage(error, "--by says what the rows of --csv are: add --csv FILE");
    return !target->by || cli_option_choice("--by", SCALE_TABLE_NAMES, target->by, error) >= 0;
}

static int perform(ScaleTarget *target, int argc, char **argv, GError **error)
{
    Scale scale = {.options = &target->run, .weak = target->weak, .pattern = target->arguments};
    uint64_t jobs = g_get_num_processors();
    int status = CLI_STATUS_USAGE;
    g_autofree char *list = g_steal_pointer(&target->run.ranks); /* each run has its own number */
    bool good = check_table(target, error) &&
                (!target->run.jobs || cli_option_number("--jobs", target->run.jobs, 1, 4096, &jobs, error)) &&
                add_points(&scale, list ? list : "1 2 4 8 16", error) && check(target, &scale, argc, argv, error);
    begin_points(&scale);
    if (good && cli_scale_run(&scale, argc, argv, (unsigned)jobs, error)) {
        cli_scale_fit(&scale);
        status = report(target, &scale, error);
    }
    clear(&scale);
    return status;
}

int cli_scale(int argc, char **argv)
{
    ScaleTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    if (cli_option_parse(&scale_usage, &target, &argc, argv, &done, &error) && !done)
        status = perform(&target, argc - 1, argv + 1, &error);
    if (error)
        status = cli_error_report(error);
    cli_option_clear(cli_scale_options, &target);
    return status;
}
