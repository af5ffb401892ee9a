/* test_pages.c - tables in docs/network.md that are printed from tables of netsim/ (../page.h): topologies, routings,
 * models. After a change of these run: ORRERY_UPDATE=1 test_netsim --filter pages/have_the_tables_of_the_code
 */
#include "../page.h"

static void print_topologies(const char *rest, GString *out)
{
    static const char *const rows[][5] = {
#define NET_TOPOLOGY(symbol, name, help, vertices, links, hops) {"`" name "`", help, vertices, links, hops},
#include "netsim/topology/topologies.def"
    };
    (void)rest;
    g_string_append(out, "| name | what it is | vertices | links (each direction counted) | farthest apart (hops) |\n"
                         "|---|---|---|---|---|\n");
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        page_append_row(out, rows[i], G_N_ELEMENTS(rows[i]));
}

static void print_routings(const char *rest, GString *out)
{
    static const char *const rows[][3] = {
#define NET_ROUTING(symbol, name, help, deadlock) {"`" name "`", help, deadlock},
#include "netsim/routing/routings.def"
    };
    (void)rest;
    g_string_append(out, "| name | what it does | deadlock under wormhole switching |\n|---|---|---|\n");
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        page_append_row(out, rows[i], G_N_ELEMENTS(rows[i]));
}

static void print_models(const char *rest, GString *out)
{
    static const char *const rows[][2] = {
#define NET_MODEL(symbol, name, help) {"`" name "`", help},
#include "netsim/models.def"
    };
    (void)rest;
    g_string_append(out, "| name | what it is |\n|---|---|\n");
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        page_append_row(out, rows[i], G_N_ELEMENTS(rows[i]));
}

Test(pages, have_the_tables_of_the_code)
{
    PageTable tables[] = {{"topologies", print_topologies, 0},
                          {"routings", print_routings, 0},
                          {"models", print_models, 0},
                          {NULL, NULL, 0}};
    page_check_all("test_netsim", tables);
}
