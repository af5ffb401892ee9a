/* contention.h - what the cores of a node have together: its memory's bandwidth and its network interfaces. */
#ifndef ORRERY_MACHINE_CONTENTION_CONTENTION_H
#define ORRERY_MACHINE_CONTENTION_CONTENTION_H

#include "machine/machine.h"

typedef struct MachContention MachContention;
/* Something that cores take in turn, by number: the memory of a node, or a network interface. */
typedef enum MachShared { MACH_SHARED_MEMORY, MACH_SHARED_INTERFACE, MACH_SHARED_KINDS } MachShared;

MachContention *mach_contention_new(void);
void mach_contention_free(MachContention *contention);
/* Takes `length_ps` of its time from from_ps on, around what is taken already; `whole`: in one piece. Returns the time
 * at which that is over. Nothing before now_ps will be asked for any more. */
uint64_t mach_contention_take(MachContention *contention, MachShared kind, uint32_t number, uint64_t now_ps,
                              uint64_t from_ps, uint64_t length_ps, bool whole);

#endif
