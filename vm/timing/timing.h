/* timing.h - what instructions cost beyond the sum of their classes, as the interpreter and images use it.
 *
 *   block_costs.c   what blocks cost
 *   pipeline*.c     ... beyond the sum of their instructions: waiting, and branches predicted wrongly, by static rules
 *   predictor.c     which branches a simulated processor predicts wrongly
 *   out_of_order.c  a core that executes out of order, followed instruction by instruction
 *   hierarchy.c     caches that watch a rank's accesses
 */
#ifndef ORRERY_VM_TIMING_H
#define ORRERY_VM_TIMING_H

#include "vm/rank/rank.h"

/* -- pipeline (pipeline.c) --------------------------------------------------------------------- */

/* Adds to cost[pc - start of the function], for each pc where a block ends, what the waiting of instructions for each
 * other and mispredicted branches cost there (pipeline.c). */
void vm_pipeline_costs(const VcodeModule *module, uint32_t function, const VmCosts *costs, uint64_t *cost);

/* Which branches and jumps of a function are left to a predictor: predicted[pc - start of the function]. Not those that
 * compilers replace by conditional moves, nor the ends of innermost loops that count, which have a cost of their own.
 */
void vm_pipeline_predicted(const VcodeModule *module, uint32_t function, bool *predicted);

/* -- branch predictor (predictor.c) ------------------------------------------------------------ */

/* The branch at `pc` goes this way, the jump there to `target`: cycles (q8) of having predicted that wrongly, else 0.
 * The rank's clock is up to date. */
uint32_t vm_predictor_branch(VmRank *rank, uint32_t pc, bool taken);
uint32_t vm_predictor_jump(VmRank *rank, uint32_t pc, uint32_t target);
/* The rank runs no more: only counts are kept. */
void vm_predictor_close(VmRank *rank);
void vm_predictor_free(VmRank *rank);

/* -- execution out of order (out_of_order.c) --------------------------------------------------- */

/* What the model has to know of each instruction of a program, by pc. */
typedef struct VmDecoded VmDecoded;
VmDecoded *vm_out_of_order_decode(const VcodeModule *module);

/* The instruction at `pc` is about to run in a frame whose registers R begin at `window` of all, at `now` on the rank's
 * clock: cycles (q8) that pass until it retires. Charges made since by others (library functions, say) delay what
 * follows. */
uint64_t vm_out_of_order_step(VmRank *rank, uint32_t pc, size_t window, const uint64_t *R, uint64_t now);

#endif
