/* steps.c - steps of a rank: where they begin, and where they end, forwards and back. */
#include "monitor/session/engine.h"

/* Deeper calls give greater values, inlined calls too. */
static uint64_t depth_at(VmRank *vm, const VcodeModule *module, uint32_t pc)
{
    return (uint64_t)vm_rank_depth(vm) << 32 | vcode_inline_depth(module, vcode_pc_inlined(module, pc));
}

static uint64_t depth_of(VmRank *vm, const VcodeModule *module, const VmFrame *frame)
{
    return (uint64_t)(vm_rank_depth(vm) - frame->level) << 32 | vcode_inline_depth(module, frame->inlined);
}

static uint64_t outer_depth(VmRank *vm, VmFrame frame)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(vm));
    while (vm_rank_caller(vm, &frame))
        if ((module->functions.items[frame.function].flags & VCODE_FUNCTION_LIBRARY) == 0)
            return depth_of(vm, module, &frame);
    return 0;
}

bool mon_steps_from(MonEngine *engine, uint32_t rank, uint32_t kind, MonStep *step)
{
    VmRank *vm = mach_run_rank(engine->machine, rank);
    VmFrame frame;
    if (!mon_debug_frame(vm, 0, &frame))
        return false;
    *step = (MonStep){.kind = kind,
                      .rank = rank,
                      .thread = mach_look_thread(engine->machine, rank),
                      .depth = depth_of(vm, vm_image_module(vm_rank_image(vm)), &frame),
                      .outer_depth = outer_depth(vm, frame),
                      .line = frame.line,
                      .file = frame.file,
                      .count = engine->counts[rank]};
    return true;
}

GVariant *mon_steps_pack(const MonStep *step)
{
    return g_variant_new(MON_STEP_TYPE, step->kind, step->rank, step->thread, step->depth, step->outer_depth,
                         step->line, step->file, step->count);
}

void mon_steps_unpack(GVariant *value, MonStep *step)
{
    g_variant_get(value, MON_STEP_TYPE, &step->kind, &step->rank, &step->thread, &step->depth, &step->outer_depth,
                  &step->line, &step->file, &step->count);
}

bool mon_steps_end(MonEngine *engine, const MonStep *step, VmRank *vm, uint32_t pc, uint64_t *over)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(vm));
    if (engine->counts[step->rank] < step->count)
        return false; /* the step was begun further on: ranks that had run ahead */
    if (step->kind != MON_STEP_COUNT && mach_look_thread(engine->machine, step->rank) != step->thread) {
        if (mach_look_lives(engine->machine, step->rank, step->thread))
            return false;
        *over = step->thread;
        return true;
    }
    if (step->kind == MON_STEP_PC || step->kind == MON_STEP_COUNT)
        return true;
    if (step->kind == MON_STEP_FAR)
        return false;
    if (engine->counts[step->rank] == step->count)
        return false;
    uint64_t depth = depth_at(vm, module, pc);
    if (depth <= step->outer_depth)
        return true;
    /* Depths in between: qsort() and the like have called back into the program. */
    if (step->kind == MON_STEP_OUT || (step->kind == MON_STEP_OVER && depth != step->depth))
        return false;
    const VcodeLine *line = vcode_pc_line(module, pc);
    return depth != step->depth || !line || line->line != step->line || line->file != step->file;
}

/* -- backwards --------------------------------------------------------------------------------- */

/* Whether the statement is the first of its line since the rank was last elsewhere. */
static bool begins_line(const MonEngine *engine, uint32_t rank, const VcodeModule *module, uint32_t pc, uint64_t depth)
{
    if (engine->pcs[rank] == VCODE_NONE || engine->depths[rank] != depth)
        return true;
    const VcodeLine *line = vcode_pc_line(module, pc), *last = vcode_pc_line(module, engine->pcs[rank]);
    return !line || !last || line->line != last->line || line->file != last->file;
}

bool mon_steps_could_begin(MonEngine *engine, VmRank *vm, uint32_t pc)
{
    const MonStep *step = &engine->step;
    const VcodeModule *module = vm_image_module(vm_rank_image(vm));
    uint64_t depth = depth_at(vm, module, pc);
    if (mach_look_thread(engine->machine, step->rank) != step->thread || engine->counts[step->rank] >= step->count ||
        (step->kind == MON_STEP_OVER && depth > step->depth) || (step->kind == MON_STEP_OUT && depth >= step->depth))
        return false;
    return step->kind == MON_STEP_OUT || begins_line(engine, step->rank, module, pc, depth);
}

void mon_steps_note(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc)
{
    engine->pcs[rank] = pc;
    engine->depths[rank] = (uint64_t)vm_rank_depth(vm) << 32;
    if (engine->step.kind || engine->mode == MON_SCAN)
        engine->depths[rank] = depth_at(vm, vm_image_module(vm_rank_image(vm)), pc);
}
