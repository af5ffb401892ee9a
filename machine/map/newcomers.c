/* newcomers.c - where ranks run that come during a run.
 *
 * The mapping of the machine file, asked for as many ranks as the machine has cores, puts all cores in an order: its
 * seats. A rank that comes gets the first seat in which nobody sits; one that ends gives its seat back. When all seats
 * are taken, the rank goes to the node with the fewest ranks for each core, and shares its cores with them. A mapping
 * that knows only the ranks of the beginning (a file, or one that needs traffic) leaves newcomers to `block`. */
#include "machine/config/config.h"
#include "machine/map/map.h"
#include "machine/map/placement.h"

struct MachSeats {
    const MachConfig *config;
    uint32_t nodes;
    uint32_t *taken;    /* by node: ranks that live there */
    uint32_t n;         /* number of seats */
    uint32_t *node;     /* by seat */
    uint32_t *position; /* by seat: how many seats of its node come before it */
    uint32_t first;     /* no seat before this one is free */
};

enum { MOST_SEATS = 1 << 20 };

MachSeats *mach_map_seats_new(const MachConfig *config, const Network *net)
{
    MachSeats *seats = g_new0(MachSeats, 1);
    seats->config = config;
    seats->nodes = net_network_nodes(net);
    seats->taken = g_new0(uint32_t, seats->nodes);
    seats->n = (uint32_t)MIN(mach_config_total_cores(config, seats->nodes), MOST_SEATS);
    MachMapping request = {.config = config, .net = net, .ranks = seats->n, .mapping = config->mapping};
    seats->node = mach_map_nodes(&request, NULL);
    if (!seats->node) {
        request.mapping = "block";
        seats->node = mach_map_nodes(&request, NULL);
    }
    g_assert(seats->node);
    g_autofree uint32_t *before = g_new0(uint32_t, seats->nodes);
    seats->position = g_new(uint32_t, seats->n);
    for (uint32_t seat = 0; seat < seats->n; seat++)
        seats->position[seat] = before[seats->node[seat]]++;
    return seats;
}

void mach_map_seats_free(MachSeats *seats)
{
    if (!seats)
        return;
    g_free(seats->taken);
    g_free(seats->node);
    g_free(seats->position);
    g_free(seats);
}

void mach_map_seats_take(MachSeats *seats, uint32_t node)
{
    seats->taken[node]++;
}

void mach_map_seats_leave(MachSeats *seats, uint32_t node)
{
    seats->taken[node]--;
    seats->first = 0;
}

static bool is_free(const MachSeats *seats, uint32_t seat)
{
    return seats->taken[seats->node[seat]] <= seats->position[seat];
}

/* Whether node `a` has fewer ranks for each core than node `b`. */
static bool is_emptier(const MachSeats *seats, uint32_t a, uint32_t b)
{
    return (uint64_t)seats->taken[a] * mach_config_cores(seats->config, b) <
           (uint64_t)seats->taken[b] * mach_config_cores(seats->config, a);
}

static uint32_t choose_node(MachSeats *seats, const bool *among)
{
    while (seats->first < seats->n && !is_free(seats, seats->first))
        seats->first++;
    for (uint32_t seat = seats->first; seat < seats->n; seat++)
        if ((!among || among[seats->node[seat]]) && is_free(seats, seat))
            return seats->node[seat];
    uint32_t best = seats->nodes;
    for (uint32_t node = 0; node < seats->nodes; node++)
        if ((!among || among[node]) && (best == seats->nodes || is_emptier(seats, node, best)))
            best = node;
    g_assert(best < seats->nodes);
    return best;
}

uint32_t mach_map_seats_index(const MachSeats *seats, uint32_t node)
{
    return seats->taken[node] - 1;
}

MachPlace mach_map_seats_choose(MachSeats *seats, const bool *among)
{
    uint32_t node = choose_node(seats, among), cores = mach_config_cores(seats->config, node);
    uint32_t core = seats->taken[node]++ % cores;
    return (MachPlace){.node = node, .core = core, .nic = core % seats->config->net.nics};
}
