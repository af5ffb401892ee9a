/* page.h - tables in the documentation that are printed from tables in the code.
 *
 * A page of docs/ has a line <!-- printed by TEST: WHAT -->, the table, and a line <!-- end -->. TEST is the unit test
 * executable that prints WHAT. With ORRERY_UPDATE=1 it rewrites its tables, otherwise it compares them. It ignores the
 * tables of other tests. The test `documentation` knows all names that may come after "printed by".
 */
#ifndef ORRERY_TEST_PAGE_H
#define ORRERY_TEST_PAGE_H

#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>

typedef struct PageTable {
    const char *what;                              /* first word of WHAT */
    void (*print)(const char *rest, GString *out); /* rest: the words of WHAT after the first, or "" */
    unsigned printed;
} PageTable;

/* Appends a cell. A | in the text is escaped, as it would begin the next column. */
static inline void page_append_cell(GString *out, const char *text)
{
    for (; *text; text++)
        g_string_append_printf(out, *text == '|' ? "\\%c" : "%c", *text);
}

/* Appends a row of n cells. */
static inline void page_append_row(GString *out, const char *const *cells, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        g_string_append(out, i ? " | " : "| ");
        page_append_cell(out, cells[i] ? cells[i] : "");
    }
    g_string_append(out, " |\n");
}

static inline void page_print_table(PageTable *tables, const char *what, GString *out)
{
    size_t word = strcspn(what, " ");
    while (tables->what && (strlen(tables->what) != word || strncmp(tables->what, what, word) != 0))
        tables++;
    cr_assert(tables->what, "nobody prints %s", what);
    tables->print(what + word + (what[word] == ' '), out);
    tables->printed++;
}

/* Returns the page with up-to-date tables of this test. */
static inline GString *page_print(const char *page, const char *test, PageTable *tables)
{
    static const char shut[] = " -->\n", end[] = "<!-- end -->\n";
    g_autofree char *begin = g_strdup_printf("<!-- printed by %s: ", test);
    GString *out = g_string_new(NULL);
    for (const char *at; (at = strstr(page, begin));) {
        const char *what = at + strlen(begin), *behind = strstr(what, shut), *stop = strstr(what, end);
        cr_assert(behind && stop && behind < stop, "%.40s: no end", at);
        g_autofree char *name = g_strndup(what, (size_t)(behind - what));
        g_string_append_len(out, page, behind + strlen(shut) - page);
        g_string_append_c(out, '\n');
        page_print_table(tables, name, out);
        g_string_append_c(out, '\n');
        page = stop;
    }
    g_string_append(out, page);
    return out;
}

/* Checks or rewrites the tables of this test on all pages of docs/. `tables` ends with an empty row. */
static inline void page_check_all(const char *test, PageTable *tables)
{
    GDir *folder = g_dir_open(ORRERY_SOURCE_DIR "/docs", 0, NULL);
    cr_assert_not_null(folder);
    for (const char *name; (name = g_dir_read_name(folder));) {
        g_autofree char *path = g_build_filename(ORRERY_SOURCE_DIR "/docs", name, NULL), *text = NULL;
        if (!g_str_has_suffix(name, ".md"))
            continue;
        cr_assert(g_file_get_contents(path, &text, NULL, NULL), "%s", path);
        GString *expected = page_print(text, test, tables);
        if (!g_getenv("ORRERY_UPDATE"))
            cr_assert_str_eq(text, expected->str, "%s is out of date: run ORRERY_UPDATE=1 %s", path, test);
        else if (strcmp(text, expected->str) != 0)
            cr_assert(g_file_set_contents(path, expected->str, (gssize)expected->len, NULL));
        g_string_free(expected, TRUE);
    }
    g_dir_close(folder);
    for (; tables->what; tables++)
        cr_assert(tables->printed, "no page of docs/ has a table that is printed by %s: %s", test, tables->what);
}

/* Checks or rewrites a file of the project that is printed as a whole. */
static inline void page_check_file(const char *name, const char *expected, const char *test)
{
    g_autofree char *path = g_build_filename(ORRERY_SOURCE_DIR, name, NULL), *text = NULL;
    if (g_getenv("ORRERY_UPDATE"))
        cr_assert(g_file_set_contents(path, expected, -1, NULL));
    cr_assert(g_file_get_contents(path, &text, NULL, NULL), "%s is missing", path);
    cr_assert_str_eq(text, expected, "%s is out of date: run ORRERY_UPDATE=1 %s", name, test);
}

#endif
