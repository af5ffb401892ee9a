/* network.h - what the files about the use of the network share. watch.c is told by the network, windows.c counts links
 * over time, messages.c keeps single messages, hot_spots.c prints what was narrow. export/network_use.c writes files.
 */
#ifndef ORRERY_MONITOR_NETWORK_NETWORK_H
#define ORRERY_MONITOR_NETWORK_NETWORK_H

#include "base/queue.h"
#include "monitor/monitor.h"

/* -- watching (watch.c) ------------------------------------------------------------------------ */

typedef struct MonNetworkOptions {
    bool links;         /* keep the use of each link and virtual channel over time */
    uint64_t window_ps; /* length of the windows of time that `links` counts in; 0: chosen by the length of the run */
    bool messages;      /* keep the way of every message */
    bool passages;      /* tell a listener of them, see mon_network_listen() */
    bool links_if_told; /* as `links`, if the switching model tells of them */
} MonNetworkOptions;

typedef struct MonNetwork MonNetwork;
/* Watches the network of a machine. A machine takes one such watcher, before its first run. Returns NULL with an error
 * if the switching model reports too little. */
MonNetwork *mon_network_new(Machine *machine, const MonNetworkOptions *options, GError **error);
void mon_network_free(MonNetwork *network);
/* A packet of a message uses a link; `from` is the message's sender, `message` its number (MpiMessageInfo.id). The
 * passages of background traffic and of file servers have the number 0. */
typedef void (*MonPassed)(void *user, uint64_t message, uint32_t from, const NetPassage *passage);
/* Sets who is told of passages, which MonNetworkOptions.passages has asked for. */
void mon_network_listen(MonNetwork *network, MonPassed listener, void *user);
/* Appends where packets waited longest and behind which messages, and the use of the network's bisection. */
void mon_network_print(MonNetwork *network, GString *out);

/* -- links over time --------------------------------------------------------------------------- */

typedef struct MonUse { /* the use of a channel in a window of time */
    uint64_t bytes, packets;
    uint64_t busy_ps;    /* time in which the channel carried something */
    uint64_t held_ps;    /* time in which a packet held the channel */
    uint64_t blocked_ps; /* waiting time in this window, summed over the packets that got the channel, then or later */
    uint64_t queue_ps;   /* waiting time for the link, summed over packets; kept with the link's first channel only */
    uint32_t most;       /* most packets that waited for the link at one time; kept with its first channel only */
} MonUse;

typedef struct MonWindows MonWindows;
/* Makes windows of the length window_ps. 0 chooses a length that gives some 32 to 64 windows for the whole run. */
MonWindows *mon_windows_new(size_t channels, uint64_t window_ps);
void mon_windows_free(MonWindows *windows);
void mon_windows_passed(MonWindows *windows, size_t channel, const NetPassage *passage);
/* Counts `depth` packets that wait for a link from from_ps to to_ps. `channel` is the first channel of the link. */
void mon_windows_queue(MonWindows *windows, size_t channel, uint64_t from_ps, uint64_t to_ps, uint32_t depth);
uint64_t mon_windows_length(const MonWindows *windows);
/* Returns the number of windows of a channel. In later windows the channel was not used. */
uint32_t mon_windows_count(MonWindows *windows, size_t channel);
const MonUse *mon_windows_use(MonWindows *windows, size_t channel, uint32_t window);

/* -- messages ---------------------------------------------------------------------------------- */

typedef struct MonHop {
    uint32_t link, channel;
    uint64_t asked_ps, got_ps, reached_ps, left_ps;
    uint64_t behind; /* index of the MonTransfer that it waited behind, or NET_NOBODY */
} MonHop;

enum { MON_SENT = 1, MON_DELIVERED = 2, MON_RECEIVED = 4 };

/* A transfer over the network, or within a node. Its parts follow each other without a gap. The parts within the
 * network are those of the packet that arrived last. */
typedef struct MonTransfer {
    MpiTransfer what;
    unsigned seen;                /* set of MON_SENT, MON_DELIVERED, MON_RECEIVED: what has happened so far */
    bool local;                   /* the transfer stays within a node */
    bool begun;                   /* a packet has asked for its first link */
    uint64_t began_ps, handed_ps; /* the sender's software began; it handed the transfer to the NIC */
    uint64_t begun_ps, ready_ps;  /* the NIC's startup began; it ended */
    uint64_t first_ps;            /* the first packet asked for its first link */
    uint64_t arrived_ps;          /* the last packet arrived */
    uint64_t delivered_ps;
    uint64_t taken_ps, received_ps; /* the receiver's software took it; it was done with it */
    size_t first_hop;
    uint32_t hops;
    GArray *under_way; /* of NetPassage: passages of packets that have not arrived; NULL: there are none */
} MonTransfer;

