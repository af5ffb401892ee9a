/* topo_text.c - a network drawn with characters.
 *
 *   mesh 2x3                 torus 2x3                ring of 3            bus of 3
 *   [0]--[1]--[2]               |    |    |           +-[0]--[1]--[2]-+    [0]  [1]  [2]
 *    |    |    |              --[0]--[1]--[2]--       +---------------+     |    |    |
 *   [3]--[4]--[5]             ...                                          =+====+====+=
 *
 * Stubs at the edges of a torus are the links that go round. A hypercube of up to 4 dimensions is drawn as a grid with
 * its numbers in Gray code, where it is a torus. Of more than two dimensions, one plane is drawn.
 */
#include "topo.h"

#include <stdio.h>
#include <string.h>

enum { LINE_WIDTH = 100, MOST_ROWS = 16, MOST_SWITCHES = 24 };

typedef struct Grid {
    uint32_t rows, columns, first; /* number of the first node */
    bool wrap_rows, wrap_columns;  /* rows (columns) are rings */
    bool gray;
    int width; /* of a number */
} Grid;

static uint32_t gray_code(uint32_t i)
{
    return i ^ i >> 1;
}

static uint32_t node_at(const Grid *grid, uint32_t row, uint32_t column)
{
    if (!grid->gray)
        return grid->first + row * grid->columns + column;
    return gray_code(row) * grid->columns + gray_code(column);
}

static int digits_of(uint32_t number)
{
    int digits = 1;
    while (number >= 10) {
        number /= 10;
        digits++;
    }
    return digits;
}

static void append_many(GString *out, char c, int n)
{
    for (int i = 0; i < n; i++)
        g_string_append_c(out, c);
}

