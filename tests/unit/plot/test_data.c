/* test_data.c - times fall into the cells of grids without loss, tables are read as they are meant, locations have
 * their rows. */
#include "plot/data/data.h"

#include "base/random.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static uint64_t sum_of_row(const DataGrid *grid, uint32_t row, AnalysisState state)
{
    uint64_t sum = 0;
    for (uint32_t column = 0; column < grid->columns; column++)
        sum += plot_data_grid_cell(grid, row, column)[state];
    return sum;
}

Test(grid, nothing_is_lost)
{
    g_autoptr(DataGrid) grid = plot_data_grid_new(3, 7, 1000, 9999);
    uint64_t added = 0, at = 0;
    for (unsigned i = 0; i < 5000; i++) {
        uint64_t length = i % 11, from = at, to = at + length;
        plot_data_grid_add(grid, 1, ANALYSIS_WAITING, from, to);
        added += MIN(MAX(to, 1000), 9999) - MIN(MAX(from, 1000), 9999);
        at = to;
    }
    cr_assert_eq(sum_of_row(grid, 1, ANALYSIS_WAITING), added);
    cr_assert_eq(sum_of_row(grid, 0, ANALYSIS_WAITING), 0);
    cr_assert_eq(sum_of_row(grid, 2, ANALYSIS_WAITING), 0);
    cr_assert_eq(sum_of_row(grid, 1, ANALYSIS_COMPUTING), 0);
}

Test(grid, cells_hold_what_is_within_them)
{
    static const uint64_t ends[][2] = {{0, 100}, {0, 1000003}, {77, UINT64_MAX - 1}, {UINT64_MAX / 2, UINT64_MAX}};
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        g_autoptr(DataGrid) grid = plot_data_grid_new(1, 13, ends[i][0], ends[i][1]);
        plot_data_grid_add(grid, 0, ANALYSIS_COMPUTING, 0, UINT64_MAX);
        for (uint32_t column = 0; column < 13; column++) {
            uint64_t from = plot_data_grid_time(grid, column),
                     to = column < 12 ? plot_data_grid_time(grid, column + 1) : ends[i][1];
            cr_assert_eq(plot_data_grid_cell(grid, 0, column)[ANALYSIS_COMPUTING], to - from, "%zu, %u", i, column);
            if (to > from) {
                cr_assert_eq(plot_data_grid_column(grid, from), column, "%zu, %u", i, column);
                cr_assert_eq(plot_data_grid_column(grid, to - 1), column, "%zu, %u", i, column);
            }
        }
    }
}

Test(table, fields)
{
    g_autoptr(GError) error = NULL;
    const char text[] = "\xef\xbb\xbf"
                        "name,\"a \"\"b\"\"\",n\r\n\"x,y\nz\",2,3.5\n\n,,\nlast,1,1e3";
    g_autoptr(PlotTable) table = plot_table_new(text, sizeof text - 1, &error);
    cr_assert(table, "%s", error ? error->message : "");
    double number;
    cr_assert_eq(table->rows->len, 3);
    cr_assert_eq(plot_table_column(table, "name"), 0);
    cr_assert_eq(plot_table_column(table, "a \"b\""), 1);
    cr_assert_eq(plot_table_column(table, "other"), -1);
    cr_assert_str_eq(plot_table_text(table, 0, 0), "x,y\nz");
    cr_assert_str_eq(plot_table_text(table, 0, -1), "");
    cr_assert(plot_table_number(table, 0, 2, &number) && number == 3.5);
    cr_assert(plot_table_number(table, 2, 2, &number) && number == 1000);
    cr_assert(!plot_table_number(table, 1, 2, &number));
    cr_assert(!plot_table_number(table, 0, 0, &number));
}

static void refuse(const char *text, gsize size, const char *part)
{
    g_autoptr(GError) error = NULL;
    cr_assert_null(plot_table_new(text, size, &error));
    cr_assert(strstr(error->message, part), "%s", error->message);
}

