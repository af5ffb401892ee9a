/* places.c - source locations of calls in the program, as numbers and as text. */
#include "mpi/core/places.h"
#include "mpi/core/world.h"

uint32_t mpi_place_in_program(VmRank *process)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(process));
    uint32_t depth = vm_rank_depth(process);
    for (uint32_t level = 0; level < depth; level++) {
        uint32_t pc = vm_rank_pc(process, level);
        if (!(module->functions.items[vcode_pc_function(module, pc)].flags & VCODE_FUNCTION_LIBRARY))
            return pc;
    }
    return VCODE_NONE;
}

void mpi_append_place(GString *out, VmRank *process, uint32_t pc)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(process));
    const VcodeLine *line = pc == VCODE_NONE ? NULL : vcode_pc_line(module, pc);
    if (line)
        g_string_append_printf(out, "%s:%u", vcode_source_name(module, line->file), line->line);
    else
        g_string_append_c(out, '?');
}

/* As mpi_place_in_program(), for GLOBAL calls. Only one thread makes these, so it can cache what it found. */
uint32_t mpi_place_find(MpiWorld *world, VmRank *process)
{
    uint32_t pc = vm_rank_pc(process, 0), found = mpi_place_in_program(process);
    if (found == pc)
        world->places[pc % MPI_PLACES] = (MpiPlace){.image = vm_rank_image(process), .pc = pc};
    return found;
}

/* Returns the name of the function that is called at pc, or NULL if pc is no call of an extern. */
static const char *called_at(const VmRank *process, uint32_t pc)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(process));
    if (pc == VCODE_NONE || vcode_op(module->code.items[pc]) != VCODE_CALLX)
        return NULL;
    return vcode_text(module, module->externs.items[vcode_imm32(module->code.items[pc])].name);
}

void mpi_append_call_place(GString *out, VmRank *process, const char *name, uint32_t pc)
{
    name = name ? name : called_at(process, pc);
    g_string_append_printf(out, "%s at ", name ? name : "the call");
    mpi_append_place(out, process, pc);
}
