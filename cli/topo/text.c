/* text.c - a network drawn with characters.
 *
 *   mesh 2x3                 torus 2x3                ring of 3            bus of 3
 *   [0]--[1]--[2]               |    |    |           +-[0]--[1]--[2]-+    [0]  [1]  [2]
 *    |    |    |              --[0]--[1]--[2]--       +---------------+     |    |    |
 *   [3]--[4]--[5]             ...                                          =+====+====+=
 *
 * Stubs at the edges of a torus are the links that wrap around. A hypercube of up to 4 dimensions is drawn as a grid
 * with its numbers in Gray code, in which it is a torus. If there are more than two dimensions, one plane is drawn.
 *
 * Links that fail at some time are drawn as x rather than - or |:  [0]xx[1]
 */
#include "cli/topo/topo.h"
#include "netsim/netsim.h"

#include <stdio.h>
#include <string.h>

enum { LINE_WIDTH = 100, MOST_ROWS = 16, MOST_SWITCHES = 24 };

typedef struct Sketch {
    const Network *net;
    GArray *failing; /* uint32_t: links that fail at some time */
    GString *out;
} Sketch;

typedef struct Grid {
    uint32_t rows, columns, first; /* number of the first node */
    bool wrap_rows, wrap_columns;  /* rows (columns) are rings */
    bool gray;
    int width; /* digits of a number */
} Grid;

/* Returns whether a link between the two vertices fails, in either direction. */
static bool fails(const Sketch *sketch, uint32_t a, uint32_t b)
{
    for (guint i = 0; i < sketch->failing->len; i++) {
        const NetLink *link = net_link(sketch->net, g_array_index(sketch->failing, uint32_t, i));
        if ((link->from == a && link->to == b) || (link->from == b && link->to == a))
            return true;
    }
    return false;
}

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

