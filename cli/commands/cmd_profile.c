/* cmd_profile.c - `orrery profile`: runs a program and says where its virtual time went. */
#include "base/write_file.h"
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/run/run.h"
#include "monitor/profile.h"

#include <signal.h>
#include <string.h>

typedef struct ProfileTarget {
    CliRunOptions run;
    char **by, *rows, *output, *csv, *json, *callgrind, *folded;
    gboolean exact, quiet;
} ProfileTarget;

#define USUAL_ROWS 30

const CliOption cli_profile_options[] = {
    {"by", 'b', CLI_LIST, MON_PROFILE_TABLE_NAMES, offsetof(ProfileTarget, by),
     "what the rows of the table are; several with commas make several tables (default: function,line,site,\n"
     "        collective,phase). tree: paths of calls; source: every line of the sources, with its times",
     "--by site,collective"},
    {"rows", 0, CLI_TEXT, "N", offsetof(ProfileTarget, rows),
     "rows of a table at most; 0: all (default " G_STRINGIFY(USUAL_ROWS) ", and all of source)", "--rows 0"},
    {"output", 'o', CLI_RESULT, "FILE", offsetof(ProfileTarget, output),
     "write the tables there, not on standard error", "--output profile.txt"},
    {"csv", 0, CLI_RESULT, "FILE", offsetof(ProfileTarget, csv),
     "write the table of --by, all of its rows, as CSV with times in picoseconds", "--by line --csv lines.csv"},
    {"json", 0, CLI_RESULT, "FILE", offsetof(ProfileTarget, json),
     "write everything as JSON, as `orrery run --profile` does", "--json profile.json"},
    {"callgrind", 0, CLI_RESULT, "FILE", offsetof(ProfileTarget, callgrind),
     "write functions, lines and calls for callgrind_annotate and KCachegrind", "--callgrind profile.callgrind"},
    {"folded", 0, CLI_RESULT, "FILE", offsetof(ProfileTarget, folded),
     "write paths of calls as folded stacks, for flame graphs, with times in ns", "--folded profile.folded"},
    {"exact", 0, CLI_FLAG, NULL, offsetof(ProfileTarget, exact),
     "meter every instruction of long runs, too, which takes some thirty times as long: instructions and calls are\n"
     "        counted, not estimated",
     "--exact --by counts"},
    {"quiet", 'q', CLI_FLAG, NULL, offsetof(ProfileTarget, quiet), "no remarks, only errors and the profile", "-q"},
    CLI_RUN_OPTIONS(ProfileTarget),
    {0}};

static const CliUsage profile_usage = {
    .command = "profile",
    .synopsis = "[OPTION...] PROGRAM [ARGUMENT...]",
    .text = "Runs a program as `orrery run` does, and then prints where its virtual time went: by function and path\n"
            "of calls, source line, MPI call site, collective and algorithm, and phase; divided into computing,\n"
            "library and waiting, and waiting by its cause. Every table adds up exactly to the time of all ranks.\n"
            "What the program prints goes to standard output, the tables go to standard error. The exit status is\n"
            "the program's.\n\n"
            "  orrery profile -n 8 --machine mesh-4x4 samples/jacobi.c\n"
            "  orrery profile -n 4 --by tree --rows 0 program.c\n"
            "  orrery profile -n 4 --by source --output annotated.txt program.c\n"
            "  orrery profile -n 64 --by site --csv sites.csv program.c\n"
            "  orrery profile -n 4 --callgrind p.callgrind program.c && callgrind_annotate p.callgrind",
    .options = cli_profile_options,
};

/* -- what is asked for --------------------------------------------------------------------------- */

static bool add_tables(const char *list, GArray *tables, GError **error)
{
    g_auto(GStrv) names = g_strsplit(list, ",", -1);
    for (char **name = names; *name; name++) {
        int table = cli_option_choice("--by", MON_PROFILE_TABLE_NAMES, *name, error);
        if (table < 0)
            return false;
        g_array_append_val(tables, table);
    }
    return true;
}

/* Returns the numbers of the tables that are asked for; NULL with an error. */
static GArray *tables_of(const ProfileTarget *target, GError **error)
{
    static const int usual[] = {MON_PROFILE_FUNCTION, MON_PROFILE_LINE, MON_PROFILE_SITE, MON_PROFILE_COLLECTIVE,
                                MON_PROFILE_PHASE};
    GArray *tables = g_array_new(FALSE, FALSE, sizeof(int));
    bool good = true;
    for (char **list = target->by; list && *list && good; list++)
        good = add_tables(*list, tables, error);
    if (good && target->csv && tables->len != 1)
        good = cli_error_usage(error, "--csv writes one table: say which, such as --by function");
    if (!good) {
        g_array_unref(tables);
        return NULL;
    }
    if (!target->by)
        g_array_append_vals(tables, usual, G_N_ELEMENTS(usual));
    return tables;
}

