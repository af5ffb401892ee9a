/* place.c - where in its program a rank is, as text. */
#include "machine/tell/place.h"

bool mach_place_in_library(const VcodeModule *module, const VmFrame *frame)
{
    return module->functions.items[frame->function].flags & VCODE_FUNCTION_LIBRARY;
}

bool mach_place_frame(VmRank *rank, VmFrame *frame)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    uint32_t depth = vm_rank_depth(rank);
    for (uint32_t level = 0; level < depth; level++) {
        *frame = vm_rank_frame(rank, level);
        if (!mach_place_in_library(module, frame))
            return true;
    }
    return false;
}

void mach_place_append_line(const VcodeModule *module, const VmFrame *frame, GString *out)
{
    if (frame->line)
        g_string_append_printf(out, " at %s:%u", vcode_source_name(module, frame->file), frame->line);
}

void mach_place_append(VmRank *rank, GString *out)
{
    VmFrame frame;
    if (!mach_place_frame(rank, &frame))
        return;
    g_string_append_printf(out, ", in %s", frame.name);
    mach_place_append_line(vm_image_module(vm_rank_image(rank)), &frame, out);
}
