/* timing.h - the cost models beyond the class of each instruction, as the interpreter and images use them.
 *
 *   block_costs.c   what blocks cost
 *   pipeline*.c     what waiting and mispredicted branches add to blocks, by static rules
 *   predictor.c     which branches a simulated processor predicts wrongly
 *   out_of_order.c  a core that executes out of order, followed instruction by instruction
 *   hierarchy.c     caches that watch a rank's accesses
 */
#ifndef ORRERY_VM_TIMING_H
#define ORRERY_VM_TIMING_H

#include "vm/rank/rank.h"

/* -- pipeline (pipeline.c) --------------------------------------------------------------------- */

/* Adds what waiting of instructions for each other and mispredicted branches cost. The cost of a block is added to
 * cost[pc - start of the function], where pc is the block's end (pipeline.c). */
void vm_pipeline_costs(const VcodeModule *module, uint32_t function, const VmCosts *costs, uint64_t *cost);

/* Sets predicted[pc - start of the function] for the branches and jumps that are left to a predictor. Branches that
 * compilers replace by conditional moves are not; nor are the ends of innermost loops that count, which have a cost of
 * their own. */
void vm_pipeline_predicted(const VcodeModule *module, uint32_t function, bool *predicted);

/* -- branch predictor (predictor.c) ------------------------------------------------------------ */

/* Tell the predictor which way the branch at `pc` goes, or to which target the jump there goes. They return the cycles
 * (q8) of a wrong prediction, else 0. The rank's clock must be up to date. */
uint32_t vm_predictor_branch(VmRank *rank, uint32_t pc, bool taken);
uint32_t vm_predictor_jump(VmRank *rank, uint32_t pc, uint32_t target);
/* Frees all but the counts. The thread that is selected runs no more. */
void vm_predictor_close(VmRank *rank);
void vm_predictor_free(VmRank *rank);

/* -- execution out of order (out_of_order.c) --------------------------------------------------- */

/* What the model must know of each instruction of a program, indexed by pc. */
typedef struct VmDecoded VmDecoded;
VmDecoded *vm_out_of_order_decode(const VcodeModule *module);

/* Steps the model when the instruction at `pc` is about to run. The registers R of its frame begin at `window` in the
 * rank's registers; `now` is the rank's clock. Returns the cycles (q8) that pass until the instruction retires. Charges
 * that others (library functions, for example) have made since the last step delay what follows. */
uint64_t vm_out_of_order_step(VmRank *rank, uint32_t pc, size_t window, const uint64_t *R, uint64_t now);

#endif
