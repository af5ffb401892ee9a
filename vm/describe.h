/* describe.h - explains an address: what lies at it, or next to it. Reports use it to tell why an access failed. */
#ifndef ORRERY_VM_DESCRIBE_H
#define ORRERY_VM_DESCRIBE_H

#include "vm/vm.h"

/* Appends lines that say what lies at `address` or next to it. Appends nothing if there is nothing near. */
void vm_describe_address(VmRank *rank, uint64_t address, GString *out);
/* Appends what object holds the address: vm_rank_append_object(). */
bool vm_describe_object(VmRank *rank, uint64_t address, uint64_t *low, GString *out);

#endif
