/* node.h - the cores of one node, shared in time by tasks: section [node] of machine files (node.c).
 *
 * A task is what a core runs: a rank, a thread of a rank, a communication thread, a daemon. A node knows no ranks and
 * no programs. It is told when a task has something to do, and how much processor time that takes, and says at which
 * virtual time it is done. All times are integers in ps, and everything follows from the order of the calls, whose
 * times never go backwards.
 *
 *      mach_node_wake() ----> ready ----> on a core ----> served() ----> on: one of these must be called, in
 *                               ^            |                |          served() or later at the same time
 *                               +- preempted-+                |
 *                                                             +---> mach_node_go_on()   more to do
 *      A *stint* is what lies between two served(). Its       +---> mach_node_yield()   more, but others first
 *      length, the demand, may become known while it is       +---> mach_node_wait()    waits as `wait` says
 *      served: mach_node_demand().                            +---> mach_node_sleep()   gives the core back
 *                                                             +---> mach_node_end()
 *
 * A task that only needs the processor now and then (a communication thread, a daemon) is made by mach_node_add_task(),
 * and then, for each piece of work, mach_node_wake(task, now, time, demand): from `time` on it wants `demand` of
 * processor time. It calls served() when it has had that; and that ends with mach_node_sleep(task, now), or with
 * mach_node_go_on(task, now, demand) if more has come meanwhile. A mach_node_wake() while it is busy makes the present
 * stint longer by `demand`.
 */
#ifndef ORRERY_MACHINE_NODE_H
#define ORRERY_MACHINE_NODE_H

#include "machine/machine.h"

typedef struct MachNode MachNode;
typedef struct MachTask MachTask;

/* A demand that is not known yet. */
#define MACH_DEMAND_UNKNOWN UINT64_MAX

/* What a node asks for. Kinds of events in the order in which they take effect at one instant. */
typedef enum MachNodeEvent { MACH_NODE_TIMER, MACH_NODE_CORE } MachNodeEvent;

/* What the layer above does for a node. */
typedef struct MachNodeClient {
    void *user;
    /* Asks the callee to call mach_node_event(node, kind, index) at time_ps. Events of one kind and time come in the
     * order of (number of the node, index). The callee may leave out those that mach_node_expects() no longer wants. */
    void (*at)(void *user, MachNode *node, MachNodeEvent kind, uint32_t index, uint64_t time_ps);
} MachNodeClient;

/* What the owner of a task is told. */
typedef struct MachTaskClient {
    void *user;
    /* The task has had its demand, and has the core at this time. */
    void (*served)(void *user, MachTask *task, uint64_t now_ps);
    /* It could have gone on at from_ps, but had no core until to_ps. Called when it has one. May be NULL. */
    void (*waited)(void *user, MachTask *task, uint64_t from_ps, uint64_t to_ps);
} MachTaskClient;

/* Makes a node. `number` is for the client, which must outlive it. */
MachNode *mach_node_new(uint32_t number, uint32_t cores, const MachNodeParams *params, const MachNodeClient *client);
/* Frees it with all its tasks. */
void mach_node_free(MachNode *node);
uint32_t mach_node_number(const MachNode *node);
uint32_t mach_node_cores(const MachNode *node);
/* Number of its tasks that have not ended. The node is shared while they are more than its cores, and from the time on
 * at which those that are not threads have been more: only then does a task that wakes up pay the wake-up. */
uint32_t mach_node_tasks(const MachNode *node);
/* Sets what the operating system takes from a core. */
void mach_node_set_noise(MachNode *node, uint32_t core, VmNoise *noise);
/* Gives the node the memory of that, which it frees with g_free(). */
void mach_node_own_noise(MachNode *node, void *noise);
/* What the client was asked for has come. */
void mach_node_event(MachNode *node, MachNodeEvent kind, uint32_t index, uint64_t now_ps);
/* Whether the node still wants the event that it asked for at this time. */
bool mach_node_expects(const MachNode *node, MachNodeEvent kind, uint32_t index, uint64_t time_ps);

/* Reads the key `priority` for so many ranks: (*levels)[rank], to be freed with g_free(); NULL: all are 0
 * (priorities.c). */
bool mach_node_read_priorities(const MachConfig *config, uint32_t ranks, int **levels, GError **error);

/* A core with as few tasks as can be. */
#define MACH_ANY_CORE UINT32_MAX

/* Cores first, first + step, ..., so many. */
typedef struct MachCores {
    uint32_t first, step, count;
} MachCores;