/* Ends a line without blanks at its end. */
static void end_line(GString *out)
{
    while (out->len && out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}

/* How many nodes with numbers of this width fit beside each other. */
static uint32_t most_columns(int width)
{
    return (uint32_t)(LINE_WIDTH / (width + 4));
}

/* A line of vertical bars between two rows, or above and below a torus. */
static void append_bars(const Grid *grid, uint32_t columns, GString *out)
{
    append_many(out, ' ', grid->wrap_rows ? 4 : 2);
    for (uint32_t column = 0; column < columns; column++) {
        append_many(out, ' ', (grid->width + 2) / 2);
        g_string_append_c(out, '|');
        append_many(out, ' ', grid->width + 3 - (grid->width + 2) / 2);
    }
    end_line(out);
}

static void append_row(const Grid *grid, uint32_t row, uint32_t columns, GString *out)
{
    g_string_append(out, grid->wrap_rows ? "  --" : "  ");
    for (uint32_t column = 0; column < columns; column++)
        g_string_append_printf(out, "%s[%*u]", column ? "--" : "", grid->width, node_at(grid, row, column));
    if (columns < grid->columns)
        g_string_append(out, "-- ...");
    else if (grid->wrap_rows)
        g_string_append(out, "--");
    g_string_append_c(out, '\n');
}

static void append_grid(Grid grid, uint32_t nodes, GString *out)
{
    grid.width = digits_of(nodes - 1);
    uint32_t rows = MIN(grid.rows, MOST_ROWS), columns = MIN(grid.columns, most_columns(grid.width));
    if (grid.wrap_columns)
        append_bars(&grid, columns, out);
    for (uint32_t row = 0; row < rows; row++) {
        if (row)
            append_bars(&grid, columns, out);
        append_row(&grid, row, columns, out);
    }
    if (rows < grid.rows)
        g_string_append(out, "  ...\n");
    else if (grid.wrap_columns)
        append_bars(&grid, columns, out);
    if (grid.wrap_rows || grid.wrap_columns)
        g_string_append(out, "  Loose ends meet round the back.\n");
}

/* Mesh and torus: the plane of the last two dimensions where all others are 0. */
static void append_planes(const NetParams *params, bool torus, GString *out)
{
    uint32_t n = params->n_dims;
    Grid grid = {.rows = n > 1 ? params->dims[n - 2] : 1, .columns = params->dims[n - 1]};
    grid.wrap_rows = torus && grid.columns > 2;
    grid.wrap_columns = torus && grid.rows > 2;
    append_grid(grid, params->nodes, out);
    uint32_t stride = grid.rows * grid.columns;
    if (n > 2)
        g_string_append_printf(out, "  This is plane 0 of %u; node n is also linked with n + %u%s.\n",
                               params->nodes / stride, stride, n > 3 ? " and so on" : "");
}

static void append_hypercube(const NetParams *params, GString *out)
{
    uint32_t dimensions = 0;
    while (UINT32_C(1) << dimensions < params->nodes)
        dimensions++;
    uint32_t drawn = MIN(dimensions, 4);
    Grid grid = {.rows = 1u << drawn / 2, .columns = 1u << (drawn - drawn / 2), .gray = true};
    grid.wrap_rows = grid.columns > 2;
    grid.wrap_columns = grid.rows > 2;
    append_grid(grid, params->nodes, out);
    for (uint32_t d = drawn; d < dimensions; d++)
        g_string_append_printf(out, "  Node n is also linked with n xor %u.\n", 1u << d);
}

/* A row of nodes; `under` is drawn below each. */
static void append_nodes(uint32_t nodes, const char *under, GString *out)
{
    int width = digits_of(nodes - 1);
    uint32_t shown = MIN(nodes, most_columns(width));
    g_string_append(out, "  ");
    for (uint32_t node = 0; node < shown; node++)
        g_string_append_printf(out, "[%*u]  ", width, node);
    g_string_append(out, shown < nodes ? "..." : "");
    end_line(out);
    g_string_append(out, "  ");
    for (uint32_t node = 0; node < shown; node++) {
        append_many(out, ' ', (width + 2) / 2);
        g_string_append(out, under);
        append_many(out, ' ', width + 3 - (width + 2) / 2);
    }
    end_line(out);
}

static int nodes_width(uint32_t nodes)
{
    int width = digits_of(nodes - 1);
    return (int)MIN(nodes, most_columns(width)) * (width + 4) - 2;
}

static void append_bus(const NetParams *params, GString *out)
{
    append_nodes(params->nodes, "|", out);
    g_string_append(out, "  ");
    append_many(out, '=', nodes_width(params->nodes));
    g_string_append(out, params->nodes > most_columns(digits_of(params->nodes - 1)) ? " ...\n" : "\n");
}

static void append_crossbar(const Network *net, GString *out)
{
    uint32_t nodes = net_nodes(net);
    g_autofree char *name = net_vertices(net) > nodes ? net_vertex_name(net, nodes) : g_strdup("switch");
    int width = MAX(nodes_width(nodes) - 2, (int)strlen(name));
    append_nodes(nodes, "|", out);
    g_string_append(out, "  +");
    append_many(out, '-', width);
    g_string_append_printf(out, "+\n  |%-*s|\n  +", width, name);
    append_many(out, '-', width);
    g_string_append(out, "+\n");
}

static void append_ring(const NetParams *params, GString *out)
{
    int width = digits_of(params->nodes - 1);
    uint32_t nodes = params->nodes, shown = MIN(nodes, most_columns(width));
    GString *row = g_string_new("  +-");
    for (uint32_t node = 0; node < shown; node++)
        g_string_append_printf(row, "%s[%*u]", node ? "--" : "", width, node);
    if (shown < nodes)
        g_string_append_printf(row, "-- ... --[%u]", nodes - 1);
    int inner = (int)row->len - 3 + 1;
    g_string_append_printf(out, "%s-+\n  +", row->str);
    append_many(out, '-', inner);
    g_string_append(out, "+\n");
    g_string_free(row, TRUE);
}

/* What hangs below each switch, one line each: links go up to vertices of higher numbers. */
static void append_switches(const Network *net, GString *out)
{
    uint32_t nodes = net_nodes(net), vertices = net_vertices(net), shown = 0;
    for (uint32_t vertex = nodes; vertex < vertices && shown < MOST_SWITCHES; vertex++, shown++) {
        g_autofree char *name = net_vertex_name(net, vertex);
        g_string_append_printf(out, "  %s above", name);
        bool any = false;
        for (uint32_t i = 0; i < net_links(net); i++) {
            const NetLink *link = net_link(net, i);
            if (link->from != vertex || link->to > vertex)
                continue;
            g_autofree char *to = net_vertex_name(net, link->to);
            g_string_append_printf(out, "%s %s", any ? "," : "", to);
            any = true;
        }
        g_string_append_c(out, '\n');
    }
    if (nodes + shown < vertices)
        g_string_append_printf(out, "  ... and %u more switches\n", vertices - nodes - shown);
}

void cli_topo_text(const Network *net, GString *out)
{
    const NetParams *params = net_params(net);
    const char *topology = params->topology;
    Grid row = {.rows = 1, .columns = params->nodes};
    if (strcmp(topology, "linear") == 0)
        append_grid(row, params->nodes, out);
    else if (strcmp(topology, "ring") == 0)
        append_ring(params, out);
    else if (strcmp(topology, "mesh") == 0 || strcmp(topology, "torus") == 0)
        append_planes(params, strcmp(topology, "torus") == 0, out);
    else if (strcmp(topology, "hypercube") == 0)
        append_hypercube(params, out);
    else if (strcmp(topology, "bus") == 0)
        append_bus(params, out);
    else if (strcmp(topology, "crossbar") == 0)
        append_crossbar(net, out);
    else if (strcmp(topology, "full") == 0)
        g_string_append(out, "  Every node is linked with every other.\n");
    else if (strcmp(topology, "star") == 0)
        g_string_append(out, "  Node 0 is in the middle; every other node is linked with it.\n");
    else
        append_switches(net, out);
}
