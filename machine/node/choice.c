/* choice.c - which core a task goes to: its own if it can have it at once, else one that nobody has, of those that it
 * likes best first, else one with few tasks. */
#include "machine/node/inside.h"

static bool is_near(const MachTask *task, uint32_t core)
{
    const MachCores *near = &task->near;
    return near->count && core >= near->first && (core - near->first) % near->step == 0 &&
           (core - near->first) / near->step < near->count;
}

uint32_t mach_node_least_core(const MachNode *node, const MachTask *task)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < node->n_cores; i++) {
        uint32_t tasks = node->cores[i].tasks;
        if (mach_node_core_is_in(task->set, i) &&
            (best == UINT32_MAX || tasks < node->cores[best].tasks ||
             (tasks == node->cores[best].tasks && is_near(task, i) && !is_near(task, best))))
            best = i;
    }
    return best;
}

void mach_node_move_to(MachTask *task, uint32_t core)
{
    MachNode *node = task->node;
    node->cores[task->core].tasks--;
    node->cores[core].tasks++;
    task->core = core;
}

uint64_t *mach_node_copy_set(MachNode *node, const uint64_t *set)
{
    bool all = true;
    for (uint32_t i = 0; set && i < node->n_cores; i++)
        all &= mach_node_core_is_in(set, i);
    node->bound |= !all;
    return all ? NULL : g_memdup2(set, MACH_CORE_WORDS * sizeof *set);
}

Core *mach_node_choose_core(MachNode *node, const MachTask *task)
{
    Core *own = core_of(task), *found = NULL;
    bool may = mach_node_core_is_in(task->set, task->core);
    if (may && (!own->current || task->pinned || node->used == node->n_cores))
        return own;
    for (uint32_t i = 0; i < node->n_cores && !(found && is_near(task, (uint32_t)(found - node->cores))); i++)
        if (!node->cores[i].current && mach_node_core_is_in(task->set, i) && (!found || is_near(task, i)))
            found = &node->cores[i];
    return found ? found : may ? own : &node->cores[mach_node_least_core(node, task)];
}
