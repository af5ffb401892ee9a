/* params.h - what the parameters of all networks have in common: limits, refusals, sizes of packets. It does not depend
 * on Network. */
#ifndef ORRERY_NETSIM_PARAMS_H
#define ORRERY_NETSIM_PARAMS_H

#include "netsim/netsim.h"

#define NET_NONE      UINT32_MAX
#define NET_MAX_NODES (UINT32_C(1) << 24)
#define NET_MAX_LINKS (UINT64_C(1) << 25)
/* Links that a model does not use are left out if there are more of them than this. */
#define NET_UNUSED_LINKS  (UINT64_C(1) << 18)
#define NET_UNUSED_DEGREE UINT64_C(64)               /* they are also left out if there are more per vertex */
#define NET_MAX_CHANNELS  64                         /* most virtual channels of a link */
#define NET_MAX_NICS      16                         /* most NICs of a node */
#define NET_MAX_LATENCY   (UINT64_C(1) << 50)        /* 18 minutes: greatest latency that a key may give */
#define NET_MAX_TIME      (UINT64_C(1) << 60)        /* 13 days: longest serialisation */
#define NET_MAX_BANDWIDTH UINT64_C(1000000000000000) /* 1 PB/s: greatest bandwidth that a graph file may give */
#define NET_PS_PER_S      UINT64_C(1000000000000)

/* -- refusals (error.c) ------------------------------------------------------------------------ */

/* Sets an error that names the key as the machine file spells it and says what is wrong. Returns false. */
bool net_error_refuse(GError **error, const char *key, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* -- what is possible (params.c) --------------------------------------------------------------- */

/* Returns the index of the name that a key gives in a NULL-terminated list. If it is not in the list, returns the
 * length of the list with an error that names the nearest. */
size_t net_params_find_name(const char *key, const char *name, const char *const *known, GError **error);
bool net_params_check(const NetParams *params, GError **error);
/* Sets nodes from dims or dims from nodes, for topologies without dimensions. Refuses zero nodes and a mismatch. */
bool net_params_check_nodes(NetParams *params, const char *topology, uint32_t least, GError **error);
/* Checks only that there are at least `least` nodes, and not too many. */
bool net_params_check_count(const NetParams *params, const char *topology, uint32_t least, GError **error);
/* Checks the extents and their product. If only nodes is given, sets two nearly equal extents. */
bool net_params_check_extents(NetParams *params, const char *topology, GError **error);

/* -- files (read_file.c) ----------------------------------------------------------------------- */

/* Returns the text of the file that a key names, or NULL with an error. The caller frees it with g_free(). */
char *net_read_file(const char *key, const char *path, GError **error);

/* -- packets (packets.c) ----------------------------------------------------------------------- */

uint64_t net_packet_count(const NetParams *params, uint64_t bytes);
/* Returns the bytes on the wire of packet `index` of a message, header included. */
uint64_t net_packet_bytes(const NetParams *params, uint64_t bytes, uint64_t index);

#endif
