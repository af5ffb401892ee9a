/* test_pages.c - tables of documentation are what the tables of the code say. After a change of those:
 * ORRERY_UPDATE=1 test_machine --filter pages/have_the_tables_of_the_code
 *
 * A page has a line <!-- printed: WHAT -->, the table, and a line <!-- end -->. WHAT is one of:
 *
 *   keys SECTION     the keys of a section of machine files (config/keys.def)
 *   mappings         ways to place ranks (config/mappings.def)
 *   machines         the machines of configs/
 *   statistics GROUP what is counted of each rank (statistics.def): RANK, CACHE or PREDICTOR
 */
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

/* A | in a table begins the next column. */
static void append_cell(GString *out, const char *text)
{
    for (; *text; text++)
        g_string_append_printf(out, *text == '|' ? "\\%c" : "%c", *text);
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
        append_cell(out, unit);
        g_string_append_printf(out, *setting->fallback ? " | `%s` | " : " | %s | ", setting->fallback);
        append_cell(out, setting->help);
        g_string_append(out, " |\n");
        rows++;
    }
    cr_assert(rows, "there is no section [%s]", section);
}

static void print_mappings(GString *out)
{
    static const struct {
        const char *name, *help;
    } rows[] = {
#define MACH_MAPPING(symbol, name, needs, help) {name, help},
#include "machine/config/mappings.def"
    };
    g_string_append(out, "| name | what it does |\n|---|---|\n");
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        g_string_append_printf(out, "| `%s` | %s |\n", rows[i].name, rows[i].help);
}

static void print_machines(GString *out)
{
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

static void print_table(const char *what, GString *out)
{
    if (g_str_has_prefix(what, "keys "))
        print_keys(what + strlen("keys "), out);
    else if (g_str_has_prefix(what, "statistics "))
        print_statistics(what + strlen("statistics "), out);
    else if (strcmp(what, "mappings") == 0)
        print_mappings(out);
    else if (strcmp(what, "machines") == 0)
        print_machines(out);
    else
        cr_assert_fail("nobody prints %s", what);
}

/* The page with its tables as they should be. */
static GString *print_page(const char *page, unsigned *tables)
{
    static const char begin[] = "<!-- printed: ", shut[] = " -->\n", end[] = "<!-- end -->\n";
    GString *out = g_string_new(NULL);
    *tables = 0;
    for (const char *at; (at = strstr(page, begin)); ++*tables) {
        const char *what = at + strlen(begin), *behind = strstr(what, shut), *stop = strstr(what, end);
        cr_assert(behind && stop && behind < stop, "%.40s: no end", at);
        g_autofree char *name = g_strndup(what, (size_t)(behind - what));
        g_string_append_len(out, page, behind + strlen(shut) - page);
        g_string_append_c(out, '\n');
        print_table(name, out);
        g_string_append_c(out, '\n');
        page = stop;
    }
    g_string_append(out, page);
    return out;
}

Test(pages, have_the_tables_of_the_code)
{
    static const struct {
        const char *path;
        unsigned tables;
    } pages[] = {{ORRERY_SOURCE_DIR "/docs/machines.md", 15}, {ORRERY_SOURCE_DIR "/docs/guide.md", 3}};
    for (size_t i = 0; i < G_N_ELEMENTS(pages); i++) {
        g_autofree char *text = NULL;
        unsigned tables;
        cr_assert(g_file_get_contents(pages[i].path, &text, NULL, NULL), "%s", pages[i].path);
        g_autoptr(GString) expected = print_page(text, &tables);
        if (g_getenv("ORRERY_UPDATE"))
            cr_assert(g_file_set_contents(pages[i].path, expected->str, (gssize)expected->len, NULL));
        else
            cr_assert_str_eq(text, expected->str, "%s is out of date: run ORRERY_UPDATE=1 test_machine", pages[i].path);
        cr_assert_eq(tables, pages[i].tables, "%s has %u tables that are printed", pages[i].path, tables);
    }
}
