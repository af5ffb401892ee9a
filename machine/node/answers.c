/* answers.c - what a run queue says of its node and of tasks. */
#include "machine/node/inside.h"

uint32_t mach_node_number(const MachNode *node)
{
    return node->number;
}

uint32_t mach_node_cores(const MachNode *node)
{
    return node->n_cores;
}

uint32_t mach_node_tasks(const MachNode *node)
{
    return node->live;
}

const MachTaskClient *mach_node_alone(const MachNode *node, uint32_t core)
{
    const Core *at = &node->cores[core];
    return at->current && !at->queued ? at->current->client : NULL;
}

MachNode *mach_node_of(const MachTask *task)
{
    return task->node;
}

uint32_t mach_node_core(const MachTask *task)
{
    return task->core;
}

bool mach_node_is_served(const MachTask *task)
{
    return task->state == TASK_SERVED;
}

uint64_t mach_node_ready_since(const MachTask *task)
{
    return task->state == TASK_QUEUED && !task->idle ? task->ready_since_ps : UINT64_MAX;
}

uint64_t mach_node_ready_ps(const MachTask *task, uint64_t now_ps)
{
    uint64_t since_ps = mach_node_ready_since(task);
    if (since_ps < now_ps)
        return task->ready_ps + now_ps - since_ps;
    return task->ready_until_ps > now_ps ? task->ready_ps - (task->ready_until_ps - now_ps) : task->ready_ps;
}

uint64_t mach_node_taken_ps(const MachTask *task)
{
    return task->taken_ps;
}
