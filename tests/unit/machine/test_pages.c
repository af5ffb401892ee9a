/* test_pages.c - tables in the documentation that are printed from tables of machine/ (../page.h). After a change of
 * these run: ORRERY_UPDATE=1 test_machine --filter pages/have_the_tables_of_the_code
 *
 *   keys SECTION     the keys of a section of machine files (config/keys.def)
 *   mappings         ways to place ranks (mappings.def); strategies: with what they need, and whose they are
 *   machines         the machines of configs/
 *   statistics GROUP what is counted of each rank (statistics.def): RANK, CACHE, PREDICTOR or THREADS
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
    static const char *const groups[] = {"RANK", "CACHE", "PREDICTOR", "THREADS", NULL};
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

/* Checks that a row "| `KEY`, `KEY` | ... | DEFAULT | ..." agrees with keys.def. `column` is the column of the
 * default. */
static void check_defaults(const MachConfig *config, const char *path, char **cells, guint column)
{
    g_auto(GStrv) keys = g_strsplit(cells[1], ",", -1);
    g_strdelimit(g_strstrip(cells[column]), "`", ' ');
    for (char **key = keys; *key; key++) {
        g_strstrip(g_strdelimit(*key, "`", ' '));
        bool known = false, same = false;
        for (guint i = 0; i < config->settings->len; i++) {
            const MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
            known = known || strcmp(setting->name, *key) == 0;
            same =
                same || (strcmp(setting->name, *key) == 0 && strcmp(setting->fallback, g_strstrip(cells[column])) == 0);
        }
        cr_expect(!known || same, "%s: the default of %s is not %s", path, *key, cells[column]);
    }
}

/* Tables that are typed, because they say more than keys.def, have the defaults of keys.def. */
Test(pages, tables_of_keys_have_their_defaults)
{
    g_autoptr(MachConfig) config = defaults();
    unsigned checked = 0;
    GDir *folder = g_dir_open(ORRERY_SOURCE_DIR "/docs", 0, NULL);
    for (const char *name; (name = g_dir_read_name(folder));) {
        g_autofree char *path = g_build_filename(ORRERY_SOURCE_DIR "/docs", name, NULL), *text = NULL;
        if (!g_str_has_suffix(name, ".md") || !g_file_get_contents(path, &text, NULL, NULL))
            continue;
        g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
        guint column = 0; /* of the defaults in the present table; 0: none */
        for (char **line = lines; *line; line++) {
            g_auto(GStrv) cells = g_strsplit(*line, "|", -1);
            if (g_strv_length(cells) < 4)
                column = 0;
            for (guint i = 2; g_str_has_prefix(*line, "| key |") && cells[i]; i++)
                column = strcmp(g_strstrip(cells[i]), "default") == 0 ? i : column;
            if (column && g_str_has_prefix(*line, "| `") && column < g_strv_length(cells)) {
                check_defaults(config, path, cells, column);
                checked++;
            }
        }
    }
    g_dir_close(folder);
    cr_expect_gt(checked, 150, "%u rows", checked);
}

/* The last column of keys.def can be parsed as in machine/config/remarks.c. */
Test(pages, conditions_name_keys_and_values_that_there_are)
{
    g_autoptr(MachConfig) config = defaults();
    g_autoptr(GRegex) condition = g_regex_new("^(\\w+)\\.([\\w-]+)(!?=|>0$)(.*)$", 0, 0, NULL);
    for (guint i = 0; i < config->settings->len; i++) {
        const MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
        g_auto(GStrv) words = g_strsplit_set(setting->when ? setting->when : "", " /", -1);
        for (char **word = words; *word; word++) {
            g_autoptr(GMatchInfo) found = NULL;
            if (!**word || strcmp(*word, "net") == 0)
                continue;
            cr_assert(g_regex_match(condition, *word, 0, &found), "%s: %s", setting->name, *word);
            g_autofree char *section = g_match_info_fetch(found, 1), *key = g_match_info_fetch(found, 2),
                            *list = g_match_info_fetch(found, 4);
            const MachSetting *asked = mach_setting_find(config->settings, section, key);
            cr_assert_not_null(asked, "%s: %s", setting->name, *word);
            g_auto(GStrv) values = g_strsplit(list, "|", -1);
            for (char **value = values; asked->names && *value; value++)
                cr_expect(g_strv_contains(asked->names, *value), "%s: %s has no value %s", setting->name, key, *value);
        }
    }
}
