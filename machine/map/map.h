/* map.h - ranks to nodes and cores: mappings of a machine file, and those that MPI's topologies ask for. */
#ifndef ORRERY_MACHINE_MAP_MAP_H
#define ORRERY_MACHINE_MAP_MAP_H

#include "machine/machine.h"

typedef struct MachPlace {
    uint32_t node;
    uint32_t share : 28; /* how many ranks its core has, itself included */
    uint32_t nic : 4;    /* of the node, the core's; see NET_MAX_NICS */
} MachPlace;
/* Where each of `ranks` ranks runs; NULL with an error. g_free. */
MachPlace *mach_map_ranks(const MachConfig *config, const Network *net, uint32_t ranks, GError **error);
/* Picoseconds of wall time that a cycle takes a rank whose core `share` ranks use, 32.32 fixed point. */
uint64_t mach_map_period_q32(const MachConfig *config, uint32_t share);
/* Which process gets which place in a topology of MPI that may be reordered (arrange.c): chosen[vertex] is a member.
 * node[i]: where member i runs; taken. False: the order that there is stays. */
bool mach_map_arrange(const Network *net, uint32_t *node, const MpiArrangement *arrangement, uint32_t *chosen);

#endif
