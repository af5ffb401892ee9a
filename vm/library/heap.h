/* heap.h - the heap of a program (heap.c), which also finds its misuse.
 *
 * This is the plain heap: the blocks as they lie without --check, and the records that are kept beside the program's
 * blocks with --check. memory.c uses it; other code calls vm_library_allocate() and vm_library_release(). Addresses are
 * the program's. A function that returns false has raised a fault of the rank. All functions take constant time, except
 * vm_heap_nearest().
 */
#ifndef ORRERY_VM_HEAP_H
#define ORRERY_VM_HEAP_H

#include "vm/library/calls.h"

/* Every block begins at a multiple of this many bytes. */
enum { VM_HEAP_UNIT = 16 };
/* Larger requests are refused at once. */
#define VM_HEAP_MAX_REQUEST (UINT64_C(1) << 46)

/* Returns the rank's heap, which is made at first need. */
CHeap *vm_heap_of(VmRank *rank);

/* Allocates a block of `size` bytes at a multiple of `alignment`, a power of two. If the heap is full, *address is 0
 * and errno is set. */
bool vm_heap_take(VmRank *rank, uint64_t alignment, uint64_t size, uint64_t *address);
/* Frees the block that begins at `address`. */
bool vm_heap_give_back(VmRank *rank, uint64_t address);
/* Works as realloc() to more than 0 bytes. Charges for what must move. Under --check the bytes lie elsewhere, so it
 * moves none. */
bool vm_heap_resize(VmRank *rank, uint64_t old, uint64_t size, uint64_t *address);
/* Finds the requested size of the block in use that begins at `address`. */
bool vm_heap_size(VmRank *rank, uint64_t address, uint64_t *size);
/* Copies between two blocks of the program. Does nothing if one of them cannot be accessed. */
void vm_heap_copy(VmRank *rank, uint64_t to, uint64_t from, uint64_t size);

/* Returns the address from which on the program never had the memory; it reads as 0. */
uint64_t vm_heap_fresh(VmRank *rank);

#endif
