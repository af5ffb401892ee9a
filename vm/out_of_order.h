/* out_of_order.h - the model of a processor that executes out of order (out_of_order.c), as the interpreter uses it. */
#ifndef ORRERY_VM_OUT_OF_ORDER_H
#define ORRERY_VM_OUT_OF_ORDER_H

#include "vm/internal.h"

/* What the model has to know of each instruction of a program, by pc. */
typedef struct VmDecoded VmDecoded;
VmDecoded *vm_out_of_order_decode(const VcodeModule *module);

/* The instruction at `pc` is about to run in a frame whose registers R begin at `window` of all, at `now` on the rank's
 * clock: cycles (q8) that pass until it retires. Charges made since by others (library functions, say) delay what
 * follows. */
uint64_t vm_out_of_order_step(VmRank *rank, uint32_t pc, size_t window, const uint64_t *R, uint64_t now);
void vm_out_of_order_free(VmOutOfOrder *core);

#endif
