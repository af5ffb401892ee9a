/* inside.h - a node and its tasks from inside. */
#ifndef ORRERY_MACHINE_NODE_INSIDE_H
#define ORRERY_MACHINE_NODE_INSIDE_H

#include "machine/node/node.h"

typedef enum TaskState {
    TASK_ASLEEP,
    TASK_TIMED,   /* will be ready at wake_ps */
    TASK_QUEUED,  /* in the queue of its core */
    TASK_RUNNING, /* has its core, from since_ps on */
    TASK_SERVED,  /* has its core, and has had its demand */
    TASK_ENDED,
} TaskState;

struct MachTask {
    MachNode *node;
    const MachTaskClient *client;
    MachTask *next, *before; /* in the queue */
    uint32_t index, core;
    uint64_t serial; /* different for all tasks that the node has ever had; not 0 */
    int priority;
    TaskState state;
    bool pinned, serves;
    bool thread;
    uint8_t overtaken;       /* times that it lost its core, one after the other, before it had done anything */
    bool misplaced;          /* it has a core that is not in its set */
    MachCores near;          /* the cores that it likes best */
    uint64_t *set;           /* MACH_CORE_WORDS: the cores that it may run on; NULL: all */
    bool idle;               /* it waits, but not asleep */
    bool leaving;            /* if running: sleeps from since_ps on */
    bool fresh;              /* it has slept, and not used a whole slice since then */
    uint64_t demand_ps;      /* of the present stint */
    uint64_t done_ps;        /* the part of it that was done when the task last lost its core */
    uint64_t more_ps;        /* if served: what has come meanwhile */
    uint64_t since_ps;       /* if running: what it does counts from here on, and nobody takes its core before */
    uint64_t slice_left_ps;  /* if queued: what is left of its slice; 0: it gets a new one */
    uint64_t wake_ps;        /* if timed */
    uint64_t asked_ps;       /* when it was to have something to do, before the time of waking up */
    uint64_t ready_since_ps; /* if queued, and not idle */
    uint64_t ready_ps;       /* time that it was queued and not idle; up to ready_until_ps */
    uint64_t ready_until_ps;
    uint64_t switches;
    uint64_t began_ps; /* if it serves and runs: when its core changed over to it */
    uint64_t taken_ps; /* if it serves: what it took of others' time */
};

typedef struct Core {
    MachTask *current;      /* NULL: nobody has it */
    uint64_t last;          /* serial number of the last task that had it; 0: none had */
    MachTask *first, *tail; /* the queue */
    uint32_t queued;
    uint32_t working;      /* those of them that are not idle */
    uint32_t tasks;        /* live ones that have it, or would go back to it */
    uint64_t slice_end_ps; /* of the current task */
    uint64_t event_ps;     /* the event that it waits for; UINT64_MAX: none */
    VmNoise *noise;        /* NULL: none */
} Core;

struct MachNode {
    uint32_t number, n_cores;
    uint32_t live;    /* tasks that have not ended */
    uint32_t awake;   /* live ones that do not sleep */
    uint32_t lasting; /* live ones that are not threads */
    bool crowded;     /* the lasting ones have been more than the cores */
    bool bound;       /* a task has been confined to some of the cores */
    uint32_t used;    /* cores that have a current task */
    uint32_t working; /* tasks in queues that are not idle */
    MachNodeParams params;
    const MachNodeClient *client;
    GPtrArray *tasks;
    GPtrArray *spare; /* of these, those that have been removed */
    uint64_t serials; /* last serial number */
    void *noise;      /* memory of the noise of all cores */
    uint64_t now_ps;
    Core cores[];
};

static inline Core *core_of(const MachTask *task)
{
    return &task->node->cores[task->core];
}

/* -- which core (choice.c) ----------------------------------------------------------------------- */

/* Whether the core is in a set; NULL: all are. */
static inline bool mach_node_core_is_in(const uint64_t *set, uint32_t core)
{
    return !set || (core < MACH_CORE_WORDS * 64 && set[core / 64] >> core % 64 & 1);
}

/* Returns, of the cores that the task may have, the one with the fewest tasks. */
uint32_t mach_node_least_core(const MachNode *node, const MachTask *task);
/* Returns the core on which a task that is ready should run. */
Core *mach_node_choose_core(MachNode *node, const MachTask *task);
/* The task will have this core. */
void mach_node_move_to(MachTask *task, uint32_t core);
/* Returns a copy of a set, or NULL if all cores are in it. */
uint64_t *mach_node_copy_set(MachNode *node, const uint64_t *set);

#endif
