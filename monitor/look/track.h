/* track.h - what the files of this room share: where messages are in the network (track.c). */
#ifndef ORRERY_MONITOR_LOOK_TRACK_H
#define ORRERY_MONITOR_LOOK_TRACK_H

#include "monitor/look.h"
#include "netsim/netsim.h"

typedef struct MonPassing { /* the last passage of a message, or of a link */
    uint64_t message;       /* number of MPI; NET_NOBODY: none */
    uint64_t transfer;      /* number of the network */
    uint32_t from;          /* rank that sent it */
    uint32_t behind; /* rank whose message had the link before, if it waited; UINT32_MAX: it did not, or not known */
    uint32_t link, hop;
    uint64_t asked_ps, got_ps, reached_ps, left_ps;
} MonPassing;
/* Return what is known of a message by its number, or of a link; NULL: nothing. */
const MonPassing *mon_look_tracked(const MonTracker *tracker, uint64_t message);
const MonPassing *mon_look_tracked_link(const MonTracker *tracker, uint32_t link);

#endif
