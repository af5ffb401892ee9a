/* test_pages.c - the table of patterns in docs/network.md is printed from traffic/patterns.def (../page.h). After a
 * change run: ORRERY_UPDATE=1 test_traffic --filter pages/have_the_tables_of_the_code
 */
#include "../page.h"

static void print_patterns(const char *rest, GString *out)
{
    static const char *const rows[][2] = {
#define TRAFFIC_PATTERN(symbol, name, check, help) {"`" name "`", help},
#include "traffic/patterns.def"
    };
    (void)rest;
    g_string_append(out, "| traffic | from a node goes |\n|---|---|\n");
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        page_append_row(out, rows[i], G_N_ELEMENTS(rows[i]));
}

Test(pages, have_the_tables_of_the_code)
{
    PageTable tables[] = {{"patterns", print_patterns, 0}, {NULL, NULL, 0}};
    page_check_all("test_traffic", tables);
}
