/* node_channels.h - messages between ranks of one node. */
#ifndef ORRERY_MACHINE_RUN_NODE_CHANNELS_H
#define ORRERY_MACHINE_RUN_NODE_CHANNELS_H

#include "machine/machine.h"

typedef struct MachNodeChannels MachNodeChannels;
MachNodeChannels *mach_node_channels_new(const MachConfig *config);
void mach_node_channels_free(MachNodeChannels *channels);
/* When a message that is handed over at time_ps has left its sender and when it has arrived. In order per pair. */
void mach_node_channels_send(MachNodeChannels *channels, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                             uint64_t *sent_ps, uint64_t *delivered_ps);

#endif