static bool rows_of(const ProfileTarget *target, uint64_t *rows, GError **error)
{
    *rows = USUAL_ROWS;
    return !target->rows || cli_option_number("--rows", target->rows, 0, UINT32_MAX, rows, error);
}

/* -- results ----------------------------------------------------------------------------------- */

static void append_tables(const MonProfileData *data, const GArray *tables, uint32_t rows, GString *out)
{
    static const char *const titles[MON_PROFILE_TABLES] = {
        [MON_PROFILE_FUNCTION] = "By function",
        [MON_PROFILE_TREE] = "By path of calls, with what is called",
        [MON_PROFILE_LINE] = "By source line",
        [MON_PROFILE_SITE] = "By MPI call site",
        [MON_PROFILE_STACK] = "By MPI call site and who calls it",
        [MON_PROFILE_COLLECTIVE] = "By collective and algorithm",
        [MON_PROFILE_PHASE] =
            "By phase: levels of MPI_Pcontrol, and loops with MPI in them; each sort is all of the time",
        [MON_PROFILE_COUNTS] = "Counts, by function and then by line",
        [MON_PROFILE_RANK] = "By rank",
        [MON_PROFILE_SOURCE] = "Annotated source",
    };
    mon_profile_print_totals(data, out);
    for (guint i = 0; i < tables->len; i++) {
        int table = g_array_index(tables, int, i);
        g_string_append_printf(out, "\n%s:\n", titles[table]);
        mon_profile_print(data, (MonProfileTable)table, table == MON_PROFILE_SOURCE ? 0 : rows, out);
    }
}

static bool write_results(const MonProfileData *data, const char *program, const ProfileTarget *target,
                          const GArray *tables, uint32_t rows, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL), csv = g_string_new(NULL), json = g_string_new(NULL);
    append_tables(data, tables, rows, text);
    if (target->csv)
        mon_profile_print_csv(data, (MonProfileTable)g_array_index(tables, int, 0), csv);
    if (target->json)
        mon_profile_print_json(data, json);
    g_autoptr(GString) callgrind = g_string_new(NULL), folded = g_string_new(NULL);
    if (target->callgrind)
        mon_profile_print_callgrind(data, program, callgrind);
    if (target->folded)
        mon_profile_print_folded(data, folded);
    if (target->callgrind && !base_write_report(target->callgrind, callgrind->str, callgrind->len, error))
        return false;
    if (target->folded && !base_write_report(target->folded, folded->str, folded->len, error))
        return false;
    if (target->csv && !base_write_report(target->csv, csv->str, csv->len, error))
        return false;
    if (target->json && !base_write_report(target->json, json->str, json->len, error))
        return false;
    if (target->output)
        return base_write_report(target->output, text->str, text->len, error);
    if (!target->csv && !target->json && !target->callgrind && !target->folded)
        g_printerr("%s", text->str);
    return true;
}

/* -- running ----------------------------------------------------------------------------------- */

static void say_nothing(void *user, const char *text)
{
    (void)user, (void)text;
}

static int simulate(Machine *machine, const char *program, const ProfileTarget *target, const GArray *tables,
                    uint32_t rows, GError **error)
{
    MonProfile *profile = mon_profile_new(machine, target->exact ? MON_PROFILE_EXACT : MON_PROFILE_SAMPLED);
    CliInterrupt *interrupt = cli_interrupt_watch(machine, true, false);
    MachStop stop = mach_run(machine);
    int signal = cli_interrupt_end(interrupt);
    cli_run_explain(machine, stop);
    int status = mach_run_exit_status(machine);
    if (signal && status == 128 + SIGINT)
        status = 128 + signal;
    bool written = write_results(mon_profile_data(profile), program, target, tables, rows, error);
    mon_profile_free(profile);
    return written ? status : CLI_STATUS_USAGE;
}

static int prepare_and_simulate(const ProfileTarget *target, int argc, char **argv, GError **error)
{
    CliRun run = {.example = "orrery profile -n 4 program.c"};
    int status = -1;
    uint64_t rows;
    g_autoptr(GArray) tables = tables_of(target, error);
    if (!tables || !rows_of(target, &rows, error))
        return status;
    Machine *machine = NULL;
    if (cli_run_prepare(&run, &target->run, argc, argv, error)) {
        run.options.note = target->quiet ? say_nothing : run.options.note;
        machine = cli_run_machine(&run, error);
    }
    if (machine)
        status = simulate(machine, argv[0], target, tables, (uint32_t)rows, error);
    mach_run_free(machine);
    cli_run_clear(&run);
    return status;
}

int cli_profile(int argc, char **argv)
{
    ProfileTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    if (cli_option_parse(&profile_usage, &target, &argc, argv, &done, &error) && !done)
        status = prepare_and_simulate(&target, argc - 1, argv + 1, &error);
    if (error)
        status = cli_error_report(error);
    cli_option_clear(cli_profile_options, &target);
    return status;
}
