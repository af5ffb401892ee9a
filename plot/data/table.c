/* table.c - tables of text with commas between fields and quotes around those that have commas (RFC 4180). */
#include "plot/plot.h"

#include <math.h>
#include <string.h>

typedef struct Scanner {
    const char *at, *end;
    unsigned line;
} Scanner;

/* Returns the next field, or NULL with an error. *last: it is the last one of its line. */
static char *next_field(Scanner *scanner, bool *last, GError **error)
{
    GString *text = g_string_new(NULL);
    bool quoted = scanner->at < scanner->end && *scanner->at == '"';
    unsigned began = scanner->line;
    if (quoted)
        scanner->at++;
    for (; scanner->at < scanner->end; scanner->at++) {
        char letter = *scanner->at;
        if (quoted && letter == '"') {
            if (scanner->at + 1 == scanner->end || scanner->at[1] != '"') {
                quoted = false;
                continue;
            }
            scanner->at++;
        } else if (!quoted && (letter == ',' || letter == '\n')) {
            break;
        }
        scanner->line += letter == '\n';
        if (quoted || letter != '\r')
            g_string_append_c(text, letter);
    }
    if (quoted) {
        g_set_error(error, PLOT_ERROR, PLOT_ERROR_INPUT, "line %u: a quote is opened and never closed", began);
        g_string_free(text, TRUE);
        return NULL;
    }
    *last = scanner->at == scanner->end || *scanner->at == '\n';
    scanner->line += scanner->at < scanner->end && *scanner->at == '\n';
    scanner->at += scanner->at < scanner->end;
    return g_string_free(text, FALSE);
}

static GPtrArray *next_row(Scanner *scanner, GError **error)
{
    g_autoptr(GPtrArray) row = g_ptr_array_new_with_free_func(g_free);
    bool last = false;
    while (!last) {
        char *field = next_field(scanner, &last, error);
        if (!field)
            return NULL;
        g_ptr_array_add(row, field);
    }
    return g_steal_pointer(&row);
}

static bool read_rows(PlotTable *table, Scanner *scanner, GError **error)
{
    while (scanner->at < scanner->end) {
        unsigned line = scanner->line;
        GPtrArray *row = next_row(scanner, error);
        if (!row)
            return false;
        if (row->len == 1 && !*(char *)row->pdata[0]) { /* an empty line */
            g_ptr_array_unref(row);
            continue;
        }
        g_ptr_array_add(table->rows, row);
        if (row->len == table->columns->len)
            continue;
        g_set_error(error, PLOT_ERROR, PLOT_ERROR_INPUT, "line %u has %u fields, but the first line has %u", line,
                    row->len, table->columns->len);
        return false;
    }
    return true;
}

PlotTable *plot_table_new(const char *text, gsize size, GError **error)
{
    Scanner scanner = {text, text + size, 1};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        scanner.at += 3;
    if (memchr(text, '\0', size) || !g_utf8_validate(text, (gssize)size, NULL)) {
        g_set_error_literal(error, PLOT_ERROR, PLOT_ERROR_INPUT, "this is no text, and so no table");
        return NULL;
    }
    g_autoptr(PlotTable) table = g_new0(PlotTable, 1);
    table->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    table->columns = next_row(&scanner, error);
    return table->columns && read_rows(table, &scanner, error) ? g_steal_pointer(&table) : NULL;
}

void plot_table_free(PlotTable *table)
{
    if (!table)
        return;
    g_clear_pointer(&table->columns, g_ptr_array_unref);
    g_clear_pointer(&table->rows, g_ptr_array_unref);
    g_free(table);
}

int plot_table_column(const PlotTable *table, const char *name)
{
    for (guint i = 0; i < table->columns->len; i++)
        if (strcmp(table->columns->pdata[i], name) == 0)
            return (int)i;
    return -1;
}

const char *plot_table_text(const PlotTable *table, guint row, int column)
{
    const GPtrArray *fields = table->rows->pdata[row];
    return column >= 0 && (guint)column < fields->len ? fields->pdata[column] : "";
}

bool plot_table_number(const PlotTable *table, guint row, int column, double *number)
{
    const char *text = plot_table_text(table, row, column);
    char *end;
    *number = g_ascii_strtod(text, &end);
    return *text && !*end && isfinite(*number);
}
