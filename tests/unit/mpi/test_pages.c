/* test_pages.c - tables in the documentation that are printed from tables of mpi/ (../page.h): checks (docs/checks.md),
 * algorithms of collectives (docs/mpi.md) and causes of waiting (docs/profile.md). After a change of these run:
 * ORRERY_UPDATE=1 test_mpi --filter pages/have_the_tables_of_the_code
 */
#include "../page.h"
#include "mpi/collective/schedule.h"
#include "mpi/mpi_world.h"

/* Returns the text with names of functions in backquotes: MPI_Init becomes `MPI_Init`. */
static char *with_names_quoted(const char *text)
{
    g_autoptr(GRegex) name = g_regex_new("\\bMPI_\\w+", 0, 0, NULL);
    return g_regex_replace(name, text, -1, 0, "`\\0`", 0, NULL);
}

static void print_checks(const char *rest, GString *out)
{
    static const char *const sorts[] = {
        [MPI_FINDING_CERTAIN] = "certain", [MPI_FINDING_POSSIBLE] = "possible", [MPI_FINDING_LEFT] = "left over"};
    (void)rest;
    g_string_append(out, "| check | without `--check` | that is | finds |\n|---|---|---|---|\n");
    for (MpiCheck check = 0; check < MPI_CHECKS; check++) {
        const MpiCheckInfo *row = mpi_check_row(check);
        g_autofree char *help = with_names_quoted(row->help), *name = NULL;
        name = g_strdup_printf("[%s](#%s)", row->name, row->name);
        const char *cells[] = {name, row->when == MPI_WHEN_ASKED ? "off" : "on", sorts[row->sort], help};
        page_append_row(out, cells, G_N_ELEMENTS(cells));
    }
}

/* Appends the sizes for which `auto` takes the algorithm. It has taken others for sizes up to `covered`. */
static void append_sizes(const MpiAlgorithm *row, uint64_t covered, GString *out)
{
    if (covered == UINT64_MAX) {
        g_string_append(out, "if asked for");
        return;
    }
    if (row->min_bytes)
        g_string_append_printf(out, "from %" G_GUINT64_FORMAT " B", row->min_bytes);
    if (row->max_bytes != UINT64_MAX)
        g_string_append_printf(out, "%sup to %" G_GUINT64_FORMAT " B", row->min_bytes ? " " : "", row->max_bytes);
}

static void append_needs(const MpiAlgorithm *row, GString *out)
{
    static const struct {
        unsigned bit;
        const char *what;
    } needs[] = {{MPI_ALGORITHM_COMMUTATIVE, "an operator that commutes"},
                 {MPI_ALGORITHM_POWER_OF_TWO, "a power of two of ranks"},
                 {MPI_ALGORITHM_MULTICAST, "a network with broadcast"}};
    for (size_t i = 0; i < G_N_ELEMENTS(needs); i++)
        if (row->needs & needs[i].bit)
            g_string_append_printf(out, "%s%s", out->len ? "; " : "", needs[i].what);
}

static void print_algorithms(const char *rest, GString *out)
{
    size_t count;
    uint64_t covered = 0;
    const MpiAlgorithm *rows = mpi_algorithm_rows(&count);
    (void)rest;
    g_string_append(out, "| collective | algorithm | `auto`: for blocks | needs |\n|---|---|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        if (rows[i].needs & MPI_ALGORITHM_INTER)
            continue;
        bool first = i == 0 || rows[i - 1].collective != rows[i].collective;
        covered = first ? 0 : covered;
        g_autofree char *collective = g_strdup_printf("`%s`", mpi_collective_key(rows[i].collective));
        g_autofree char *algorithm = g_strdup_printf("`%s`", rows[i].name);
        g_autoptr(GString) sizes = g_string_new(NULL), needs = g_string_new(NULL);
        append_sizes(&rows[i], covered, sizes);
        if (rows[i].needs == MPI_ALGORITHM_ANY && rows[i].min_bytes <= covered)
            covered = rows[i].max_bytes;
        append_needs(&rows[i], needs);
        const char *cells[] = {first ? collective : "", algorithm, sizes->str, needs->str};
        page_append_row(out, cells, G_N_ELEMENTS(cells));
    }
}

static void print_causes(const char *rest, GString *out)
{
    static const char *const rows[][2] = {
#define MPI_WAIT_CAUSE(identifier, name, help) {name, help},
#include "mpi/waits.def"
    };
    (void)rest;
    g_string_append(out, "| cause | |\n|---|---|\n");
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        page_append_row(out, rows[i], 2);
}

Test(pages, have_the_tables_of_the_code)
{
    PageTable tables[] = {
        {"checks", print_checks, 0}, {"algorithms", print_algorithms, 0}, {"causes", print_causes, 0}, {NULL, NULL, 0}};
    page_check_all("test_mpi", tables);
}
