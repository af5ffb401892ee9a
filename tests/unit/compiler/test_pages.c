/* test_pages.c - the table of directives and clauses in docs/openmp.md is printed from the tables of compiler/omp
 * (../page.h). After a change run: ORRERY_UPDATE=1 test_compiler --filter pages/have_the_tables_of_the_code
 */
#include "../page.h"
#include "compiler/omp/omp.h"

static const char *const directives[] = {
#define OMP_DIRECTIVE(name, follows, parts) name,
#include "compiler/omp/omp_directives.def"
};
static const char *const clauses[] = {
#define OMP_CLAUSE(id, name, shape, parts, flags, words) name,
#include "compiler/omp/omp_clauses.def"
};

/* Directives in the order of the alphabet, combined ones behind what they begin with. */
static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_directives(const char *rest, GString *out)
{
    (void)rest;
    const char *sorted[G_N_ELEMENTS(directives)];
    memcpy(sorted, directives, sizeof sorted);
    qsort(sorted, G_N_ELEMENTS(sorted), sizeof *sorted, compare);
    g_string_append(out, "| directive | clauses |\n|---|---|\n");
    for (size_t i = 0; i < G_N_ELEMENTS(sorted); i++) {
        const CcOmpKind *kind = cc_omp_find_directive(sorted[i]);
        g_string_append_printf(out, "| `%s` |", sorted[i]);
        for (size_t k = 0; k < G_N_ELEMENTS(clauses); k++)
            if (clauses[k][0] != '(' && cc_omp_find_clause(kind, clauses[k]))
                g_string_append_printf(out, " `%s`", clauses[k]);
        g_string_append(out, " |\n");
    }
}

Test(pages, have_the_tables_of_the_code)
{
    PageTable tables[] = {{"directives", print_directives, 0}, {NULL, NULL, 0}};
    page_check_all("test_compiler", tables);
}
