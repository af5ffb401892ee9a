/* choices.h - parameters of a network that are one of a few: each list is one table of enumerators and the names that
 * machine files have for them. The first is what zeros mean.
 */
#ifndef ORRERY_NETSIM_CHOICES_H
#define ORRERY_NETSIM_CHOICES_H

/* clang-format off */
/* Whether both directions of a link carry at the same time, or take turns. */
#define NET_DUPLEXES(CHOICE) \
    CHOICE(NET_DUPLEX_FULL, "full") \
    CHOICE(NET_DUPLEX_HALF, "half")
/* Wormhole: which virtual channel a packet gets, and which packet goes first. */
#define NET_ALLOCATIONS(CHOICE) \
    CHOICE(NET_ALLOCATE_LOWEST, "lowest") \
    CHOICE(NET_ALLOCATE_ROUND_ROBIN, "round-robin") \
    CHOICE(NET_ALLOCATE_OLDEST_FIRST, "oldest-first") \
    CHOICE(NET_ALLOCATE_MESSAGE_CLASS, "message-class")
/* Where the path of a packet is chosen: hop by hop, or all of it as it leaves. */
#define NET_DECISIONS(CHOICE) \
    CHOICE(NET_DECIDE_DISTRIBUTED, "distributed") \
    CHOICE(NET_DECIDE_AT_SOURCE, "source")
/* What becomes of a network that can deadlock: it is refused, runs until it does, or takes a packet out when it does. */
#define NET_DEADLOCK_POLICIES(CHOICE) \
    CHOICE(NET_DEADLOCK_REFUSE, "refuse") \
    CHOICE(NET_DEADLOCK_FATAL, "fatal") \
    CHOICE(NET_DEADLOCK_RESOLVE, "resolve")
/* Switched Ethernet: pause frames, or frames are dropped. */
#define NET_FLOW_CONTROLS(CHOICE) \
    CHOICE(NET_FLOW_CONTROL_PAUSE, "pause") \
    CHOICE(NET_FLOW_CONTROL_NONE, "none")
/* clang-format on */

#define NET_CHOICE_ENUMERATOR(enumerator, name) enumerator,
typedef enum NetDuplex { NET_DUPLEXES(NET_CHOICE_ENUMERATOR) } NetDuplex;
typedef enum NetAllocation { NET_ALLOCATIONS(NET_CHOICE_ENUMERATOR) } NetAllocation;
typedef enum NetDecision { NET_DECISIONS(NET_CHOICE_ENUMERATOR) } NetDecision;
typedef enum NetDeadlockPolicy { NET_DEADLOCK_POLICIES(NET_CHOICE_ENUMERATOR) } NetDeadlockPolicy;
typedef enum NetFlowControl { NET_FLOW_CONTROLS(NET_CHOICE_ENUMERATOR) } NetFlowControl;
#undef NET_CHOICE_ENUMERATOR

/* The names by enumerator: NULL-terminated, static. */
const char *const *net_choice_duplexes(void);
const char *const *net_choice_allocations(void);
const char *const *net_choice_decisions(void);
const char *const *net_choice_deadlock_policies(void);
const char *const *net_choice_flow_controls(void);

#endif
