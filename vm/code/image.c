/* image.c - questions about an image (vm/image.c makes images), and its end. */
#include "vm/code/code.h"

#include <string.h>

/* -- life -------------------------------------------------------------------------------------- */

VmImage *vm_image_ref(VmImage *image)
{
    g_atomic_int_inc(&image->references);
    return image;
}

void vm_image_unref(VmImage *image)
{
    if (!image || !g_atomic_int_dec_and_test(&image->references))
        return;
    if (image->drill)
        image->drill_free(image->drill);
    if (image->direct)
        image->direct_free(image->direct);
    if (image->origin)
        vm_image_unref(image->origin);
    else
        vcode_module_free(image->module);
    g_free(image->code);
    g_free(image->ops);
    g_free(image->functions);
    g_free(image->statics);
    g_free(image->switches);
    g_free(image->targets);
    g_free(image->bindings);
    g_free(image->unknown);
    g_free(image->decoded);
    if (image->wide_costs)
        g_array_free(image->wide_costs, TRUE);
    if (image->lost)
        g_array_free(image->lost, TRUE);
    g_free(image->block_starts);
    g_free(image->statement_starts);
    g_free(image);
}

void vm_image_observe_blocks(VmImage *image)
{
    memcpy(image->statement_starts, image->block_starts, (image->module->code.count / 64 + 1) * sizeof(uint64_t));
}

const VcodeModule *vm_image_module(const VmImage *image)
{
    return image->module;
}

uint32_t vm_image_function(const VmImage *image, uint64_t address)
{
    uint64_t offset = address - VCODE_CODE_BASE;
    if (offset % 16 || offset / 16 >= image->module->functions.count)
        return VCODE_NONE;
    return (uint32_t)(offset / 16);
}

uint32_t vm_image_function_of(const VmImage *image, uint32_t pc)
{
    uint32_t index = vcode_pc_function(image->module, pc);
    g_assert(index != VCODE_NONE);
    return index;
}

/* -- costs of blocks, and what calls lose ------------------------------------------------------ */

const VmWideCost *vm_image_wide_cost(const VmImage *image, uint32_t pc)
{
    guint low = 0, high = image->wide_costs->len;
    while (low < high) {
        guint middle = (low + high) / 2;
        const VmWideCost *wide = &g_array_index(image->wide_costs, VmWideCost, middle);
        if (wide->pc == pc)
            return wide;
        if (wide->pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    g_assert_not_reached();
}

const VmLost *vm_image_lost(const VmImage *image, uint32_t pc)
{
    guint low = 0, high = image->lost->len;
    while (low + 1 < high) {
        guint middle = (low + high) / 2;
        if (g_array_index(image->lost, VmLost, middle).pc <= pc)
            low = middle;
        else
            high = middle;
    }
    return &g_array_index(image->lost, VmLost, low);
}

uint64_t vm_image_block_cost(const VmImage *image, uint32_t pc)
{
    unsigned op = image->ops[pc] == VM_OP_LOST ? vm_image_lost(image, pc)->op : image->ops[pc];
    return op == VM_OP_WIDE ? vm_image_wide_cost(image, pc)->cost : image->code[pc].cost;
}

/* -- the floating-point environment ------------------------------------------------------------ */

/* What the host function behind <fenv.h> (clib/runtime/fenv.c) does about directions; all else is about flags. */
enum { GET_DIRECTION = 2, SET_DIRECTION = 3 };

bool vm_image_calls_fenv(const VmImage *image, VcodeInstr i)
{
    return image->keeps_fenv && vcode_op(i) == VCODE_CALLX &&
           strcmp(image->bindings[vcode_imm32(i)].function->name, VM_IMAGE_FENV) == 0;
}

/* The constant that register `reg` holds before the instruction, as far as its block tells; -1: none. */
static int constant_before(const VcodeModule *m, uint32_t pc, uint32_t reg)
{
    while (pc-- > 0 && !vcode_op_ends_block(vcode_op(m->code.items[pc]))) {
        VcodeInstr i = m->code.items[pc];
        if (vm_effects(i).written != (int)reg)
            continue;
        if (vcode_op(i) == VCODE_MOVI)
            return vcode_imm32(i);
        if (vcode_op(i) != VCODE_MOV)
            return -1;
        reg = vcode_b(i);
    }
    return -1;
}

bool vm_image_asks_flags(const VmImage *image)
{
    const VcodeModule *m = image->module;
    for (uint32_t pc = 0; image->keeps_fenv && pc < m->code.count; pc++) {
        VcodeInstr i = m->code.items[pc];
        if (!vm_image_calls_fenv(image, i))
            continue;
        int what = constant_before(m, pc, vcode_a(i));
        if (what != GET_DIRECTION && what != SET_DIRECTION)
            return true;
    }
    return false;
}
