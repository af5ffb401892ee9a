/* alignment.c - processors that can access memory only at multiples of the access's size.
 *
 * This concerns only loads and stores of the program's code. The compiler marks those that may be at any address:
 * accesses to parts of packed structs, and copies of bytes. Such a machine would make them byte by byte. The library
 * works byte by byte anyway.
 */
#include "vm/rank/rank.h"

static bool access_of_code(VcodeForm form)
{
    return form == VCODE_FORM_LOAD || form == VCODE_FORM_STORE || form == VCODE_FORM_LOADX || form == VCODE_FORM_STOREX;
}

static bool is_aligned(VmRank *rank, uint64_t address, uint64_t size, bool write, void *user)
{
    (void)user;
    if (G_LIKELY((address & (size - 1)) == 0) || size > 8)
        return true;
    const VcodeModule *module = rank->image->module;
    const VcodeLine *line = vcode_pc_line(module, rank->pc);
    if (!access_of_code(vcode_op_info[vcode_op(module->code.items[rank->pc])].form) ||
        (line && line->flags & VCODE_LINE_UNALIGNED))
        return true;
    vm_rank_fault(rank, VM_FAULT_UNALIGNED, address,
                  "%s %" G_GUINT64_FORMAT " bytes at address 0x%" G_GINT64_MODIFIER
                  "x, which is no multiple of %" G_GUINT64_FORMAT ": this machine forbids unaligned accesses",
                  write ? "writes" : "reads", size, address, size);
    return false;
}

void vm_rank_forbid_unaligned(VmRank *rank)
{
    vm_rank_add_access_check(rank, is_aligned, NULL);
}
