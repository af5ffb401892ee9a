/* predictor.h - what the branch predictor and the model of out-of-order execution know of each other. */
#ifndef ORRERY_VM_TIMING_PREDICTOR_H
#define ORRERY_VM_TIMING_PREDICTOR_H

#include "vm/rank/rank.h"

/* Whether the last branch or jump of the rank was predicted wrongly. */
bool vm_predictor_was_wrong(const VmRank *rank);
/* Where the rank's model of out-of-order execution is stored. */
VmOutOfOrder **vm_predictor_core(VmRank *rank);
void vm_out_of_order_free(VmOutOfOrder *core);

#endif
