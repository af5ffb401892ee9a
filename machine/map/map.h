/* map.h - places ranks on nodes and cores: by a machine file, or for MPI's topologies. */
#ifndef ORRERY_MACHINE_MAP_MAP_H
#define ORRERY_MACHINE_MAP_MAP_H

#include "machine/machine.h"

/* Where a rank runs. */
typedef struct MachPlace {
    uint32_t node;
    uint32_t core; /* where it begins there; ranks share it if they are more than cores */
    uint32_t nic;  /* index of the network interface that its core uses; see NET_MAX_NICS */
} MachPlace;
/* Returns how messages go between two ranks (paths.c). */
MpiPath mach_map_path(const MachConfig *config, const Network *net, const MachPlace *place, const MachPlace *other);
/* Returns where each of `ranks` ranks runs, or NULL with an error. The caller frees it with g_free(). */
MachPlace *mach_map_ranks(const MachConfig *config, const Network *net, uint32_t ranks, GError **error);
/* Returns the time of a cycle in picoseconds, as 32.32 fixed point. */
uint64_t mach_map_period_q32(const MachConfig *config);
/* Chooses which process gets which vertex in a topology of MPI that may be reordered (arrange.c). chosen[vertex]
 * becomes the index of a member. node[i] is where member i runs; the function takes the array. Returns false if the
 * present order stays. */
bool mach_map_arrange(const Network *net, uint32_t *node, const MpiArrangement *arrangement, uint32_t *chosen);

/* -- ranks that come during a run (newcomers.c) ------------------------------------------------- */

typedef struct MachSeats MachSeats;
MachSeats *mach_map_seats_new(const MachConfig *config, const Network *net);
void mach_map_seats_free(MachSeats *seats);
/* A rank that was placed otherwise lives on this node; a rank that lived there has ended. */
void mach_map_seats_take(MachSeats *seats, uint32_t node);
void mach_map_seats_leave(MachSeats *seats, uint32_t node);
/* Returns the place of one more rank, which takes it. `among` says by node which may be chosen, one at least; NULL:
 * any. */
MachPlace mach_map_seats_choose(MachSeats *seats, const bool *among);
/* How many ranks lived on the node when the last one came there. */
uint32_t mach_map_seats_index(const MachSeats *seats, uint32_t node);

#endif
