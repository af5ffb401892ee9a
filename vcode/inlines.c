/* inlines.c - the nesting of inlined calls. */
#include "vcode/vcode.h"

bool vcode_inline_within(const VcodeModule *module, uint32_t inner, uint32_t outer)
{
    while (inner != VCODE_NONE && inner != outer)
        inner = module->inlines.items[inner].parent;
    return inner == outer;
}

uint32_t vcode_inline_depth(const VcodeModule *module, uint32_t inlined)
{
    uint32_t depth = 0;
    for (; inlined != VCODE_NONE; inlined = module->inlines.items[inlined].parent)
        depth++;
    return depth;
}
