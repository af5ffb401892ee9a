/* graph_file.h - graphs from files: what the readers of edge lists (graph_file.c) and of dot (graph_dot.c) share. */
#ifndef ORRERY_NETSIM_GRAPH_FILE_H
#define ORRERY_NETSIM_GRAPH_FILE_H

#include "netsim/netsim.h"

/* What a file says about a link. What it leaves out (0, or has_... false) is the network's own value. */
typedef struct NetLinkText {
    uint64_t bandwidth, latency_ps;
    bool has_latency, half, has_duplex;
    uint32_t width;
} NetLinkText;

/* One direction of a link in a file. */
typedef struct NetEdge {
    uint32_t from, to; /* vertices, numbered in the order in which the file names them */
    NetLinkText link;
} NetEdge;

/* A graph as a file describes it. */
struct NetGraphFile {
    GPtrArray *names;    /* names of the vertices */
    GArray *is_switch;   /* gboolean per vertex, in the same order */
    GHashTable *numbers; /* name -> number + 1; looked up, never iterated */
    GArray *edges;       /* NetEdge, each one direction */
    uint32_t *vertex;    /* number in the file -> vertex of the network, nodes first */
    uint32_t *number;    /* vertex of the network -> number in the file */
    uint32_t nodes;
    const char *path;
    unsigned line; /* line that is being read */
};

NetGraphFile *net_graph_file_read(const char *path, GError **error);
void net_graph_file_free(NetGraphFile *file);

/* Returns the number of the vertex with this name. Adds the vertex if the name is new. */
uint32_t net_graph_file_vertex(NetGraphFile *file, const char *name);
void net_graph_file_edge(NetGraphFile *file, uint32_t from, uint32_t to, bool both, const NetLinkText *link);
/* Reads the attribute "bandwidth", "latency", "width" or "duplex" into `link`. Others are refused, or ignored if
 * `lenient`. */
bool net_graph_file_attribute(const NetGraphFile *file, NetLinkText *link, const char *key, const char *value,
                              bool lenient, GError **error);
/* Sets an error "PATH:LINE: ..." that says what is wrong. Returns false. */
bool net_graph_file_refuse(const NetGraphFile *file, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);

bool net_graph_dot_read(NetGraphFile *file, const char *text, GError **error);

#endif