Test(table, what_is_none)
{
    refuse("a,b\n1,2\n1,2,3\n", 14, "line 3 has 3 fields, but the first line has 2");
    refuse("a,\"b\n1,2\n", 9, "line 1: a quote is opened");
    refuse("a\0b", 3, "no text");
    refuse("\xff\xfe", 2, "no text");
}

Test(table, any_bytes_are_read_or_refused)
{
    static const char letters[] = "a1,\"\n\r.-";
    for (unsigned run = 0; run < 3000; run++) {
        char text[40];
        g_autoptr(GError) error = NULL;
        size_t length = base_random_mix(7, run, 1000) % sizeof text;
        for (size_t i = 0; i < length; i++)
            text[i] = letters[base_random_mix(7, run, i) % (sizeof letters - 1)];
        g_autoptr(PlotTable) table = plot_table_new(text, length, &error);
        cr_assert((table != NULL) != (error != NULL));
        for (guint row = 0; table && row < table->rows->len; row++)
            for (guint column = 0; column < table->columns->len; column++)
                cr_assert_not_null(plot_table_text(table, row, (int)column));
    }
}

/* -- rows -------------------------------------------------------------------------------------- */

static TraceReader *reader_of(uint32_t ranks, bool threads, char **folder)
{
    g_autoptr(GError) error = NULL;
    *folder = g_dir_make_tmp("plot-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(*folder, "run.trace", NULL);
    TraceWriter *writer = trace_writer_new(path, ranks, NULL);
    for (uint32_t i = 0; i < ranks; i++)
        trace_writer_location(writer, i, &(TraceLocation){.rank = i, .node = ""});
    if (threads) /* they are numbered behind all ranks */
        trace_writer_location(writer, ranks, &(TraceLocation){.rank = 1, .thread = 2, .node = ""});
    for (uint32_t i = 0; i < ranks + threads; i++)
        trace_writer_add(writer, &(TraceEvent){.kind = TRACE_ENDED, .location = i, .time_ps = 1000});
    cr_assert(trace_writer_end(writer, &error));
    TraceReader *reader = trace_reader_new(path, &error);
    cr_assert(reader);
    g_unlink(path);
    return reader;
}

static void end(char *folder)
{
    g_rmdir(folder);
    g_free(folder);
}

Test(rows, threads_are_below_their_rank)
{
    char *folder;
    g_autoptr(TraceReader) reader = reader_of(4, true, &folder);
    PlotRequest request = {.reader = reader, .selection = trace_selection_all()};
    g_autoptr(DataRows) rows = plot_data_rows_new(&request, 256, NULL);
    static const char *const names[] = {"0", "1", "1.2", "2", "3"};
    cr_assert_eq(rows->rows, 5);
    cr_assert_eq(rows->ranks, 4);
    cr_assert(rows->threads);
    for (uint32_t row = 0; row < 5; row++) {
        g_autofree char *name = plot_data_rows_name(rows, reader, row);
        cr_assert_str_eq(name, names[row]);
    }
    end(folder);
}

Test(rows, many_ranks_share_one)
{
    char *folder;
    g_autoptr(TraceReader) reader = reader_of(1000, false, &folder);
    PlotRequest request = {.reader = reader, .selection = trace_selection_all()};
    g_autoptr(DataRows) rows = plot_data_rows_new(&request, 256, NULL);
    cr_assert_eq(rows->per_row, 4);
    cr_assert_eq(rows->rows, 250);
    cr_assert_eq(rows->row_of[999], 249);
    g_autofree char *name = plot_data_rows_name(rows, reader, 249);
    cr_assert_str_eq(name, "996-999");
    end(folder);
}

Test(rows, none_is_an_error)
{
    char *folder;
    g_autoptr(TraceReader) reader = reader_of(2, false, &folder);
    g_autoptr(GArray) nobody = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_autoptr(GError) error = NULL;
    PlotRequest request = {.reader = reader, .selection = trace_selection_all()};
    request.selection.locations = nobody;
    cr_assert_null(plot_data_rows_new(&request, 256, &error));
    cr_assert_eq(error->code, PLOT_ERROR_EMPTY);
    end(folder);
}
