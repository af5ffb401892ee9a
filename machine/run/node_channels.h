/* node_channels.h - messages between ranks of one node. */
#ifndef ORRERY_MACHINE_RUN_NODE_CHANNELS_H
#define ORRERY_MACHINE_RUN_NODE_CHANNELS_H

#include "machine/machine.h"

typedef struct MachNodeChannels MachNodeChannels;
MachNodeChannels *mach_node_channels_new(const MachConfig *config);
void mach_node_channels_free(MachNodeChannels *channels);
/* Sends a message that is handed over at time_ps, and that does not leave its sender before not_before_ps. *sent_ps
 * becomes the time at which it has left its sender, *delivered_ps that of its arrival. Messages of one pair of ranks
 * stay in order. */
void mach_node_channels_send(MachNodeChannels *channels, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                             uint64_t not_before_ps, uint64_t *sent_ps, uint64_t *delivered_ps);

#endif
