/* frames.c - frames, variables and files of a stopped rank, found by the names and numbers that users give them. */
#include "monitor/expression/expression.h"

#include <string.h>

bool mon_debug_frame(VmRank *rank, uint32_t level, VmFrame *frame)
{
    if (vm_rank_depth(rank) == 0)
        return false;
    *frame = vm_rank_frame(rank, 0);
    for (; level > 0; level--)
        if (!vm_rank_caller(rank, frame))
            return false;
    return true;
}

uint32_t mon_frame_program_level(VmRank *rank)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    VmFrame frame;
    uint32_t level = 0;
    for (bool more = mon_debug_frame(rank, 0, &frame); more; more = vm_rank_caller(rank, &frame), level++)
        if ((module->functions.items[frame.function].flags & VCODE_FUNCTION_LIBRARY) == 0)
            return level;
    return 0;
}

uint32_t mon_frame_find_variable(const VcodeModule *module, const VmFrame *frame, const char *name)
{
    uint32_t found = VCODE_NONE;
    bool found_local = false;
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const VcodeVariable *candidate = &module->variables.items[i];
        if (strcmp(vcode_text(module, candidate->name), name) != 0)
            continue;
        bool local = frame && vm_variable_in_scope(candidate, frame);
        if (!local && candidate->function != VCODE_NONE)
            continue;
        /* The innermost scope is the one that starts last. */
        if (found == VCODE_NONE ||
            (local && (!found_local || candidate->pc_low >= module->variables.items[found].pc_low))) {
            found = i;
            found_local = local;
        }
    }
    return found;
}
