/* describe.h - what lies at an address of a rank, or next to it: for whoever reads why an access failed. */
#ifndef ORRERY_VM_DESCRIBE_H
#define ORRERY_VM_DESCRIBE_H

#include "vm/vm.h"

/* Says in lines what lies at an address, or next to it. Nothing: there is nothing near. */
void vm_describe_address(VmRank *rank, uint64_t address, GString *out);

#endif
