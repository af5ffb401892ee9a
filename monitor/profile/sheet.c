/* sheet.c - tables with named columns, as text with aligned columns and as CSV. */
#include "monitor/profile/sheet.h"
#include "base/csv.h"
#include "base/units.h"

#include <string.h>

typedef struct Column {
    SheetKind kind;
    char *heading, *key;
} Column;

typedef struct Cell {
    uint64_t number;
    char *text; /* of SHEET_TEXT */
} Cell;

struct Sheet {
    GArray *columns; /* Column */
    GArray *cells;   /* Cell, row by row */
};

static void clear_column(gpointer data)
{
    Column *column = data;
    g_free(column->heading);
    g_free(column->key);
}

static void clear_cell(gpointer data)
{
    g_free(((Cell *)data)->text);
}

Sheet *mon_sheet_new(void)
{
    Sheet *sheet = g_new0(Sheet, 1);
    sheet->columns = g_array_new(FALSE, FALSE, sizeof(Column));
    sheet->cells = g_array_new(FALSE, FALSE, sizeof(Cell));
    g_array_set_clear_func(sheet->columns, clear_column);
    g_array_set_clear_func(sheet->cells, clear_cell);
    return sheet;
}

void mon_sheet_free(Sheet *sheet)
{
    g_array_unref(sheet->columns);
    g_array_unref(sheet->cells);
    g_free(sheet);
}

void mon_sheet_column(Sheet *sheet, SheetKind kind, const char *heading, const char *key)
{
    Column column = {kind, g_strdup(heading), g_strdup(key ? key : heading)};
    g_array_append_val(sheet->columns, column);
}

void mon_sheet_text(Sheet *sheet, const char *text)
{
    Cell cell = {.text = g_strdup(text)};
    g_array_append_val(sheet->cells, cell);
}

void mon_sheet_number(Sheet *sheet, uint64_t number)
{
    Cell cell = {.number = number};
    g_array_append_val(sheet->cells, cell);
}

uint64_t mon_sheet_share(uint64_t part, uint64_t all)
{
    return all ? (uint64_t)((unsigned __int128)part * 1000000 / all) : 0;
}

static guint rows_of(const Sheet *sheet)
{
    return sheet->cells->len / sheet->columns->len;
}

static const Column *column_at(const Sheet *sheet, guint i)
{
    return &g_array_index(sheet->columns, Column, i);
}

/* Returns the cell as text for people. */
static char *cell_text(const Sheet *sheet, guint row, guint column)
{
    const Cell *cell = &g_array_index(sheet->cells, Cell, row * sheet->columns->len + column);
    switch (column_at(sheet, column)->kind) {
    case SHEET_TEXT: return g_strdup(cell->text);
    case SHEET_TIME: return cell->number ? base_units_format_time(cell->number) : g_strdup("-");
    case SHEET_COUNT: return g_strdup_printf("%" G_GUINT64_FORMAT, cell->number);
    case SHEET_SHARE:
        return g_strdup_printf("%" G_GUINT64_FORMAT ".%02u", cell->number / 10000,
                               (unsigned)(cell->number / 100 % 100));
    }
    g_assert_not_reached();
}

/* Numbers go to the right, texts to the left; nothing follows the last text. */
static void append_aligned(const Sheet *sheet, guint column, const char *text, const glong *widths, GString *out)
{
    bool left = column_at(sheet, column)->kind == SHEET_TEXT, last = column + 1 == sheet->columns->len;
    int gap = last && left ? 0 : (int)(widths[column] - g_utf8_strlen(text, -1));
    g_string_append_printf(out, "  %*s%s%*s", left ? 0 : gap, "", text, left ? gap : 0, "");
}

void mon_sheet_print(const Sheet *sheet, uint32_t most, GString *out)
{
    guint columns = sheet->columns->len, rows = rows_of(sheet), shown = most ? MIN(most, rows) : rows;
    g_autofree glong *widths = g_new0(glong, columns);
    for (guint i = 0; i < columns; i++) {
        widths[i] = g_utf8_strlen(column_at(sheet, i)->heading, -1);
        for (guint row = 0; row < shown; row++) {
            g_autofree char *text = cell_text(sheet, row, i);
            widths[i] = MAX(widths[i], g_utf8_strlen(text, -1));
        }
    }
    for (guint i = 0; i < columns; i++)
        append_aligned(sheet, i, column_at(sheet, i)->heading, widths, out);
    g_string_append_c(out, '\n');
    for (guint row = 0; row < shown; row++) {
        for (guint i = 0; i < columns; i++) {
            g_autofree char *text = cell_text(sheet, row, i);
            append_aligned(sheet, i, text, widths, out);
        }
        g_string_append_c(out, '\n');
    }
    if (shown < rows)
        g_string_append_printf(out, "  (%u more rows; --rows 0 shows all)\n", rows - shown);
}

void mon_sheet_print_csv(const Sheet *sheet, GString *out)
{
    guint columns = sheet->columns->len, rows = rows_of(sheet);
    for (guint i = 0; i < columns; i++)
        g_string_append_printf(out, "%s%s", i ? "," : "", column_at(sheet, i)->key);
    g_string_append(out, "\n");
    for (guint row = 0; row < rows; row++) {
        for (guint i = 0; i < columns; i++) {
            const Cell *cell = &g_array_index(sheet->cells, Cell, row * columns + i);
            if (i)
                g_string_append_c(out, ',');
            if (column_at(sheet, i)->kind == SHEET_TEXT)
                base_csv_append(out, cell->text);
            else if (column_at(sheet, i)->kind == SHEET_SHARE)
                g_string_append_printf(out, "%" G_GUINT64_FORMAT ".%04u", cell->number / 10000,
                                       (unsigned)(cell->number % 10000));
            else
                g_string_append_printf(out, "%" G_GUINT64_FORMAT, cell->number);
        }
        g_string_append(out, "\n");
    }
}
