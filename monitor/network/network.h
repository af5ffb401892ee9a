/* network.h - what the files about the network's use share: watch.c (who is told), windows.c (links over time),
 * messages.c (single messages), hot_spots.c (what is printed of it); export/network_use.c writes
 * files of it.
 */
#ifndef ORRERY_MONITOR_NETWORK_NETWORK_H
#define ORRERY_MONITOR_NETWORK_NETWORK_H

#include "base/queue.h"
#include "monitor/monitor.h"

/* -- watching (watch.c) ------------------------------------------------------------------------ */

typedef struct MonNetworkOptions {
    bool links;         /* what each link and virtual channel did over time */
    uint64_t window_ps; /* ... in windows of this length; 0: chosen */
    bool messages;      /* every message on its way */
} MonNetworkOptions;

typedef struct MonNetwork MonNetwork;
/* Watches the network of a machine; one at most, before the first run. NULL: its switching model says too little. */
MonNetwork *mon_network_new(Machine *machine, const MonNetworkOptions *options, GError **error);
void mon_network_free(MonNetwork *network);
/* Where packets waited longest, behind whom; how the network's bisection was used. */
void mon_network_print(MonNetwork *network, GString *out);

/* -- links over time --------------------------------------------------------------------------- */

typedef struct MonUse { /* of a channel in a window of time */
    uint64_t bytes, packets;
    uint64_t busy_ps;    /* it carried something */
    uint64_t held_ps;    /* a packet had it */
    uint64_t blocked_ps; /* sum over the packets that got it then or later: time for which they waited */
    uint64_t queue_ps;   /* sum over the packets that waited for the link, kept with its first channel */
    uint32_t most;       /* that waited for the link at the same time, kept there, too */
} MonUse;

typedef struct MonWindows MonWindows;
/* window_ps 0: as long as makes some 32 to 64 of the whole run. */
MonWindows *mon_windows_new(size_t channels, uint64_t window_ps);
void mon_windows_free(MonWindows *windows);
void mon_windows_passed(MonWindows *windows, size_t channel, const NetPassage *passage);
/* So many packets have waited for the link that the channel is the first of. */
void mon_windows_queue(MonWindows *windows, size_t channel, uint64_t from_ps, uint64_t to_ps, uint32_t depth);
uint64_t mon_windows_length(const MonWindows *windows);
/* How many windows there are of a channel, none being used behind them. */
uint32_t mon_windows_count(MonWindows *windows, size_t channel);
const MonUse *mon_windows_use(MonWindows *windows, size_t channel, uint32_t window);

/* -- messages ---------------------------------------------------------------------------------- */

typedef struct MonHop {
    uint32_t link, channel;
    uint64_t asked_ps, got_ps, reached_ps, left_ps;
    uint64_t behind; /* a MonTransfer, or NET_NOBODY */
} MonHop;

enum { MON_SENT = 1, MON_DELIVERED = 2, MON_RECEIVED = 4 };

/* A transfer over the network, or within a node. Its parts follow each other; those that the network has are of the
 * packet that was the last to arrive. */
typedef struct MonTransfer {
    MpiTransfer what;
    unsigned seen; /* which of the above */
    bool local;    /* within a node */
    bool begun;    /* a packet has asked for its first link */
    uint64_t began_ps, handed_ps;
    uint64_t begun_ps, ready_ps; /* the NIC's startup */
    uint64_t first_ps;           /* the first packet asked for its first link */
    uint64_t arrived_ps;         /* the last packet has */
    uint64_t delivered_ps;
    uint64_t taken_ps, received_ps; /* software of the receiver */
    size_t first_hop;
    uint32_t hops;
    GArray *under_way; /* NetPassage of packets that have not arrived; NULL: none */
} MonTransfer;

typedef enum MonPart { /* of a transfer's latency */
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
/* What the network tells; the first answers the transfer's number. */
uint64_t mon_messages_accepted(MonMessages *messages, const MpiTransfer *what, const NetAccepted *accepted);
void mon_messages_passed(MonMessages *messages, const NetPassage *passage);
void mon_messages_arrived(MonMessages *messages, uint64_t transfer, uint64_t packet, uint64_t time_ps);
size_t mon_messages_count(const MonMessages *messages);
const MonTransfer *mon_messages_get(const MonMessages *messages, size_t i);
const MonHop *mon_messages_hop(const MonMessages *messages, const MonTransfer *transfer, uint32_t i);
/* Their sum is the latency, which is answered: until it was received, or was delivered, as far as it has come. */
uint64_t mon_messages_transfer_parts(const MonMessages *messages, const MonTransfer *transfer,
                                     uint64_t parts[MON_PARTS]);

/* -- what is kept of a link in any case -------------------------------------------------------- */

typedef struct MonSpot {
    uint64_t waited_ps;     /* the longest wait ... */
    uint64_t who, behind;   /* ... of this message, behind that one */
    uint64_t depth_from_ps; /* since then `depth` packets wait */
    uint32_t depth, most;
} MonSpot;

struct MonNetwork {
    Machine *machine;
    const Network *net;
    uint32_t channels;              /* of a link */
    MonWindows *windows;            /* NULL: nobody wants them */
    MonMessages *messages;          /* the same */
    MonSpot *spots;                 /* by link */
    uint64_t end_ps;                /* when links were used last */
    BaseQueue *changes;             /* of queues, still to come */
    uint64_t bytes, crossing_bytes; /* sent; from one half of the nodes to the other */
};

/* The ranks of a message that the network told of. */
void mon_network_ranks(const MonNetwork *network, uint64_t message, uint32_t *from, uint32_t *to);
/* All that waits has been told of: to be called before anything is printed. */
void mon_network_settle(MonNetwork *network);

typedef struct MonBisection {
    uint32_t links; /* that cross, both directions counted */
    uint64_t bytes, busy_ps, most_busy_ps;
} MonBisection;
/* False: the network has no links, or is so big that it would take too long. */
bool mon_network_bisection(const MonNetwork *network, MonBisection *bisection);
/* The links that packets have waited for, those waited for longest first; uint32_t. */
GArray *mon_network_hot_spots(const MonNetwork *network);

#endif
