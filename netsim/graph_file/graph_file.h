/* graph_file.h - graphs from files: what the readers of edge lists (graph_file.c) and of dot (graph_dot.c) share. */
#ifndef ORRERY_NETSIM_GRAPH_FILE_H
#define ORRERY_NETSIM_GRAPH_FILE_H

#include "netsim/netsim.h"

/* What a file says of a link; 0: the network's own. */
typedef struct NetLinkText {
    uint64_t bandwidth, latency_ps;
    bool has_latency, half, has_duplex;
    uint32_t width;
} NetLinkText;

typedef struct NetEdge {
    uint32_t from, to; /* in the order in which the file names them */
    NetLinkText link;
} NetEdge;

struct NetGraphFile {
    GPtrArray *names;    /* of vertices */
    GArray *is_switch;   /* bool, the same order */
    GHashTable *numbers; /* name -> number + 1; looked up, never walked */
    GArray *edges;       /* NetEdge, one direction each */
    uint32_t *vertex;    /* number in the file -> vertex of the network: nodes first */
    uint32_t *number;    /* and back */
    uint32_t nodes;
    const char *path;
    unsigned line; /* being read */
};

NetGraphFile *net_graph_file_read(const char *path, GError **error);
void net_graph_file_free(NetGraphFile *file);

/* The number of a vertex, which is new if the name is. */
uint32_t net_graph_file_vertex(NetGraphFile *file, const char *name);
void net_graph_file_edge(NetGraphFile *file, uint32_t from, uint32_t to, bool both, const NetLinkText *link);
/* "bandwidth", "latency", "width" or "duplex"; others are refused, or passed over where `lenient`. */
bool net_graph_file_attribute(const NetGraphFile *file, NetLinkText *link, const char *key, const char *value,
                              bool lenient, GError **error);
/* PATH:LINE: and what is wrong; answers false. */
bool net_graph_file_refuse(const NetGraphFile *file, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);

bool net_graph_dot_read(NetGraphFile *file, const char *text, GError **error);

#endif
