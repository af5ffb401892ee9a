/* data.h - what pictures show, gathered in few passes with bounded memory.
 *
 *   rows.c   locations in the order in which they are drawn, many in one row if need be
 *   read.c   goes through a trace: intervals and events
 *   grid.c   who did what how long, by rows and columns of time
 *   table.c  tables with commas                                   profile.c  profiles
 */
#ifndef ORRERY_PLOT_DATA_H
#define ORRERY_PLOT_DATA_H

#include "plot/plot.h"

/* -- rows (rows.c) ----------------------------------------------------------------------------- */

enum { DATA_NO_ROW = UINT32_MAX };

typedef struct DataRows {
    uint32_t *order;    /* the locations that are shown: by rank, and below it its threads */
    uint32_t *row_of;   /* by location: its row, or DATA_NO_ROW */
    uint32_t locations; /* numbers of locations are below */
    uint32_t shown;     /* how many locations are shown */
    uint32_t per_row;   /* so many stand in one row: 1, 2, 4, ... */
    uint32_t rows;
    uint32_t ranks; /* how many ranks are among those shown */
    bool threads;   /* some are threads */
} DataRows;
/* Puts what is selected into at most `most` rows. Returns NULL with an error if nothing is. */
DataRows *plot_data_rows_new(const PlotRequest *request, uint32_t most, GError **error);
void plot_data_rows_free(DataRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DataRows, plot_data_rows_free)
/* Returns the name of a row: "3", "3.1" for a thread, "8-15" for several. For g_free(). */
char *plot_data_rows_name(const DataRows *rows, const TraceReader *reader, uint32_t row);

/* -- reading (read.c) -------------------------------------------------------------------------- */

/* Who wants to be told; functions may be NULL. Only what happens at locations that are shown is told. */
typedef struct DataListener {
    void (*interval)(void *user, const AnalysisInterval *interval); /* in order at each location */
    void (*event)(void *user, const TraceEvent *event);             /* of the kinds below, of any location */
    uint64_t kinds;
    void *user;
} DataListener;
/* Goes through what is selected. Returns false with an error if the trace is damaged. */
bool plot_data_read(const PlotRequest *request, const DataListener *listener, GError **error);

typedef struct DataMessage {
    uint32_t from, to; /* locations */
    uint64_t id, sent_ps, arrived_ps, bytes;
    bool inner; /* within a collective operation */
} DataMessage;
/* Returns what an event of kind `message` tells. */
DataMessage plot_data_message(const TraceEvent *event);
#define DATA_KIND(kind) (UINT64_C(1) << (kind))
/* Returns what is shown of the run's time: the selection, within the run. Returns false with an error if that is
 * nothing. */
bool plot_data_span(const PlotRequest *request, uint64_t *from_ps, uint64_t *to_ps, GError **error);
/* Returns a line of facts about the run: program, machine, ranks, time. For g_free(). */
char *plot_data_facts(const PlotRequest *request);
/* Sets an error that the trace has no events of some kind, and says why that may be. Returns false. */
bool plot_data_missing(const PlotRequest *request, const char *what, const char *why, GError **error);

/* -- a grid of time (grid.c) ------------------------------------------------------------------- */

typedef struct DataGrid {
    uint32_t rows, columns;
    uint64_t from_ps, to_ps;
    uint64_t *ps; /* by row, column, state */
} DataGrid;
/* At most some 32 bytes for each cell, whatever the trace. */
DataGrid *plot_data_grid_new(uint32_t rows, uint32_t columns, uint64_t from_ps, uint64_t to_ps);
void plot_data_grid_free(DataGrid *grid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DataGrid, plot_data_grid_free)
/* Adds time between two moments to the cells that it falls into. O(columns between them). */
void plot_data_grid_add(DataGrid *grid, uint32_t row, AnalysisState state, uint64_t from_ps, uint64_t to_ps);
/* Returns the times of a cell, by state. */
const uint64_t *plot_data_grid_cell(const DataGrid *grid, uint32_t row, uint32_t column);
/* Returns the beginning of a column. */
uint64_t plot_data_grid_time(const DataGrid *grid, uint32_t column);
uint32_t plot_data_grid_column(const DataGrid *grid, uint64_t ps);

#endif
