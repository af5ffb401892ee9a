/* grid.c - how long what was done, by rows and columns of time. Sums are integers: their order does not matter. */
#include "plot/data/data.h"

DataGrid *plot_data_grid_new(uint32_t rows, uint32_t columns, uint64_t from_ps, uint64_t to_ps)
{
    DataGrid *grid = g_new0(DataGrid, 1);
    grid->rows = rows;
    grid->columns = columns;
    grid->from_ps = from_ps;
    grid->to_ps = MAX(to_ps, from_ps + 1);
    grid->ps = g_new0(uint64_t, (gsize)rows * columns * ANALYSIS_STATES);
    return grid;
}

void plot_data_grid_free(DataGrid *grid)
{
    if (!grid)
        return;
    g_free(grid->ps);
    g_free(grid);
}

uint64_t plot_data_grid_time(const DataGrid *grid, uint32_t column)
{
    return grid->from_ps + (uint64_t)((unsigned __int128)(grid->to_ps - grid->from_ps) * column / grid->columns);
}

uint32_t plot_data_grid_column(const DataGrid *grid, uint64_t ps)
{
    uint64_t span = grid->to_ps - grid->from_ps;
    if (ps <= grid->from_ps)
        return 0;
    if (ps >= grid->to_ps)
        return grid->columns - 1;
    uint64_t since = ps - grid->from_ps;
    uint32_t column = since <= UINT64_MAX / grid->columns ? (uint32_t)(since * grid->columns / span)
                                                          : (uint32_t)((unsigned __int128)since * grid->columns / span);
    column = MIN(column, grid->columns - 1);
    /* Columns begin at rounded times. */
    return column + 1 < grid->columns && plot_data_grid_time(grid, column + 1) <= ps ? column + 1 : column;
}

void plot_data_grid_add(DataGrid *grid, uint32_t row, AnalysisState state, uint64_t from_ps, uint64_t to_ps)
{
    from_ps = MAX(from_ps, grid->from_ps);
    to_ps = MIN(to_ps, grid->to_ps);
    if (from_ps >= to_ps)
        return;
    uint32_t column = plot_data_grid_column(grid, from_ps);
    uint64_t *cell = grid->ps + ((gsize)row * grid->columns + column) * ANALYSIS_STATES + state;
    for (uint64_t end; from_ps < to_ps; from_ps = end, cell += ANALYSIS_STATES) {
        column++;
        end = column < grid->columns ? MIN(to_ps, plot_data_grid_time(grid, column)) : to_ps;
        *cell += end - from_ps;
    }
}

const uint64_t *plot_data_grid_cell(const DataGrid *grid, uint32_t row, uint32_t column)
{
    return grid->ps + ((gsize)row * grid->columns + column) * ANALYSIS_STATES;
}
