/* next_links.h - tables of a routing function: for each destination, by which link to go on from each vertex.
 *
 * A table is made when its destination is first asked for. It is kept in a cache of bounded size, whose slots are used
 * by destination modulo the number of slots. Tables depend only on the graph, so the contents of the cache cannot
 * affect a result.
 */
#ifndef ORRERY_NETSIM_NEXT_LINKS_H
#define ORRERY_NETSIM_NEXT_LINKS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The cache of a routing function's tables. */
typedef struct NetNextLinks {
    size_t entries; /* number of entries of a table */
    uint32_t slots;
    uint32_t *destination; /* by slot: the destination of its table; NET_NONE: none */
    uint32_t **table;      /* by slot: the table, filled by the routing function; NULL: never used */
} NetNextLinks;

void net_next_links_init(NetNextLinks *links, uint32_t destinations, size_t entries);
/* Empties the cache, because the graph has changed. O(slots). */
void net_next_links_forget(NetNextLinks *links);
void net_next_links_clear(NetNextLinks *links);

/* Returns the table of a destination. If *known is false, the caller has to fill it. */
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