/* How a task is scheduled. */
typedef struct MachTaskKind {
    uint32_t core;       /* the core that it begins on, MACH_ANY_CORE, or more than there are, which begin at 0 again */
    int priority;        /* a task runs only if none of higher priority is ready for its core */
    bool pinned;         /* it never leaves that core, whatever `affinity` says */
    bool serves;         /* it works for others: a communication thread, a daemon */
    bool thread;         /* it comes and goes: the node is shared only as long as it is there */
    MachCores near;      /* of the cores that are free, it likes these best */
    const uint64_t *set; /* the cores that it may run on, as bits; NULL: all */
} MachTaskKind;
/* Words of a set of cores. Those beyond are in none. */
enum { MACH_CORE_WORDS = 16 };

/* Makes a task, which sleeps. The node owns it. */
MachTask *mach_node_add_task(MachNode *node, const MachTaskKind *kind, const MachTaskClient *client);
MachNode *mach_node_of(const MachTask *task);
/* The core that the task has, or had last, or waits for. */
uint32_t mach_node_core(const MachTask *task);
/* The client of the task that has a core, if nobody waits for that; else NULL. */
const MachTaskClient *mach_node_alone(const MachNode *node, uint32_t core);
/* Confines the task to a set of cores, of which there is one at least; NULL: all. It leaves a core that it may not have
 * any more, at the end of its present call. */
void mach_node_bind(MachTask *task, const uint64_t *set, uint64_t now_ps);
/* The task runs already, on the core that it begins on, which nobody has, and is in a call: it has been served. */
void mach_node_adopt(MachTask *task, uint64_t now_ps);
/* A new task has something to do from time_ps on, and does not pay for being woken. */
void mach_node_begin(MachTask *task, uint64_t now_ps, uint64_t time_ps, uint64_t demand_ps);
/* A task that waits or sleeps has something to do from time_ps on. If that is later than now_ps, it must sleep. A task
 * that has something to do already gets more of it. */
void mach_node_wake(MachTask *task, uint64_t now_ps, uint64_t time_ps, uint64_t demand_ps);
/* How long the present stint is, from its beginning. It may become known late, but not after it must have ended; and it
 * may be given anew as long as it only grows. */
void mach_node_demand(MachTask *task, uint64_t demand_ps);

/* A task that has been served keeps its core up to a later time, at which mach_node_kept() and then one of the
 * following must be called. */
void mach_node_keep(MachTask *task);
void mach_node_kept(MachTask *task, uint64_t now_ps);

/* What a task does after served(). It keeps its core until from_ps, which is not before now, whatever its slice and
 * others say: a call of a library or of the system goes on until then. */
void mach_node_go_on(MachTask *task, uint64_t from_ps, uint64_t demand_ps);
void mach_node_yield(MachTask *task, uint64_t from_ps, uint64_t demand_ps);
void mach_node_wait(MachTask *task, uint64_t from_ps);
void mach_node_sleep(MachTask *task, uint64_t from_ps);
/* The same for a task that may be in the middle of a stint: what it has of that is lost. Who waits for a core waits on.
 */
void mach_node_stop(MachTask *task, uint64_t from_ps);
/* Ends a task, whatever it does. It stays where it is in memory, but nothing may be asked of it any more except the
 * counts below. */
void mach_node_end(MachTask *task, uint64_t now_ps);
/* The same, and gives its memory back to the node. */
void mach_node_remove(MachTask *task, uint64_t now_ps);

/* Whether it has the core, and nothing to do before the next call for it: it has been served, and must be told what
 * follows. */
bool mach_node_is_served(const MachTask *task);
/* Processor time of the present stint up to now. */
uint64_t mach_node_consumed(const MachTask *task, uint64_t now_ps);
/* Time up to now for which it had something to do and no core; and how often a core changed over to it. */
uint64_t mach_node_ready_ps(const MachTask *task, uint64_t now_ps);
uint64_t mach_node_switches(const MachTask *task, uint64_t now_ps);
/* Of a task that serves: for how long it had a core that others wanted, with the time of changing over. */
uint64_t mach_node_taken_ps(const MachTask *task);
/* Since when it has something to do and no core, or UINT64_MAX. */
uint64_t mach_node_ready_since(const MachTask *task);

/* -- messages between ranks of one node (channels.c) --------------------------------------------- */

typedef struct MachNodeChannels MachNodeChannels;
MachNodeChannels *mach_node_channels_new(const MachConfig *config);
void mach_node_channels_free(MachNodeChannels *channels);
/* Sends a message that is handed over at time_ps, and that does not leave its sender before not_before_ps. *sent_ps
 * becomes the time at which it has left its sender, *delivered_ps that of its arrival. Messages of one pair of ranks
 * stay in order. */
void mach_node_channels_send(MachNodeChannels *channels, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                             uint64_t not_before_ps, uint64_t *sent_ps, uint64_t *delivered_ps);

#endif
