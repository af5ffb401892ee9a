/* predictor.h - what the branch predictor and the model of execution out of order know of each other. */
#ifndef ORRERY_VM_TIMING_PREDICTOR_H
#define ORRERY_VM_TIMING_PREDICTOR_H

#include "vm/rank/rank.h"

/* Whether the last branch or jump was predicted wrongly. */
bool vm_predictor_was_wrong(const VmRank *rank);
/* Where the rank's model of out-of-order execution is kept. */
VmOutOfOrder **vm_predictor_core(VmRank *rank);
void vm_out_of_order_free(VmOutOfOrder *core);

#endif
