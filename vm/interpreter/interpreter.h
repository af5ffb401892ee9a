/* interpreter.h - the loop that runs decoded instructions, as images and the native tier see it. */
#ifndef ORRERY_VM_INTERPRETER_H
#define ORRERY_VM_INTERPRETER_H

#include "vm/rank/rank.h"

/* The two builds of the loop (interpreter.c). The second is the careful one: it asks the debugger's hook and the access
 * hooks. Where the compiler lacks computed goto it also is the first. */
VmStop vm_interpreter_run(VmRank *rank, uint64_t quantum);
VmStop vm_interpreter_run_by_switch(VmRank *rank, uint64_t quantum);
/* VmInstr.handler for each VmOp. */
void vm_interpreter_handlers(const void *handlers[VM_OP_COUNT]);
/* Gives the instructions where sequences of fused.def begin their handlers. */
void vm_fuse(VmImage *image, const void *const *handlers);

#endif
