/* test_pages.c - tables of documentation that the tables of machine/ print (../page.h). After a change of those:
 * ORRERY_UPDATE=1 test_machine --filter pages/have_the_tables_of_the_code
 *
 *   keys SECTION     the keys of a section of machine files (config/keys.def)
 *   mappings         ways to place ranks (mappings.def); strategies: with what they need, and whose they are
 *   machines         the machines of configs/
 *   statistics GROUP what is counted of each rank (statistics.def): RANK, CACHE or PREDICTOR
 */
#include "../page.h"
#include "machine/config/config.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static const char *const no_search[] = {NULL}, *const search[] = {ORRERY_SOURCE_DIR "/configs", NULL};

static MachConfig *defaults(void)
{
    g_autofree char *name = g_build_filename(g_get_tmp_dir(), "defaults-XXXXXX", NULL);
    int file = g_mkstemp(name);
    cr_assert_geq(file, 0);
    close(file);
    MachConfig *config = mach_config_load(name, no_search, NULL);
    g_unlink(name);
    cr_assert_not_null(config);
    return config;
}

static void print_keys(const char *section, GString *out)
{
    g_autoptr(MachConfig) config = defaults();
    unsigned rows = 0;
    g_string_append(out, "| key | value | default | meaning |\n|---|---|---|---|\n");
    for (guint i = 0; i < config->settings->len; i++) {
        const MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
        if (strcmp(setting->section, section) != 0)
            continue;
        g_autofree char *unit = mach_setting_unit(setting);
        g_string_append_printf(out, "| `%s` | ", setting->name);
        page_append_cell(out, unit);
        g_string_append_printf(out, *setting->fallback ? " | `%s` | " : " | %s | ", setting->fallback);
        page_append_cell(out, setting->help);
        g_string_append(out, " |\n");
        rows++;
    }
    cr_assert(rows, "there is no section [%s]", section);
}

static const struct {
    const char *name, *needs, *help, *source;
} mappings[] = {
#define NOTHING                                         ""
#define TRAFFIC                                         "traffic"
#define MACH_MAPPING(symbol, name, needs, help, source) {name, needs, help, source},
#include "machine/mappings.def"
};

static void print_mappings(const char *rest, GString *out)
{
    (void)rest;
    g_string_append(out, "| name | what it does |\n|---|---|\n");
    for (size_t i = 0; i < G_N_ELEMENTS(mappings); i++)
        g_string_append_printf(out, "| `%s` | %s |\n", mappings[i].name, mappings[i].help);
}

static void print_strategies(const char *rest, GString *out)
{
    (void)rest;
    g_string_append(out, "| name | what it does | needs | source |\n|---|---|---|---|\n");
    for (size_t i = 0; i < G_N_ELEMENTS(mappings); i++)
        g_string_append_printf(out, "| `%s` | %s | %s | %s |\n", mappings[i].name, mappings[i].help, mappings[i].needs,
                               mappings[i].source);
}

static void print_machines(const char *rest, GString *out)
{
    (void)rest;
    g_auto(GStrv) names = mach_config_list(search);
    g_string_append(out, "| name | what it is |\n|---|---|\n");
    for (char **name = names; *name; name++) {
        g_autoptr(MachConfig) config = mach_config_load(*name, search, NULL);
        cr_assert_not_null(config, "%s", *name);
        g_string_append_printf(out, "| `%s` | %s |\n", *name, config->description);
    }
}

static void print_statistics(const char *group, GString *out)
{
    static const char *const groups[] = {"RANK", "CACHE", "PREDICTOR", NULL};
    static const char *const units[] = {"ps", "", "bytes"};
    MachStatisticGroup which = MACH_STATISTIC_RANK;
    while (groups[which] && strcmp(groups[which], group) != 0)
        which++;
    cr_assert(groups[which], "there is no group %s", group);
    const MachStatistic *row = NULL;
    g_string_append(out, "| `--json` | `--stats` | unit | of all ranks, in `orrery sweep` | meaning |\n"
                         "|---|---|---|---|---|\n");
    while ((row = mach_statistics_next(which, row))) {
        g_string_append_printf(out, "| `%s` | %s | %s | ", row->key, row->heading ? row->heading : "",
                               units[row->unit]);
        if (row->measure)
            g_string_append_printf(out, "`%s`: the %s", row->measure, row->put == MACH_PUT_MOST ? "latest" : "sum");
        g_string_append_printf(out, " | %s |\n", row->help);
    }
}

Test(pages, have_the_tables_of_the_code)
{
    PageTable tables[] = {
        {"keys", print_keys, 0},         {"mappings", print_mappings, 0},     {"strategies", print_strategies, 0},
        {"machines", print_machines, 0}, {"statistics", print_statistics, 0}, {NULL, NULL, 0}};
    page_check_all("test_machine", tables);
}
