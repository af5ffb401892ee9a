/* next_links.h - tables of a routing function: for each destination, by which link to go on from each place.
 *
 * A table is made when its destination is first asked for, and kept in a cache of bounded size: one slot for each
 * destination modulo the number of slots. Tables depend on nothing but the graph, so what the cache happens to hold
 * cannot reach a result.
 */
#ifndef ORRERY_NETSIM_NEXT_LINKS_H
#define ORRERY_NETSIM_NEXT_LINKS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct NetNextLinks {
    size_t entries; /* of a table */
    uint32_t slots;
    uint32_t *destination; /* by slot: whose table it has; NET_NONE: none */
    uint32_t **table;      /* by slot: what the routing function has filled it with; NULL: never used */
} NetNextLinks;

void net_next_links_init(NetNextLinks *links, uint32_t destinations, size_t entries);
/* The graph is another now. O(slots). */
void net_next_links_forget(NetNextLinks *links);
void net_next_links_clear(NetNextLinks *links);

/* The table of a destination; *known false: it is to be filled by the caller. */
static inline uint32_t *net_next_links(NetNextLinks *links, uint32_t destination, bool *known)
{
    uint32_t slot = destination % links->slots;
    *known = links->destination[slot] == destination;
    if (G_UNLIKELY(!links->table[slot]))
        links->table[slot] = g_new(uint32_t, links->entries);
    links->destination[slot] = destination;
    return links->table[slot];
}

#endif
