/* shadow.h - what --check knows of every value of a rank beside the value itself: which of its bits were never set, and
 * which object it is an address of.
 *
 *   VmShade       of a register or a word of memory
 *   shadow.c      shades of memory, objects, what calls of the library do to them
 *   shades.h      the types, and what usual instructions do to them
 *   shadow_step.c what all instructions do to them, before a loop of the interpreter does it
 *   shadow_threads.c  what is known of each thread
 *   shadow_tell.c words for people: faults, and notes of uninitialised values with where they come from
 *
 * An address keeps its object through arithmetic, copies, calls and memory, wherever it points meanwhile. So an access
 * beyond the end of an array is recognised even if another variable lies there. Some addresses have no known object:
 * those that the compiler cannot tell, and results of arithmetic between addresses of different objects. They are only
 * checked against all memory in use.
 */
#ifndef ORRERY_VM_SHADOW_H
#define ORRERY_VM_SHADOW_H

#include "vm/check/shades.h"

/* Frees what is known of threads. */
void vm_shadow_threads_free(VmShadow *shadow);
/* Returns the object on the stack of any thread that a tag of that kind is of; NULL: it is gone. */
const VmInstance *vm_shadow_instance(const VmRank *rank, uint64_t tag);
/* Finds the extent of the object of a tag. Returns false if the tag is of no object, or the object is gone. */
bool vm_shadow_extent(VmRank *rank, uint64_t tag, uint64_t *low, uint64_t *size);
/* Checks an access by the tag of its address. Returns false, with a fault raised, if it is not allowed. */
bool vm_shadow_judge(VmRank *rank, uint64_t tag, uint64_t address, uint64_t size, bool write);

/* Tells that the running function is about to call another. */
void vm_shadow_called(VmRank *rank, uint32_t function, uint32_t window);
/* vm_shadow_enter(): the frame at the present depth gets its objects, at `low`. vm_shadow_alloca(): it gets a block of
 * the stack. */
void vm_shadow_enter(VmRank *rank, uint32_t function, uint64_t low, uint64_t bytes, VmShade *frame);
uint64_t vm_shadow_alloca(VmRank *rank, uint64_t low, uint64_t bytes, uint64_t asked);

/* Shades of memory that belongs to the rank. `address` must be in it. */
VmShade vm_shadow_load(VmRank *rank, uint64_t address, unsigned size, bool sign);
void vm_shadow_store(VmRank *rank, uint64_t address, unsigned size, VmShade shade);
void vm_shadow_undefine(VmRank *rank, uint64_t address, uint64_t size, bool fresh);

/* -- telling ----------------------------------------------------------------------------------- */
/* Notes, once for each place of the program, what is done with a value that was never set. */
void vm_shadow_note(VmRank *rank, const char *what, uint64_t origin, const char *fix);
void vm_shadow_note_argument(VmRank *rank, unsigned number, uint64_t origin);
/* Raises the fault of an access outside the object of its address. Returns false. */
bool vm_shadow_refuse(VmRank *rank, uint64_t tag, uint64_t address, uint64_t size, bool write);

#endif