/* Ends a line and removes blanks at its end. */
static void end_line(GString *out)
{
    while (out->len && out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}

/* Returns how many nodes with numbers of this width fit side by side. */
static uint32_t most_columns(int width)
{
    return (uint32_t)(LINE_WIDTH / (width + 4));
}

/* Appends a line of vertical bars: between two rows, or above and below a torus, between its last row and its first. */
static void append_bars(const Sketch *sketch, const Grid *grid, uint32_t row, uint32_t columns)
{
    GString *out = sketch->out;
    uint32_t above = (row ? row : grid->rows) - 1, below = row < grid->rows ? row : 0;
    append_many(out, ' ', grid->wrap_rows ? 4 : 2);
    for (uint32_t column = 0; column < columns; column++) {
        append_many(out, ' ', (grid->width + 2) / 2);
        g_string_append_c(out, fails(sketch, node_at(grid, above, column), node_at(grid, below, column)) ? 'x' : '|');
        append_many(out, ' ', grid->width + 3 - (grid->width + 2) / 2);
    }
    end_line(out);
}

/* Returns the link to the left of a column. For the first column, and after the last, that is the link that wraps
 * around. */
static const char *dashes(const Sketch *sketch, const Grid *grid, uint32_t row, uint32_t column)
{
    uint32_t left = (column ? column : grid->columns) - 1, right = column < grid->columns ? column : 0;
    return fails(sketch, node_at(grid, row, left), node_at(grid, row, right)) ? "xx" : "--";
}

static void append_row(const Sketch *sketch, const Grid *grid, uint32_t row, uint32_t columns)
{
    GString *out = sketch->out;
    g_string_append_printf(out, "  %s", grid->wrap_rows ? dashes(sketch, grid, row, 0) : "");
    for (uint32_t column = 0; column < columns; column++)
        g_string_append_printf(out, "%s[%*u]", column ? dashes(sketch, grid, row, column) : "", grid->width,
                               node_at(grid, row, column));
    if (columns < grid->columns)
        g_string_append_printf(out, "%s ...", dashes(sketch, grid, row, columns));
    else if (grid->wrap_rows)
        g_string_append(out, dashes(sketch, grid, row, columns));
    g_string_append_c(out, '\n');
}

static void append_grid(const Sketch *sketch, Grid grid)
{
    GString *out = sketch->out;
    grid.width = digits_of(net_network_nodes(sketch->net) - 1);
    uint32_t rows = MIN(grid.rows, MOST_ROWS), columns = MIN(grid.columns, most_columns(grid.width));
    if (grid.wrap_columns)
        append_bars(sketch, &grid, 0, columns);
    for (uint32_t row = 0; row < rows; row++) {
        if (row)
            append_bars(sketch, &grid, row, columns);
        append_row(sketch, &grid, row, columns);
    }
    if (rows < grid.rows)
        g_string_append(out, "  ...\n");
    else if (grid.wrap_columns)
        append_bars(sketch, &grid, rows, columns);
    if (grid.wrap_rows || grid.wrap_columns)
        g_string_append(out, "  Loose ends meet round the back.\n");
}

/* Draws a mesh or torus: the plane of the last two dimensions where all others are 0. */
static void append_planes(const Sketch *sketch, bool torus)
{
    const NetParams *params = net_network_params(sketch->net);
    uint32_t n = params->n_dims;
    Grid grid = {.rows = n > 1 ? params->dims[n - 2] : 1, .columns = params->dims[n - 1]};
    grid.wrap_rows = torus && grid.columns > 2;
    grid.wrap_columns = torus && grid.rows > 2;
    append_grid(sketch, grid);
    uint32_t stride = grid.rows * grid.columns;
    if (n > 2)
        g_string_append_printf(sketch->out, "  This is plane 0 of %u; node n is also linked with n + %u%s.\n",
                               params->nodes / stride, stride, n > 3 ? " and so on" : "");
}

static void append_hypercube(const Sketch *sketch)
{
    uint32_t dimensions = 0;
    while (UINT32_C(1) << dimensions < net_network_nodes(sketch->net))
        dimensions++;
    uint32_t drawn = MIN(dimensions, 4);
    Grid grid = {.rows = 1u << drawn / 2, .columns = 1u << (drawn - drawn / 2), .gray = true};
    grid.wrap_rows = grid.columns > 2;
    grid.wrap_columns = grid.rows > 2;
    append_grid(sketch, grid);
    for (uint32_t d = drawn; d < dimensions; d++)
        g_string_append_printf(sketch->out, "  Node n is also linked with n xor %u.\n", 1u << d);
}

/* Draws a row of nodes and, below each, its link to the vertex in the middle, if it has one. */
static void append_nodes(const Sketch *sketch)
{
    GString *out = sketch->out;
    uint32_t nodes = net_network_nodes(sketch->net);
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
        g_string_append_c(out, fails(sketch, node, nodes) ? 'x' : '|');
        append_many(out, ' ', width + 3 - (width + 2) / 2);
    }
    end_line(out);
}

static int nodes_width(uint32_t nodes)
{
    int width = digits_of(nodes - 1);
    return (int)MIN(nodes, most_columns(width)) * (width + 4) - 2;
}

static void append_bus(const Sketch *sketch)
{
    uint32_t nodes = net_network_nodes(sketch->net);
    append_nodes(sketch);
    g_string_append(sketch->out, "  ");
    append_many(sketch->out, '=', nodes_width(nodes));
    g_string_append(sketch->out, nodes > most_columns(digits_of(nodes - 1)) ? " ...\n" : "\n");
}

static void append_crossbar(const Sketch *sketch)
{
    GString *out = sketch->out;
    uint32_t nodes = net_network_nodes(sketch->net);
    g_autofree char *name =
        net_vertex_count(sketch->net) > nodes ? net_vertex_name(sketch->net, nodes) : g_strdup("switch");
    int width = MAX(nodes_width(nodes) - 2, (int)strlen(name));
    append_nodes(sketch);
    g_string_append(out, "  +");
    append_many(out, '-', width);
    g_string_append_printf(out, "+\n  |%-*s|\n  +", width, name);
    append_many(out, '-', width);
    g_string_append(out, "+\n");
}

