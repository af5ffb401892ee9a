/* frames.c - frames, variables and files of a stopped rank, found by the names and numbers that users give them. */
#include "monitor/debug/debug.h"

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

bool mon_debug_find_variable(VmRank *rank, uint32_t level, const char *name, VmValue *value)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    VmFrame frame;
    const VcodeVariable *found = NULL;
    if (!mon_debug_frame(rank, level, &frame))
        return false;
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const VcodeVariable *candidate = &module->variables.items[i];
        if (strcmp(vcode_text(module, candidate->name), name) != 0)
            continue;
        bool local = vm_variable_in_scope(candidate, &frame);
        if (!local && candidate->function != VCODE_NONE)
            continue;
        bool found_local = found && found->function != VCODE_NONE;
        /* The innermost scope is the one that starts last. */
        if (!found || (local && (!found_local || candidate->pc_low >= found->pc_low)))
            found = candidate;
    }
    if (!found)
        return false;
    *value = mon_debug_value(rank, found, &frame);
    return true;
}

bool mon_debug_same_file(const char *known, const char *asked)
{
    if (!asked || strcmp(known, asked) == 0)
        return true;
    g_autofree char *base = g_path_get_basename(known);
    return strcmp(base, asked) == 0;
}
