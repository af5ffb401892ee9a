/* next_links.c - see next_links.h. */
#include "netsim/routing/next_links.h"

#include <string.h>

enum { CACHE_BYTES = 64 << 20, LEAST_SLOTS = 16 };

void net_next_links_init(NetNextLinks *links, uint32_t destinations, size_t entries)
{
    size_t fitting = CACHE_BYTES / (entries * sizeof(uint32_t));
    links->entries = entries;
    links->slots = (uint32_t)MIN(destinations, MAX(fitting, LEAST_SLOTS));
    links->destination = g_new(uint32_t, links->slots);
    links->table = g_new0(uint32_t *, links->slots);
    net_next_links_forget(links);
}

void net_next_links_forget(NetNextLinks *links)
{
    memset(links->destination, 0xff, links->slots * sizeof *links->destination);
}

void net_next_links_clear(NetNextLinks *links)
{
    for (uint32_t i = 0; i < links->slots; i++)
        g_free(links->table[i]);
    g_free(links->table);
    g_free(links->destination);
}