typedef enum MonPart { /* the parts of a transfer's latency, in order */
                       MON_PART_SEND,
                       MON_PART_NIC,
                       MON_PART_STARTUP,
                       MON_PART_INJECTION,
                       MON_PART_BLOCKED,
                       MON_PART_TRANSIT,
                       MON_PART_EJECTION,
                       MON_PART_ORDER,
                       MON_PART_WAIT,
                       MON_PART_RECEIVE,
                       MON_PARTS
} MonPart;
extern const char *const mon_messages_part_names[MON_PARTS];

typedef struct MonMessages MonMessages;
MonMessages *mon_messages_new(const Network *net);
void mon_messages_free(MonMessages *messages);
void mon_messages_transfer(MonMessages *messages, MpiTransferStage stage, const MpiTransfer *transfer);
/* Take what the network reports. mon_messages_accepted() returns the number of the transfer. */
uint64_t mon_messages_accepted(MonMessages *messages, const MpiTransfer *what, const NetAccepted *accepted);
void mon_messages_passed(MonMessages *messages, const NetPassage *passage);
void mon_messages_arrived(MonMessages *messages, uint64_t transfer, uint64_t packet, uint64_t time_ps);
size_t mon_messages_count(const MonMessages *messages);
const MonTransfer *mon_messages_get(const MonMessages *messages, size_t i);
const MonHop *mon_messages_hop(const MonMessages *messages, const MonTransfer *transfer, uint32_t i);
/* Computes the parts of a transfer's latency. Returns their sum, which is the latency until the transfer was received,
 * or until it was delivered if it has not been received. */
uint64_t mon_messages_transfer_parts(const MonMessages *messages, const MonTransfer *transfer,
                                     uint64_t parts[MON_PARTS]);

/* -- what is kept of a link in any case -------------------------------------------------------- */

typedef struct MonHotSpot {
    uint64_t waited_ps;       /* the longest wait for the link */
    uint64_t who, behind;     /* the message that waited longest, and the one that it waited behind */
    uint64_t depth_from_ps;   /* `depth` packets wait since this time */
    uint32_t depth, most;     /* packets that wait now; most at one time */
    uint64_t *until_ps;       /* if the network is watched in brief: when they get the link, ascending */
    uint32_t first, capacity; /* ... the first of them; size of the array */
} MonHotSpot;

struct MonNetwork {
    Machine *machine;
    const Network *net;
    uint32_t channels;     /* virtual channels of each link */
    MonWindows *windows;   /* NULL: links over time are not wanted */
    MonMessages *messages; /* NULL: single messages are not wanted */
    GHashTable *under_way; /* of messages that are under way, their numbers -> their ranks; NULL: no passages wanted */
    MonPassed passed;      /* NULL: nobody listens yet */
    void *passed_user;
    MonHotSpot *spots; /* what is kept of each link */
    uint32_t n_spots;
    uint64_t end_ps;         /* last use of a link */
    BaseQueue *changes;      /* changes of the links' queues that are still to come */
    uint64_t bytes;          /* bytes sent over the network */
    uint64_t crossing_bytes; /* bytes sent from one half of the nodes to the other */
};

/* Finds sender and receiver of a message that the network reported. */
void mon_network_ranks(const MonNetwork *network, uint64_t message, uint32_t *from, uint32_t *to);
/* Applies all changes of queues that are still to come. Call it before anything is printed. */
void mon_network_settle(MonNetwork *network);

typedef struct MonBisection {
    uint32_t links; /* links between the halves; both directions count */
    uint64_t bytes, busy_ps, most_busy_ps;
} MonBisection;
/* Computes the use of the bisection. Returns false if the network has no links, or is so large that it would take too
 * long. */
bool mon_network_bisection(const MonNetwork *network, MonBisection *bisection);
/* Returns the links that packets have waited for, by falling waiting time, as an array of uint32_t that the caller
 * owns. */
GArray *mon_network_hot_spots(const MonNetwork *network);

#endif
