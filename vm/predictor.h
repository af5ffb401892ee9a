/* predictor.h - the simulated branch predictor of a rank (predictor.c) as the interpreter and native code use it. */
#ifndef ORRERY_VM_PREDICTOR_H
#define ORRERY_VM_PREDICTOR_H

#include "vm/internal.h"

/* Which kind a name means; NULL: none. */
VmPredictorKind vm_predictor_kind(const char *name);

/* The branch at `pc` goes this way, the jump there to `target`: cycles (q8) of having predicted that wrongly, else 0.
 * The rank's clock is up to date. */
uint32_t vm_predict_branch(VmRank *rank, uint32_t pc, bool taken);
uint32_t vm_predict_jump(VmRank *rank, uint32_t pc, uint32_t target);
/* Whether it did, the last time. */
bool vm_predicted_wrongly(const VmRank *rank);
/* Where the rank's model of out-of-order execution is kept (out_of_order.h). */
VmOutOfOrder **vm_predictor_core(VmRank *rank);
/* The rank runs no more: only counts are kept. */
void vm_predictor_close(VmRank *rank);
void vm_predictor_free(VmRank *rank);

#endif