static void append_ring(const Sketch *sketch)
{
    uint32_t nodes = net_network_nodes(sketch->net);
    Grid grid = {.rows = 1, .columns = nodes, .width = digits_of(nodes - 1)};
    uint32_t shown = MIN(nodes, most_columns(grid.width));
    GString *row = g_string_new("  +-");
    for (uint32_t node = 0; node < shown; node++)
        g_string_append_printf(row, "%s[%*u]", node ? dashes(sketch, &grid, 0, node) : "", grid.width, node);
    if (shown < nodes)
        g_string_append_printf(row, "%s ... --[%u]", dashes(sketch, &grid, 0, shown), nodes - 1);
    int inner = (int)row->len - 3 + 1;
    g_string_append_printf(sketch->out, "%s-+\n  +", row->str);
    append_many(sketch->out, *dashes(sketch, &grid, 0, 0), inner);
    g_string_append(sketch->out, "+\n");
    g_string_free(row, TRUE);
}

/* Lists what is connected below each switch, one line each: links go up to vertices of higher numbers. */
static void append_switches(const Sketch *sketch)
{
    const Network *net = sketch->net;
    GString *out = sketch->out;
    uint32_t nodes = net_network_nodes(net), vertices = net_vertex_count(net), shown = 0;
    for (uint32_t vertex = nodes; vertex < vertices && shown < MOST_SWITCHES; vertex++, shown++) {
        g_autofree char *name = net_vertex_name(net, vertex);
        g_string_append_printf(out, "  %s above", name);
        bool any = false;
        for (uint32_t i = 0; i < net_link_count(net); i++) {
            const NetLink *link = net_link(net, i);
            if (link->from != vertex || link->to > vertex)
                continue;
            g_autofree char *to = net_vertex_name(net, link->to);
            g_string_append_printf(out, "%s %s%s", any ? "," : "", fails(sketch, vertex, link->to) ? "x " : "", to);
            any = true;
        }
        g_string_append_c(out, '\n');
    }
    if (nodes + shown < vertices)
        g_string_append_printf(out, "  ... and %u more switches\n", vertices - nodes - shown);
}

static void append_drawing(const Sketch *sketch)
{
    Grid row = {.rows = 1, .columns = net_network_nodes(sketch->net)};
    NetGrid grid;
    switch (net_network_drawing(sketch->net)) {
    case NET_DRAWING_ROW: append_grid(sketch, row); break;
    case NET_DRAWING_RING: append_ring(sketch); break;
    case NET_DRAWING_PLANES: append_planes(sketch, net_network_grid(sketch->net, &grid) && grid.wraps); break;
    case NET_DRAWING_CUBE: append_hypercube(sketch); break;
    case NET_DRAWING_BUS: append_bus(sketch); break;
    case NET_DRAWING_CROSSBAR: append_crossbar(sketch); break;
    case NET_DRAWING_FULL: g_string_append(sketch->out, "  Every node is linked with every other.\n"); break;
    case NET_DRAWING_STAR:
        g_string_append(sketch->out, "  Node 0 is in the middle; every other node is linked with it.\n");
        break;
    case NET_DRAWING_SWITCHES: append_switches(sketch); break;
    }
}

/* Lists the failures in the order of the machine file. */
static void append_failures(const Network *net, GString *out)
{
    if (net_failure(net, 0))
        g_string_append(out, "\n  Failures (x: a link that fails):\n");
    for (size_t i = 0; net_failure(net, i); i++)
        g_string_append_printf(out, "  %s\n", net_failure(net, i));
}

void cli_topo_text(const Network *net, GString *out)
{
    g_autoptr(GArray) failing = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t i = 0; i < net_link_count(net); i++)
        if (net_failure_of_link(net, i))
            g_array_append_val(failing, i);
    append_drawing(&(Sketch){net, failing, out});
    append_failures(net, out);
}
