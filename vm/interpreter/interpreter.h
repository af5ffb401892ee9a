/* interpreter.h - the loop that runs decoded instructions, as images and the native tier see it. */
#ifndef ORRERY_VM_INTERPRETER_H
#define ORRERY_VM_INTERPRETER_H

#include "vm/rank/rank.h"

/* The builds of the loop (interpreter.c). The checking loop is for ranks under --check and calls the access hooks, the
 * last one is the careful loop: it calls the debugger's hook, too. If the compiler lacks computed goto, all are the
 * careful loop. */
VmStop vm_interpreter_run(VmRank *rank, uint64_t quantum);
VmStop vm_interpreter_run_checking(VmRank *rank, uint64_t quantum);
VmStop vm_interpreter_run_by_switch(VmRank *rank, uint64_t quantum);
/* Fills in VmInstr.handler for each VmOp. */
void vm_interpreter_handlers(const void *handlers[VM_OP_COUNT]);
/* Sets the handler of each instruction where a sequence of fused.def begins. */
void vm_fuse(VmImage *image, const void *const *handlers);

#endif
