/* pc.c - finds the function, the line and the inlined call that an instruction belongs to. */
#include "vcode/vcode.h"

uint32_t vcode_pc_function(const VcodeModule *module, uint32_t pc)
{
    uint32_t low = 0, high = module->functions.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const VcodeFunction *f = &module->functions.items[middle];
        if (pc < f->code_start)
            high = middle;
        else if (pc - f->code_start >= f->code_count)
            low = middle + 1;
        else
            return middle;
    }
    return VCODE_NONE;
}

const VcodeLine *vcode_pc_line(const VcodeModule *module, uint32_t pc)
{
    uint32_t low = 0, high = module->lines.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (module->lines.items[middle].pc <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &module->lines.items[low - 1] : NULL;
}

uint32_t vcode_pc_inlined(const VcodeModule *module, uint32_t pc)
{
    const VcodeLine *line = vcode_pc_line(module, pc);
    uint32_t inlined = line ? line->inlined : VCODE_NONE;
    if (inlined >= module->inlines.count || module->inlines.items[inlined].function != vcode_pc_function(module, pc))
        return VCODE_NONE;
    return inlined;
}
