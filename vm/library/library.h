/* library.h - the C library of simulated programs, as the other rooms of the VM see it. What programs call is in
 * vm_library() (vm.h); what its chapters share, in calls.h.
 */
#ifndef ORRERY_VM_LIBRARY_H
#define ORRERY_VM_LIBRARY_H

#include "vm/rank/rank.h"

/* What an extern does with values that were never set; FOREIGN if it is none of vm_library(). */
VmShading vm_library_shading(const VmExtern *function);
/* Whether the extern is one of vm_library(). */
bool vm_library_owns(const VmExtern *function);

/* Flushes and closes the rank's streams, frees rank->library and sets it to NULL. Called once, when the process
 * ends (exit, fault) or is released; the clock still stands at the end. rank->library may be NULL. */
void vm_library_close(VmRank *rank);

/* The block that holds the address, or else the last one before it: what was asked for, or what is free. False: there
 * is none, and no fault. Looks at one block after another. */
bool vm_heap_nearest(VmRank *rank, uint64_t address, uint64_t *low, uint64_t *size, bool *used);

#endif
