/* params.h - what all parameters of networks have in common: limits, refusals, sizes of packets. Knows no network. */
#ifndef ORRERY_NETSIM_PARAMS_H
#define ORRERY_NETSIM_PARAMS_H

#include "netsim/netsim.h"

#define NET_NONE          UINT32_MAX
#define NET_MAX_NODES     (UINT32_C(1) << 24)
#define NET_MAX_LINKS     (UINT64_C(1) << 25)
#define NET_UNUSED_LINKS  (UINT64_C(1) << 18)        /* more are not built for a model that does not use them */
#define NET_UNUSED_DEGREE UINT64_C(64)               /* ... nor where there are so many for each vertex */
#define NET_MAX_CHANNELS  64                         /* virtual channels of a link */
#define NET_MAX_NICS      16                         /* of a node */
#define NET_MAX_LATENCY   (UINT64_C(1) << 50)        /* 18 minutes: what a key may say */
#define NET_MAX_TIME      (UINT64_C(1) << 60)        /* 13 days: longest serialisation */
#define NET_MAX_BANDWIDTH UINT64_C(1000000000000000) /* 1 PB/s: what a file of a graph may say */
#define NET_PS_PER_S      UINT64_C(1000000000000)

/* -- refusals (error.c) ------------------------------------------------------------------------ */

/* What is wrong with a key, as the machine file spells it; answers false. */
bool net_error_refuse(GError **error, const char *key, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* -- what is possible (params.c) --------------------------------------------------------------- */

/* The place of the name that a key gives in a NULL-terminated list, or, with an error that names the nearest, the
 * length of the list. */
size_t net_params_find_name(const char *key, const char *name, const char *const *known, GError **error);
bool net_params_check(const NetParams *params, GError **error);
/* nodes from dims or the other way round, for topologies without dimensions; refuses zero nodes and a mismatch. */
bool net_params_check_nodes(NetParams *params, const char *topology, uint32_t least, GError **error);
/* Only that there are at least so many nodes, and not too many. */
bool net_params_check_count(const NetParams *params, const char *topology, uint32_t least, GError **error);
/* Extents with their product; fills two nearly equal extents where only nodes is given. */
bool net_params_check_extents(NetParams *params, const char *topology, GError **error);

/* -- files (read_file.c) ----------------------------------------------------------------------- */

/* The text of the file that a key names, to be freed; or NULL. */
char *net_read_file(const char *key, const char *path, GError **error);

/* -- packets (packets.c) ----------------------------------------------------------------------- */

uint64_t net_packet_count(const NetParams *params, uint64_t bytes);
/* Bytes on the wire, header included, of packet `index` of a message. */
uint64_t net_packet_bytes(const NetParams *params, uint64_t bytes, uint64_t index);

#endif
