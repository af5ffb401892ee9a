/* exports.c - what is written about a run: leads the exports that are asked for (exports.def) from their options to
 * their files. If several need to know of the network's use, it is watched once for all of them. */
#include "base/units.h"
#include "monitor/export/export.h"
#include "monitor/report/report.h"
#include "trace/trace.h"

static const struct {
    const char *option;
    const MonExport *export;
} rows[] = {
#define MON_EXPORT(identifier, option, help, example) [MON_EXPORT_##identifier] = {option, &mon_export_##identifier},
#include "monitor/exports.def"
};

static const struct {
    const char *option;
    MonExportNumber of;
    BaseUnit unit;
    const char *zero;
} settings[] = {
#define MON_EXPORT_SETTING(identifier, export, option, value, unit, zero, help, example)                               \
    [MON_EXPORT_SETTING_##identifier] = {option, MON_EXPORT_##export, unit, zero},
#include "monitor/exports.def"
};

static const struct {
    const char *option;
    MonExportNumber of;
} texts[] = {
#define MON_EXPORT_TEXT(identifier, export, option, value, help, example)                                              \
    [MON_EXPORT_TEXT_##identifier] = {option, MON_EXPORT_##export},
#include "monitor/exports.def"
};

/* The exports of a run. */
struct MonExports {
    const MonExportsAsked *asked;
    MonExportRun run;
    void *own[MON_EXPORTS];
    MonDiagnosis *diagnosis; /* NULL: nobody wants it */
};

/* -- before the run ---------------------------------------------------------------------------- */

static bool read_setting(const MonExportsAsked *asked, size_t i, uint64_t *value, GError **error)
{
    *value = 0;
    if (!asked->settings[i])
        return true;
    const char *option = settings[i].option;
    if (!base_units_parse(asked->settings[i], settings[i].unit, value, error)) {
        g_prefix_error(error, "--%s: ", option);
        return false;
    }
    if (*value == 0)
        g_set_error(error, MON_ERROR, MON_ERROR_SETTING, "--%s 0: %s", option, settings[i].zero);
    else if (!asked->paths[settings[i].of])
        g_set_error(error, MON_ERROR, MON_ERROR_SETTING, "--%s says nothing without --%s FILE", option,
                    rows[settings[i].of].option);
    return *value && asked->paths[settings[i].of];
}

static bool check_text(const MonExportsAsked *asked, size_t i, GError **error)
{
    if (!asked->texts[i])
        return true;
    if (!asked->paths[texts[i].of]) {
        g_set_error(error, MON_ERROR, MON_ERROR_SETTING, "--%s says nothing without --%s FILE", texts[i].option,
                    rows[texts[i].of].option);
        return false;
    }
    if (rows[texts[i].of].export->check_text((MonExportTextNumber)i, asked->texts[i], error))
        return true;
    g_prefix_error(error, "--%s: ", texts[i].option);
    return false;
}

static bool read_settings(const MonExportsAsked *asked, MonExportSettings *values, GError **error)
{
    values->asked = asked;
    for (size_t i = 0; i < MON_EXPORT_TEXTS; i++)
        if (!check_text(asked, i, error))
            return false;
    for (size_t i = 0; i < MON_EXPORT_SETTINGS; i++)
        if (!read_setting(asked, i, &values->values[i], error))
            return false;
    return true;
}

bool mon_exports_check(const MonExportsAsked *asked, GError **error)
{
    MonExportSettings values;
    for (size_t i = 0; i < MON_EXPORTS; i++) {
        if (!asked->paths[i] || !rows[i].export->check || rows[i].export->check(asked->paths[i], error))
            continue;
        g_prefix_error(error, "--%s: ", rows[i].option);
        return false;
    }
    return read_settings(asked, &values, error);
}

/* Watches the network if any export needs it. */
static bool watch_network(MonExports *exports, Machine *machine, GError **error)
{
    const MonExportsAsked *asked = exports->asked;
    MonNetworkOptions options = {0};
    MonExportSettings values;
    const char *first = NULL; /* option of the first export that needs it */
    if (!read_settings(asked, &values, error))
        return false;
    for (size_t i = 0; i < MON_EXPORTS; i++) {
        if (!asked->paths[i] || !rows[i].export->ask)
            continue;
        rows[i].export->ask(&options, &values);
        if (options.links || options.links_if_told || options.messages || options.passages)
            first = first ? first : rows[i].option;
    }
    if (!first && !asked->hot_spots)
        return true;
    exports->run.network = mon_network_new(machine, &options, error);
    if (!exports->run.network)
        g_prefix_error(error, "--%s: ", first);
    return exports->run.network;
}

static bool wants_diagnosis(const MonExportsAsked *asked)
{
    bool wanted = asked->hot_spots;
    for (size_t i = 0; i < MON_EXPORTS; i++)
        wanted = wanted || (asked->paths[i] && rows[i].export->diagnosis);
    return wanted;
}

static bool wants_profile(const MonExportsAsked *asked)
{
    bool wanted = false;
    for (size_t i = 0; i < MON_EXPORTS; i++)
        wanted = wanted || (asked->paths[i] && rows[i].export->profile);
    return wanted;
}

MonExports *mon_exports_new(Machine *machine, const MonExportsAsked *asked, GError **error)
{
    MonExports *exports = g_new0(MonExports, 1);
    exports->asked = asked;
    exports->run.machine = machine;
    if (!watch_network(exports, machine, error)) {
        g_free(exports);
        return NULL;
    }
    if (asked->hot_spots) /* for --stats */
        mach_run_count_locks(machine);
    if (wants_diagnosis(asked))
        exports->run.diagnosis = exports->diagnosis = mon_diagnosis_new(machine);
    if (wants_profile(asked)) /* a report is content with less */
        exports->run.profile =
            mon_profile_new(machine, asked->paths[MON_EXPORT_profile] ? MON_PROFILE_SAMPLED : MON_PROFILE_BRIEFLY);
    for (size_t i = 0; i < MON_EXPORTS; i++) {
        if (!asked->paths[i] || !rows[i].export->begin)
            continue;
        MonExportStart start = {machine, exports->run.network, asked->paths[i], asked};
        if (rows[i].export->begin(&start, &exports->own[i], error))
            continue;
        g_prefix_error(error, "--%s: ", rows[i].option);
        mon_exports_free(exports);
        return NULL;
    }
    return exports;
}

/* -- behind it --------------------------------------------------------------------------------- */

void mon_exports_print_hot_spots(const MonExports *exports, GString *out)
{
    mon_network_print(exports->run.network, out);
    if (exports->diagnosis)
        mon_diagnosis_print(exports->diagnosis, out);
}

void mon_exports_tell_what_if(MonExports *exports, const char *what_if)
{
    exports->run.what_if = what_if;
}

static bool is_early(const GError *error)
{
    return g_error_matches(error, TRACE_ERROR, TRACE_ERROR_EARLY);
}

/* Adds an error to those before, as a line of its own. Any other counts more than a recording that ended early. */
static void add_error(GError **all, const char *option, GError *error)
{
    bool more = *all && (is_early(error) || !is_early(*all));
    GError *joined = g_error_new(more ? (*all)->domain : error->domain, more ? (*all)->code : error->code,
                                 "%s%s--%s: %s", *all ? (*all)->message : "", *all ? "\n" : "", option, error->message);
    g_clear_error(all);
    *all = joined;
}

bool mon_exports_write(const MonExports *exports, GError **error)
{
    MonExportRun run = exports->run;
    GError *all = NULL;
    for (size_t i = 0; i < MON_EXPORTS; i++) {
        g_autoptr(GError) one = NULL;
        run.own = exports->own[i];
        if (exports->asked->paths[i] && !rows[i].export->write(&run, exports->asked->paths[i], &one))
            add_error(&all, rows[i].option, one);
    }
    if (all)
        g_propagate_error(error, all);
    return !all;
}

void mon_exports_free(MonExports *exports)
{
    if (!exports)
        return;
    for (size_t i = 0; i < MON_EXPORTS; i++)
        if (exports->own[i] && rows[i].export->end)
            rows[i].export->end(exports->own[i]);
    mon_network_free(exports->run.network);
    mon_diagnosis_free(exports->diagnosis);
    mon_profile_free(exports->run.profile);
    g_free(exports);
}
