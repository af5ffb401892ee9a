/* library.h - the C library of simulated programs, as the other rooms of the VM see it. vm_library() (vm.h) has what
 * programs call; calls.h has what the library's chapters share. */
#ifndef ORRERY_VM_LIBRARY_H
#define ORRERY_VM_LIBRARY_H

#include "vm/rank/rank.h"

/* What an extern does with values that were never set; VM_SHADING_FOREIGN if it is not in vm_library(). */
VmShading vm_library_shading(const VmExtern *function);
/* Whether the extern is one of vm_library(). */
bool vm_library_owns(const VmExtern *function);
/* Whether it is one of those that let time pass without work. */
bool vm_library_sleeps(const VmExtern *function);
/* What a function of vm_library() does, to be called without its trampoline: if it sets VmRank.wants_turn, it must be
 * called again in its turn, with args[0] as it was. NULL: the extern has none. */
VmLibraryFunction vm_library_direct(const VmExtern *function);

/* Flushes and closes the rank's streams, frees rank->library and sets it to NULL. Called once, when the process
 * ends (exit, fault) or is released; the clock still stands at the end. rank->library may be NULL. */
void vm_library_close(VmRank *rank);

/* Finds the block that holds the address, or else the last block before it: its requested size, or its size if it is
 * free. Returns false, without a fault, if there is none. Takes time linear in the number of blocks. */
bool vm_heap_nearest(VmRank *rank, uint64_t address, uint64_t *low, uint64_t *size, bool *used);

/* The host's functions that maths.def names, in its order. */
extern void (*const vm_library_maths[])(void);

#endif
